use crate::at::At;
use crate::view::View;
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # Two items of an array are equal
    ///
    /// ## What
    /// The schema requires all items to be different (`uniqueItems`).
    ///
    /// ## Why
    /// An array with repeated items is refused.
    ///
    /// ## Example
    /// ```yaml
    /// # schema
    /// type: object
    /// properties:
    ///   tags: {type: array, uniqueItems: true, items: {type: string}}
    /// # values
    /// tags: [a, a]
    /// ```
    ///
    /// ## How to fix
    /// Remove the second one.
    pub static RULE: Rule = Rule {
        code: "schema/unique-items",
        stage: Stage::Validation,
        severity: Severity::Error,
        shared: true,
    };
}

/// `first` and `second` are the indices of the items, from 0.
pub(crate) fn finding<V: View>(at: &At<'_>, value: V, first: usize, second: usize) -> Diagnostic {
    let message = format!("items {} and {} of {} are equal", first + 1, second + 1, at.subject());
    Diagnostic::new(&RULE, at.value_span(value), message).found("repeated items", "items that all differ")
}
