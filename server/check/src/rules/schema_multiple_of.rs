use super::bounds;
use crate::values::At;
use crate::view::View;
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # A number is no multiple of what its schema says
    ///
    /// ## What
    /// The schema allows only multiples of a number (`multipleOf`).
    ///
    /// ## Why
    /// Whoever reads the values refuses others.
    ///
    /// ## Example
    /// ```yaml
    /// # schema
    /// type: object
    /// properties:
    ///   size: {type: integer, multipleOf: 4}
    /// # values
    /// size: 6
    /// ```
    ///
    /// ## How to mend
    /// Give a multiple.
    pub static RULE: Rule = Rule {
        code: "schema/multiple-of",
        stage: Stage::Validation,
        severity: Severity::Error,
        shared: true,
    };
}

pub(crate) fn finding<V: View>(at: &At<'_>, value: V, factor: f64) -> Diagnostic {
    let message = format!("{} should be a multiple of {factor}, but is {}", at.subject(), bounds::plain(value));
    Diagnostic::new(&RULE, at.value_span(value), message).found(bounds::plain(value), format!("a multiple of {factor}"))
}
