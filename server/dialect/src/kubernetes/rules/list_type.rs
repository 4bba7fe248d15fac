use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A type of list or map does not fit its schema
    ///
    /// ## What
    /// `x-kubernetes-list-type` belongs to arrays and `x-kubernetes-map-type` to objects. Items of a list of type `map` are
    /// objects with the keys that `x-kubernetes-list-map-keys` names: scalars that are required or have a default. Items of a
    /// set are scalars, or `atomic`.
    ///
    /// ## Why
    /// The API server refuses the definition, because it could not tell items apart.
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
    ///             properties:
    ///               ports:
    ///                 type: array
    ///                 x-kubernetes-list-type: map
    ///                 items:
    ///                   type: object
    ///                   properties:
    ///                     port: {type: integer}
    /// ```
    ///
    /// ## How to fix
    /// Name the keys in `x-kubernetes-list-map-keys` and declare them, or use `x-kubernetes-list-type: atomic`.
    pub static RULE: Rule = Rule {
        code: "kubernetes/list-type",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

/// A finding at this place.
pub(in crate::kubernetes) fn finding(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}
