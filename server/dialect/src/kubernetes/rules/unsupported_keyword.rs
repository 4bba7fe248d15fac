use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A keyword that schemas of custom resources cannot have
    ///
    /// ## What
    /// Some keywords of JSON Schema are decoded and then refused: `$ref`, `definitions`, `patternProperties`, `dependencies`,
    /// `additionalItems`, `id`, and `uniqueItems: true`.
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
    ///     schema:
    ///       openAPIV3Schema:
    ///         type: object
    ///         properties:
    ///           spec:
    ///             type: object
    ///             patternProperties:
    ///               ^x-: {type: string}
    /// ```
    ///
    /// ## How to fix
    /// Express it otherwise: `x-kubernetes-list-type: set` instead of `uniqueItems`, `additionalProperties` instead of
    /// `patternProperties`, the schema itself instead of a `$ref`.
    pub static RULE: Rule = Rule {
        code: "kubernetes/unsupported-keyword",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

/// A finding at this place.
pub(in crate::kubernetes) fn finding(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}
