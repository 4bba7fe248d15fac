use crate::Related;
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, rule};
use lofting_document::Span;
use lofting_eval::OVERLAY_ITEM;

mod advice;

use advice::advice;

rule! {
    /// # Code that fails
    ///
    /// ## What
    /// Running the template's code fails here: a name, a type, a `fail(...)`, a missing file.
    ///
    /// ## Why
    /// ytt stops at the same place, and nothing that depends on the code has a value.
    ///
    /// ## Example
    /// ```yaml
    /// #@ ports = {"http": 80}
    /// #@data/values-schema
    /// ---
    /// port: #@ ports["https"]
    /// ```
    ///
    /// ## How to fix
    /// The message is ytt's, with advice where it is hard to understand; related places show the calls that led here.
    pub static RULE: Rule = Rule {
        code: "ytt/evaluation",
        stage: Stage::Template,
        severity: Severity::Error,
        cause: Cause::NameAbove,
    };
}

/// The user's own error: ytt fails as well. `calls` are the outer frames, innermost first.
pub fn finding(span: Span, message: &str, hint: Option<&str>, calls: &[(Span, String)]) -> Diagnostic {
    let mut finding = Diagnostic::new(&RULE, span, message);
    finding.help = hint.map(str::to_owned).or_else(|| advice(message));
    let mut before = "";
    for (span, function) in calls {
        let message = match (before, function.as_str()) {
            (_, OVERLAY_ITEM) => "this cannot be merged".to_owned(),
            (OVERLAY_ITEM, _) => "it fails here".to_owned(),
            (_, function) => format!("called in {function}"),
        };
        finding.related.push(Related { span: *span, message });
        before = function;
    }
    finding
}
