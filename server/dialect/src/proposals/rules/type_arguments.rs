use lofting_diagnostic::{Cause, Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # The types of a node cannot be read
    ///
    /// ## What
    /// `@schema/type` names a type that does not exist, none at all, or another type next to `any`.
    ///
    /// ## Why
    /// Values of the node cannot be checked.
    ///
    /// ## Example
    /// ```yaml
    /// #@schema/definition data_values=True
    /// ---
    /// #@schema/type one_of=["integer"]
    /// a: 1
    /// ```
    ///
    /// ## How to fix
    /// Use the types `string`, `float`, `int`, `bool`, `null` and `any`; describe maps and arrays by the value, with
    /// `or_inferred=True`.
    pub static RULE: Rule = Rule {
        code: "proposals/type-arguments",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::RelatedPlace,
    };
}

pub(crate) fn finding(span: Span, message: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}
