use lofting_diagnostic::{Cause, Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A value in the schema has none of the types listed for it
    ///
    /// ## What
    /// `@schema/type` lists the types of the node, and its own value is of another.
    ///
    /// ## Why
    /// The value is the default: it would be refused.
    ///
    /// ## Example
    /// ```yaml
    /// #@schema/definition data_values=True
    /// ---
    /// #@schema/type one_of=["int"]
    /// a: some
    /// ```
    ///
    /// ## How to fix
    /// Change the value, add its type to the list, or write `or_inferred=True`.
    pub static RULE: Rule = Rule {
        code: "proposals/type-excludes-value",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::RelatedPlace,
    };
}

pub(crate) fn finding(span: Span, message: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}
