//! `--format json`: one object, whose shape never changes within `version` 1; `--format json-lines`: its findings.

use lofting_check::{Diagnostic, Related, Severity, rules};
use lofting_document::Span;
use lofting_ide::CodeAction;
use lofting_workspace::{CheckReport, Unchecked};
use serde::Serialize;

use super::findings::{Findings, Position, certainty, fingerprints};

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
    fixes: Vec<Fix<'a>>,
    fingerprint: String,
}

#[derive(Serialize)]
struct RelatedPlace<'a> {
    file: &'a str,
    range: Range,
    message: &'a str,
}

#[derive(Serialize)]
struct Fix<'a> {
    title: String,
    certainty: &'static str,
    edits: Vec<Edit<'a>>,
}

#[derive(Serialize)]
struct Edit<'a> {
    file: &'a str,
    range: Range,
    text: String,
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
    /// Findings beyond `--max-findings`.
    hidden: usize,
    ok: bool,
}

/// The report as one line of JSON.
pub(super) fn render(findings: &Findings<'_>) -> String {
    let report = findings.report;
    let errors = report.count(Severity::Error);
    let shape = Report {
        version: 1,
        diagnostics: all(findings),
        not_checked: report.unchecked.iter().map(|unchecked| not_checked(report, unchecked)).collect(),
        summary: Summary {
            files: report.files.len(),
            errors,
            warnings: report.count(Severity::Warning),
            not_evaluated: report.count_of(&rules::NOT_EVALUATED),
            unreadable: report.count_of(&rules::UNREADABLE_FILE),
            hidden: findings.hidden,
            ok: errors == 0 && findings.is_complete,
        },
    };
    // Only strings and numbers, so writing cannot fail.
    serde_json::to_string(&shape).unwrap_or_default() + "\n"
}

/// Each finding as a line of JSON.
pub(super) fn render_lines(findings: &Findings<'_>) -> String {
    all(findings).iter().map(|finding| serde_json::to_string(finding).unwrap_or_default() + "\n").collect()
}

fn all<'a>(findings: &'a Findings<'_>) -> Vec<Finding<'a>> {
    let fingerprints = fingerprints(findings.report, findings.shown.iter().copied());
    let numbered = findings.shown.iter().zip(fingerprints).enumerate();
    numbered.map(|(index, (diagnostic, fingerprint))| finding(findings, index, diagnostic, fingerprint)).collect()
}

fn not_checked<'a>(report: &'a CheckReport, unchecked: &'a Unchecked) -> NotChecked<'a> {
    let Unchecked { schema, message, files, .. } = unchecked;
    NotChecked { schema, message, files: files.iter().map(|file| report.name(*file)).collect() }
}

fn finding<'a>(
    findings: &'a Findings<'_>,
    index: usize,
    diagnostic: &'a Diagnostic,
    fingerprint: String,
) -> Finding<'a> {
    let related = |related: &'a Related| RelatedPlace {
        file: findings.name(related.span),
        range: range(findings, related.span),
        message: &related.message,
    };
    Finding {
        file: findings.name(diagnostic.span),
        range: range(findings, diagnostic.span),
        severity: diagnostic.severity.as_str(),
        code: diagnostic.code(),
        stage: diagnostic.stage.as_str(),
        message: &diagnostic.message,
        found: diagnostic.found.as_deref(),
        expected: diagnostic.expected.as_deref(),
        path: diagnostic.path.as_deref(),
        marked: (diagnostic.marked() != diagnostic.span).then(|| range(findings, diagnostic.marked())),
        related: diagnostic.related.iter().map(related).collect(),
        help: diagnostic.help.as_deref(),
        fixes: findings.fixes(index).into_iter().filter_map(|action| fix(findings, action)).collect(),
        fingerprint,
    }
}

fn fix<'a>(findings: &'a Findings<'_>, action: CodeAction) -> Option<Fix<'a>> {
    let change = action.change?;
    let edit = |(span, text): (Span, String)| Edit { file: findings.name(span), range: range(findings, span), text };
    Some(Fix {
        title: action.name.title,
        certainty: certainty(action.confidence),
        edits: change.edits.into_iter().map(edit).collect(),
    })
}

fn range(findings: &Findings<'_>, span: Span) -> Range {
    let end = |Position { line, column, byte, .. }| End { line, column, byte };
    let (start, after) = findings.ends(span);
    Range { start: end(start), end: end(after) }
}
