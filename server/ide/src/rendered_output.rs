//! The output of templates, as a text to read next to them while they are written.

use lofting_check::Diagnostic;
use lofting_document::{Document, FileId, Span, write};
use lofting_text::{Breaks, Encoding, visible};
use lofting_workspace::{Output, OutputCall, RenderedContent, RenderedFile, Snapshot};

#[cfg(test)]
mod tests;

/// A text with the origin of each of its lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RenderedOutput {
    /// What `lofting render` prints, or the text of a text template.
    pub text: String,
    /// For each line of `text` the file and line (from 0) that it comes from; `None` for our own lines and for text
    /// templates.
    pub lines: Vec<Option<(FileId, u32)>>,
}

impl RenderedOutput {
    fn push(&mut self, line: &str, place: Option<(FileId, u32)>) {
        self.text.push_str(line);
        self.lines.push(place);
    }
}

/// Why there is no output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotRendered {
    /// One line each.
    pub reasons: Vec<String>,
}

impl NotRendered {
    /// The reasons as comments, each in one line.
    pub fn text(&self) -> String {
        let line = |reason: &String| format!("#! not rendered: {}\n", visible(reason, Breaks::Spaces));
        self.reasons.iter().map(line).collect()
    }
}

/// The maximum number of reasons.
const MAX_REASONS: usize = 10;

/// The output of a call: that of `file`, or of all files if `whole` or if `file` has none of its own.
pub fn rendered_output(
    snapshot: &Snapshot,
    file: FileId,
    call: &OutputCall,
    whole: bool,
) -> Result<RenderedOutput, NotRendered> {
    let Output { files, findings, not_rendered } = snapshot.output(call);
    let Some(files) = files else {
        let reasons = findings.iter().take(MAX_REASONS).map(|finding| reason(snapshot, finding));
        let mut reasons: Vec<String> = reasons.chain(not_rendered.map(str::to_owned)).collect();
        if reasons.is_empty() {
            reasons.push("the code could not be evaluated".to_owned());
        }
        return Err(NotRendered { reasons });
    };
    let own: Vec<&RenderedFile> = files.iter().filter(|rendered| rendered.template == file).collect();
    let is_something = |rendered: &&RenderedFile| match &rendered.content {
        RenderedContent::Documents(documents) => !documents.is_empty(),
        RenderedContent::Text(_) => true,
    };
    let own = if whole || !own.iter().any(is_something) { files.iter().collect() } else { own };
    let mut out = RenderedOutput::default();
    let documents = own.iter().filter_map(|rendered| match &rendered.content {
        RenderedContent::Documents(documents) => Some(documents),
        RenderedContent::Text(_) => None,
    });
    for (index, document) in documents.flatten().enumerate() {
        add_document(snapshot, index, document, &mut out);
    }
    if let ([RenderedFile { content: RenderedContent::Text(text), .. }], true) = (own.as_slice(), out.text.is_empty()) {
        text.split_inclusive('\n').for_each(|line| out.push(line, None));
    }
    Ok(out)
}

fn add_document(snapshot: &Snapshot, index: usize, document: &Document, out: &mut RenderedOutput) {
    if index > 0 {
        out.push("---\n", Some(line_of(snapshot, document.marker.unwrap_or(document.span))));
    }
    let (text, places) = write::yaml_with_places(&document.value);
    // Neighbours often have the same origin.
    let mut last: Option<(Span, (FileId, u32))> = None;
    for (line, span) in text.split_inclusive('\n').zip(places) {
        let place = match last {
            Some((known, place)) if known == span => place,
            _ => line_of(snapshot, span),
        };
        last = Some((span, place));
        out.push(line, Some(place));
    }
}

fn line_of(snapshot: &Snapshot, span: Span) -> (FileId, u32) {
    (span.file, snapshot.text(span.file).position(span.range().start, Encoding::Utf8).line)
}

/// A finding on one line.
fn reason(snapshot: &Snapshot, finding: &Diagnostic) -> String {
    let (file, line) = line_of(snapshot, finding.span);
    let text = format!("{}:{}: {}", snapshot.shown_path(file), line + 1, finding.message);
    visible(&text, Breaks::Shown).into_owned()
}
