//! `--format json`: one object on stdout, whose shape never changes within `version` 1.

use lofting_check::{Diagnostic, Related, Severity, rules};
use lofting_document::Span;
use lofting_text::Encoding;
use lofting_workspace::{CheckReport, Unchecked};
use serde::Serialize;

#[derive(Serialize)]
struct Report<'a> {
    version: u32,
    diagnostics: Vec<Finding<'a>>,
    /// What was asked for and could not be used, or not as a whole.
    not_checked: Vec<NotChecked<'a>>,
    summary: Summary,
}

#[derive(Serialize)]
struct NotChecked<'a> {
    schema: &'a str,
    message: &'a str,
    files: Vec<&'a str>,
}

#[derive(Serialize)]
struct Finding<'a> {
    file: &'a str,
    range: Range,
    severity: &'static str,
    code: std::borrow::Cow<'static, str>,
    stage: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
    /// The range that editors underline, if it is not the one that ytt names.
    #[serde(skip_serializing_if = "Option::is_none")]
    marked: Option<Range>,
    related: Vec<RelatedPlace<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
}

#[derive(Serialize)]
struct RelatedPlace<'a> {
    file: &'a str,
    range: Range,
    message: &'a str,
}

#[derive(Serialize)]
struct Range {
    start: End,
    end: End,
}

/// Lines and columns from 1, columns in characters; bytes from 0.
#[derive(Serialize)]
struct End {
    line: u32,
    column: u32,
    byte: usize,
}

#[derive(Serialize)]
struct Summary {
    files: usize,
    errors: usize,
    warnings: usize,
    /// Places whose code was not evaluated to its end, so that nothing is known about what depends on it.
    not_evaluated: usize,
    /// Files that could not be read.
    unreadable: usize,
    ok: bool,
}

/// The report as one line of JSON. `is_complete`: nothing is missing that was to be checked.
pub(crate) fn render(report: &CheckReport, is_complete: bool) -> String {
    let errors = report.count(Severity::Error);
    let shape = Report {
        version: 1,
        diagnostics: report.diagnostics().map(|diagnostic| finding(report, diagnostic)).collect(),
        not_checked: report.unchecked.iter().map(|unchecked| not_checked(report, unchecked)).collect(),
        summary: Summary {
            files: report.files.len(),
            errors,
            warnings: report.count(Severity::Warning),
            not_evaluated: report.count_of(&rules::NOT_EVALUATED),
            unreadable: report.count_of(&rules::UNREADABLE_FILE),
            ok: errors == 0 && is_complete,
        },
    };
    // Only strings and numbers, so writing cannot fail.
    serde_json::to_string(&shape).unwrap_or_default()
}

fn not_checked<'a>(report: &'a CheckReport, unchecked: &'a Unchecked) -> NotChecked<'a> {
    let Unchecked { schema, message, files, .. } = unchecked;
    NotChecked { schema, message, files: files.iter().map(|file| report.name(*file)).collect() }
}

fn finding<'a>(report: &'a CheckReport, diagnostic: &'a Diagnostic) -> Finding<'a> {
    let related = |related: &'a Related| RelatedPlace {
        file: report.name(related.span.file),
        range: range(report, related.span),
        message: &related.message,
    };
    Finding {
        file: report.name(diagnostic.span.file),
        range: range(report, diagnostic.span),
        severity: diagnostic.severity.as_str(),
        code: diagnostic.code(),
        stage: diagnostic.stage.as_str(),
        message: &diagnostic.message,
        found: diagnostic.found.as_deref(),
        expected: diagnostic.expected.as_deref(),
        path: diagnostic.path.as_deref(),
        marked: (diagnostic.marked() != diagnostic.span).then(|| range(report, diagnostic.marked())),
        related: diagnostic.related.iter().map(related).collect(),
        help: diagnostic.help.as_deref(),
    }
}

fn range(report: &CheckReport, span: Span) -> Range {
    let text = report.snapshot.text(span.file);
    let end = |byte: usize| {
        let position = text.position(byte, Encoding::Utf32);
        End { line: position.line + 1, column: position.column + 1, byte }
    };
    let range = span.range();
    Range { start: end(range.start), end: end(range.end) }
}
