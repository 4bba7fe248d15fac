use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # The schema of a resource has something that only schemas of its parts can have
    ///
    /// ## What
    /// The schema of a version describes a whole resource: its type is `object`, it is not nullable, and it declares its keys in
    /// `properties`. Where the status is a subresource, alternatives and bounds of the whole are not allowed either.
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
    ///         type: string
    /// ```
    ///
    /// ## How to fix
    /// Set `type: object`, and move the keyword into the schema of `spec`.
    pub static RULE: Rule = Rule {
        code: "kubernetes/root-schema",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

/// A finding at this place.
pub(in crate::kubernetes) fn finding(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}
