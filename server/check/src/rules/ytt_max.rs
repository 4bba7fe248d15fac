use super::bounds::{self, Way};
use crate::at::At;
use crate::view::View;
use crate::{Diagnostic, Severity, Stage, words};
use lofting_diagnostic::rule;
use lofting_document::Node;
use lofting_schema::compare::Compared;

rule! {
    /// # A value is larger than its schema allows
    ///
    /// ## What
    /// The value is above the limit that its schema gives.
    ///
    /// ## Why in ytt
    /// `max=` in `#@schema/validation` is the limit. ytt checks the final values and refuses them, but only after everything
    /// else is right.
    ///
    /// ## Why in JSON Schema
    /// `maximum` or `exclusiveMaximum` is the limit. Whatever reads the value refuses it, or does not expect it.
    ///
    /// ## Example in ytt
    /// ```yaml
    /// #! schema
    /// #@schema/validation max=10
    /// replicas: 1
    /// #! values
    /// replicas: 100
    /// ```
    ///
    /// ## Example in JSON Schema
    /// ```yaml
    /// # schema
    /// type: object
    /// properties:
    ///   replicas: {type: integer, maximum: 10}
    /// # values
    /// replicas: 100
    /// ```
    ///
    /// ## How to fix
    /// Give a value that is equal to the limit or below it.
    pub static RULE: Rule = Rule {
        code: "ytt/max",
        stage: Stage::Validation,
        severity: Severity::Error,
        shared: true,
    };
}

pub(crate) fn finding<V: View>(at: &At<'_>, value: V, most: &Node, compared: Compared, exclusive: bool) -> Diagnostic {
    let (words, sign) = if exclusive { ("less than", "<") } else { ("at most", "<=") };
    let shown = words::spelled_bare(at.notation(), most);
    let message = bounds::message(at, value, compared, &format!("{words} {shown}"));
    let found = bounds::compared_found(at, value, most, compared, '>');
    let expected = if at.speaks_ytt() {
        format!("a value {sign} {}", words::spelled(at.notation(), most))
    } else {
        format!("{words} {shown}")
    };
    let finding = Diagnostic::new(&RULE, at.value_span(value), message).found(found, expected);
    bounds::with_nearest(finding, value, &most.value, exclusive, Way::Down)
}
