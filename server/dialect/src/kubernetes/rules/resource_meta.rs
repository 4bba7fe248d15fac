use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # The schema of `metadata`, `apiVersion` or `kind` says more than it may
    ///
    /// ## What
    /// `apiVersion` and `kind` are strings and `metadata` is an object, whose schema is known: a definition may
    /// restrict `name` and `generateName` only, and may not set defaults. Resources inside resources
    /// (`x-kubernetes-embedded-resource`) are objects as well.
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
    ///           metadata:
    ///             type: object
    ///             properties:
    ///               labels: {type: object}
    /// ```
    ///
    /// ## How to fix
    /// Remove what the API server knows by itself.
    pub static RULE: Rule = Rule {
        code: "kubernetes/resource-meta",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

/// A finding at this place.
pub(in crate::kubernetes) fn finding(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}
