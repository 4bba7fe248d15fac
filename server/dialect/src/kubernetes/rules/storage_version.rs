use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # Not exactly one version of a definition is stored
    ///
    /// ## What
    /// Exactly one version has `storage: true`: the one in which resources are stored.
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
    ///     storage: false
    ///     schema:
    ///       openAPIV3Schema:
    ///         type: object
    ///         properties:
    ///           spec: {type: object}
    /// ```
    ///
    /// ## How to fix
    /// Set `storage: true` for one version and `storage: false` for all others.
    pub static RULE: Rule = Rule {
        code: "kubernetes/storage-version",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

/// A finding at this place.
pub(in crate::kubernetes) fn finding(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}
