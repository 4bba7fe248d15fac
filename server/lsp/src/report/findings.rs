//! The findings that a report shows, with what several formats say about each.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use lofting::PositionEncoding;
use lofting_check::Diagnostic;
use lofting_diagnostic::Confidence;
use lofting_document::{FileId, Span};
use lofting_ide::{CodeAction, fixes_of};
use lofting_text::Encoding;
use lofting_workspace::{CheckReport, normalise, relative, uri_encoded};
use sha2::{Digest, Sha256};

/// For how many findings fixes are computed: what applies them checks again afterwards.
const WITH_FIXES: usize = 1_000;

/// The findings that are shown of a report.
pub(crate) struct Findings<'r> {
    /// The whole report.
    pub(crate) report: &'r CheckReport,
    /// What is shown of it, by file and place.
    pub(crate) shown: Vec<&'r Diagnostic>,
    /// How many further ones there are.
    pub(crate) hidden: usize,
    /// Everything that was asked for could be checked.
    pub(crate) is_complete: bool,
    /// Findings only: no summary.
    pub(crate) quiet: bool,
    /// What columns count for programs that choose.
    pub(crate) encoding: PositionEncoding,
}

/// A place as formats write it: lines and columns from 1.
pub(crate) struct Position {
    /// The line.
    pub(crate) line: u32,
    /// The column in characters.
    pub(crate) column: u32,
    /// The column in bytes of UTF-8.
    pub(crate) byte_column: u32,
}

impl<'r> Findings<'r> {
    /// The findings of a report, at most `most` of them: the worst, and among equals the first.
    pub(crate) fn of(report: &'r CheckReport, most: usize, is_complete: bool, quiet: bool) -> Findings<'r> {
        let mut shown: Vec<(usize, &Diagnostic)> = report.diagnostics().enumerate().collect();
        let hidden = shown.len().saturating_sub(most);
        if hidden > 0 {
            shown.sort_by_key(|(_, finding)| finding.severity);
            shown.truncate(most);
            shown.sort_by_key(|(number, _)| *number);
        }
        let shown = shown.into_iter().map(|(_, finding)| finding).collect();
        let encoding = PositionEncoding::default();
        Findings { report, shown, hidden, is_complete, quiet, encoding }
    }

    /// The name of the file that a place is in.
    pub(crate) fn name(&self, span: Span) -> &'r str {
        self.report.name(span.file)
    }

    /// The name of the file as seen from the current directory, for programs that look for it.
    pub(crate) fn name_here(&self, span: Span) -> Cow<'r, str> {
        name_here(self.report, span.file)
    }

    /// The name of the file as a relative reference of a URI.
    pub(crate) fn uri(&self, span: Span) -> String {
        relative_uri(&self.name_here(span))
    }

    /// The first place of a span, and the one after its last.
    pub(crate) fn ends(&self, span: Span) -> (Position, Position) {
        let text = self.report.snapshot.text(span.file);
        let end = |byte: usize| {
            let position = text.position(byte, Encoding::Utf32);
            let line_start = text.line_range(position.line as usize).start;
            let in_line = u32::try_from(byte.saturating_sub(line_start)).unwrap_or(u32::MAX - 1);
            Position { line: position.line + 1, column: position.column + 1, byte_column: in_line + 1 }
        };
        let range = span.range();
        (end(range.start), end(range.end))
    }

    /// The fixes of the finding with this number, best first, with their changes.
    pub(crate) fn fixes(&self, index: usize) -> Vec<CodeAction> {
        let Some(finding) = self.shown.get(index).filter(|_| index < WITH_FIXES) else { return Vec::new() };
        // Flags and standard input are not files: nothing can be changed there.
        if self.report.snapshot.path(finding.span.file).is_absolute() {
            fixes_of(&self.report.snapshot, finding)
        } else {
            Vec::new()
        }
    }
}

/// The word for how certain a fix is.
pub(crate) fn certainty(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::Sure => "sure",
        Confidence::Likely => "likely",
        Confidence::Possible => "possible",
    }
}

/// Identifies each finding of a report, in its order, independently of its line: a baseline and services that follow
/// findings over time compare these. Equal findings in one file are numbered.
pub(crate) fn fingerprints<'d>(report: &CheckReport, findings: impl Iterator<Item = &'d Diagnostic>) -> Vec<String> {
    let mut seen: HashMap<String, u32> = HashMap::new();
    let mut names: HashMap<FileId, Cow<'_, str>> = HashMap::new();
    findings
        .map(|finding| {
            let file = finding.span.file;
            let name = names.entry(file).or_insert_with(|| name_here(report, file));
            let path = finding.path.as_deref().unwrap_or_default();
            let own = [&**name, &finding.code(), path, &finding.message].join("\0");
            let count = seen.entry(own.clone()).or_default();
            let numbered = format!("{own}\0{count}");
            *count += 1;
            Sha256::digest(numbered.as_bytes()).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
        })
        .collect()
}

/// The name of a file as seen from the current directory, however the user wrote it: `./a.yml` and `a.yml` are one file.
pub(super) fn name_here(report: &CheckReport, file: FileId) -> Cow<'_, str> {
    let name = report.name(file);
    // Flags and standard input have no path.
    let here = std::env::current_dir().ok().filter(|_| report.snapshot.path(file).is_absolute());
    let path = here.as_ref().and_then(|here| relative(here, &normalise(here, Path::new(name))));
    path.filter(|path| !path.starts_with("..")).map_or(Cow::Borrowed(name), Cow::Owned)
}

/// A path as a relative reference: what has a meaning in a URI is escaped, and so is a colon in the first part.
fn relative_uri(path: &str) -> String {
    uri_encoded(&path.replace(std::path::MAIN_SEPARATOR, "/"))
}

#[cfg(test)]
mod tests {
    use super::relative_uri;

    #[test]
    fn names_of_files_become_references() {
        for (path, uri) in [
            ("values/prod.yml", "values/prod.yml"),
            ("a b/ä#?.yml", "a%20b/%C3%A4%23%3F.yml"),
            ("c:x.yml", "c%3Ax.yml"),
            ("100%", "100%25"),
        ] {
            assert_eq!(relative_uri(path), uri);
        }
    }
}
