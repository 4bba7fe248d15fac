use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A path in a definition does not lead to a field
    ///
    /// ## What
    /// Paths begin with a period: `.spec.replicas`. Selectable fields and `fieldPath` of rules lead to fields of the schema,
    /// `specReplicasPath` below `.spec` and `statusReplicasPath` below `.status`.
    ///
    /// ## Why
    /// The API server refuses the definition.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: boats.example.com}
    /// spec:
    ///   group: example.com
    ///   names: {kind: Boat, plural: boats}
    ///   scope: Namespaced
    ///   versions:
    ///   - name: v1
    ///     served: true
    ///     storage: true
    ///     selectableFields:
    ///     - jsonPath: .spec.colour
    ///     schema:
    ///       openAPIV3Schema:
    ///         type: object
    ///         properties:
    ///           spec: {type: object}
    /// ```
    ///
    /// ## How to fix
    /// Write the path of a field that the schema declares.
    pub static RULE: Rule = Rule {
        code: "kubernetes/field-path",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

/// A finding at this place.
pub(in crate::kubernetes) fn finding(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}
