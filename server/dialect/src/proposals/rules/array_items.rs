use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # An array of a schema has several items
    ///
    /// ## What
    /// The array has more than one item.
    ///
    /// ## Why
    /// Its only item defines the type of all items.
    ///
    /// ## Example
    /// ```yaml
    /// #@schema/definition data_values=True
    /// ---
    /// hosts:
    /// - a
    /// - b
    /// ```
    ///
    /// ## How to fix
    /// Keep one item, and give the others as a default: `#@schema/default ["a", "b"]`.
    pub static RULE: Rule = Rule {
        code: "proposals/array-items",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

pub(crate) fn finding(name: Span) -> Diagnostic {
    Diagnostic::new(&RULE, name, "an array in a schema has one item, which declares the type of all items")
}
