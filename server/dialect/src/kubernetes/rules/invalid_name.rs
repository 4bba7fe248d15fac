use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A name in a definition that Kubernetes does not allow
    ///
    /// ## What
    /// Names of groups, versions and kinds are DNS names: lower-case letters, digits and hyphens, beginning with a letter. A
    /// group is a domain with at least one period; the case of `kind` and `listKind` is free, but they have to differ.
    ///
    /// ## Why
    /// The API server refuses the definition.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: boats.example}
    /// spec:
    ///   group: example
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
    ///           spec: {type: object}
    /// ```
    ///
    /// ## How to fix
    /// Write the name as the message says.
    pub static RULE: Rule = Rule {
        code: "kubernetes/invalid-name",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

/// A finding at this place.
pub(in crate::kubernetes) fn finding(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}
