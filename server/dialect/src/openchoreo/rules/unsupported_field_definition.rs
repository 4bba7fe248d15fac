use lofting_diagnostic::{Cause, Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A field that is defined by neither a string nor a map
    ///
    /// ## What
    /// A field is a number, a boolean, null or an array.
    ///
    /// ## Why
    /// The platform refuses the document. A definition is a string, such as `string | default=x`, or a map of further
    /// fields.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Trait
    /// metadata: {name: sized}
    /// spec:
    ///   schema:
    ///     parameters:
    ///       replicas: 3
    /// ```
    ///
    /// ## How to fix
    /// Write the type; the current value may be the default: `integer | default=3`.
    pub static RULE: Rule = Rule {
        code: "openchoreo/unsupported-field-definition",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::ValueBelow,
    };
}

pub(crate) fn finding(span: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "a field is defined by a string, such as `integer`, or by a map of further fields")
}
