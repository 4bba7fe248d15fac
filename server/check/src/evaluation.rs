//! How an evaluation ended, as findings.

use crate::rules;
use lofting_diagnostic::Diagnostic;
use lofting_document::Span;

/// The user's own mistake: ytt fails as well. `calls` are the outer frames, innermost first.
pub fn evaluation_failed(span: Span, message: &str, hint: Option<&str>, calls: &[(Span, String)]) -> Diagnostic {
    rules::ytt_evaluation::finding(span, message, hint, calls)
}

/// Code could not be run, or not to its end. That is no mistake of the user.
pub fn not_evaluated(span: Span, message: &str) -> Diagnostic {
    rules::ytt_not_evaluated::finding(span, message)
}

/// Whether a finding is [`not_evaluated`], or a rule that gave no answer.
pub fn is_not_evaluated(finding: &Diagnostic) -> bool {
    *finding.rule == rules::ytt_not_evaluated::RULE
}
