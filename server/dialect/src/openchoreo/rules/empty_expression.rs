use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A definition without a type
    ///
    /// ## What
    /// The string that defines a field or a custom type is empty.
    ///
    /// ## Why
    /// The platform refuses the document.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Trait
    /// metadata: {name: sized}
    /// spec:
    ///   schema:
    ///     parameters:
    ///       replicas: ""
    /// ```
    ///
    /// ## How to fix
    /// Write a type, such as `string`.
    pub static RULE: Rule = Rule {
        code: "openchoreo/empty-expression",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

pub(crate) fn finding(span: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "a type is missing, such as `string`, `integer` or `[]string`")
}
