use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A rule cannot be read
    ///
    /// ## What
    /// `@schema/validate` has a keyword that does not exist, or an argument of the wrong kind.
    ///
    /// ## Why
    /// The rule is not checked.
    ///
    /// ## Example
    /// ```yaml
    /// #@schema/definition data_values=True
    /// ---
    /// #@schema/validate minimum=1
    /// a: 1
    /// ```
    ///
    /// ## How to fix
    /// Give the arguments that the message asks for.
    pub static RULE: Rule = Rule {
        code: "proposals/validate-arguments",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

pub(crate) fn finding(span: Span, message: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}
