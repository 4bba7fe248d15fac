use lofting_diagnostic::{Cause, Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # The head of a schema document is wrong
    ///
    /// ## What
    /// The annotation above `---` does not say that the document is a schema for data values, or there are two of them,
    /// or one is on an item.
    ///
    /// ## Why
    /// It decides how the document is read.
    ///
    /// ## Example
    /// ```yaml
    /// #@schema/definition data_values=False
    /// ---
    /// a: 1
    /// ```
    ///
    /// ## How to fix
    /// Write `#@schema/match data_values=True` or `#@schema/definition data_values=True`.
    pub static RULE: Rule = Rule {
        code: "proposals/head",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::DocumentHead,
    };
}

pub(crate) fn finding(span: Span, message: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}
