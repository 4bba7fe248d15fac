//! Findings about how an evaluation ended.

use crate::rules;
use lofting_diagnostic::Diagnostic;
use lofting_document::Span;

/// The user's own error: ytt fails as well. `calls` are the outer frames, innermost first.
pub fn evaluation_failed(span: Span, message: &str, hint: Option<&str>, calls: &[(Span, String)]) -> Diagnostic {
    rules::ytt_evaluation::finding(span, message, hint, calls)
}

/// Code was not run, or not to its end. Not the user's error.
pub fn not_evaluated(span: Span, message: &str) -> Diagnostic {
    rules::ytt_not_evaluated::finding(span, message)
}

/// Whether it is a finding of [`not_evaluated`], including rules that gave no answer.
pub fn is_not_evaluated(finding: &Diagnostic) -> bool {
    *finding.rule == rules::ytt_not_evaluated::RULE
}
