//! `--format rdjson`: what reviewdog reads.
//!
//! <https://github.com/reviewdog/reviewdog/tree/master/proto/rdf>. Columns count bytes there.

use lofting_check::{Diagnostic, Severity};
use lofting_diagnostic::Confidence;
use lofting_document::Span;
use serde_json::{Value, json};

use super::findings::{Findings, Position};
use crate::terminal;

/// One object with all findings.
pub(super) fn render(findings: &Findings<'_>) -> String {
    let all: Vec<Value> =
        findings.shown.iter().enumerate().map(|(index, finding)| diagnostic(findings, index, finding)).collect();
    let report = json!({
        "source": {"name": "lofting", "url": env!("CARGO_PKG_REPOSITORY")},
        "diagnostics": all,
    });
    report.to_string() + "\n"
}

fn diagnostic(findings: &Findings<'_>, index: usize, finding: &Diagnostic) -> Value {
    let marked = finding.marked();
    // A suggestion replaces text of the file that the finding is in, in one place.
    let suggestions: Vec<Value> = findings
        .fixes(index)
        .into_iter()
        .filter(|action| action.confidence >= Confidence::Likely)
        .filter_map(|action| match action.change?.edits.as_slice() {
            [(span, text)] if span.file == marked.file => Some(json!({"range": range(findings, *span), "text": text})),
            _ => None,
        })
        .collect();
    json!({
        "message": terminal::lines(&finding.message),
        "location": {"path": findings.name_here(marked), "range": range(findings, marked)},
        "severity": match finding.severity {
            Severity::Error => "ERROR",
            Severity::Warning => "WARNING",
            Severity::Info | Severity::Hint => "INFO",
        },
        "code": {"value": finding.code(), "url": lofting_diagnostic::manual::address(finding.rule)},
        "suggestions": suggestions,
    })
}

fn range(findings: &Findings<'_>, span: Span) -> Value {
    let (start, end) = findings.ends(span);
    let end_of = |Position { line, byte_column, .. }| json!({"line": line, "column": byte_column});
    json!({"start": end_of(start), "end": end_of(end)})
}
