use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # The name of a definition does not match what it declares
    ///
    /// ## What
    /// A `CustomResourceDefinition` is called `PLURAL.GROUP`, after `spec.names.plural` and `spec.group`.
    ///
    /// ## Why
    /// The API server refuses the definition.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: boat.example.com}
    /// spec:
    ///   group: example.com
    ///   names: {kind: Boat, plural: boats}
    ///   scope: Namespaced
    ///   versions:
    ///   - name: v1
    ///     served: true
    ///     storage: true
    ///     schema:
    ///       openAPIV3Schema:
    ///         type: object
    /// ```
    ///
    /// ## How to fix
    /// Use the name that the message gives.
    pub static RULE: Rule = Rule {
        code: "kubernetes/definition-name",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

/// A finding at this place.
pub(in crate::kubernetes) fn finding(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}
