use crate::at::At;
use crate::rules::ytt_evaluation::advice;
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::Span;

rule! {
    /// # A condition that cannot be evaluated
    ///
    /// ## What
    /// The function given as `when=` in `#@schema/validation` fails, or does not return a boolean.
    ///
    /// ## Why
    /// ytt stops validating at the first such condition and does not show what else it found.
    ///
    /// ## Example
    /// ```yaml
    /// #@schema/validation min=1, when=lambda v: "yes"
    /// port: 80
    /// ```
    ///
    /// ## How to fix
    /// Return `True` or `False`, and accept one parameter (the value) or two (the value and the context).
    pub static RULE: Rule = Rule {
        code: "ytt/when",
        stage: Stage::Validation,
        severity: Severity::Error,
    };
}

pub(crate) fn finding(at: &At<'_>, condition: Span, why: &str) -> Diagnostic {
    let message = format!("the condition of the rules for {} fails: {why}", at.subject());
    let finding = Diagnostic::new(&RULE, condition, message).related(at.name, "called for this value");
    Diagnostic { help: advice(why), ..finding }
}
