use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # The schema of a definition is not structural
    ///
    /// ## What
    /// The schema of a custom resource says the type of everything in it, outside `allOf`, `anyOf`, `oneOf` and `not`.
    /// What these contain only restricts values: no types, no defaults, no descriptions, and in those of the whole
    /// resource no keys that the schema does not declare elsewhere.
    ///
    /// ## Why
    /// The API server removes undeclared keys and adds defaults by the structure of the schema, and refuses a definition whose
    /// structure is not clear.
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
    ///             properties:
    ///               size: {type: integer}
    /// ```
    ///
    /// ## How to fix
    /// Add the missing `type`, `items` or property, or move the keyword out of the alternative.
    pub static RULE: Rule = Rule {
        code: "kubernetes/not-structural",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

/// A finding at this place.
pub(in crate::kubernetes) fn finding(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}
