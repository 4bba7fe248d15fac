use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A declaration of a rule that the API server refuses
    ///
    /// ## What
    /// An entry of `x-kubernetes-validations` has a `rule` that is not empty, a `message` without line breaks, and needs a
    /// `message` where the rule has several lines.
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
    ///             x-kubernetes-validations:
    ///             - {rule: "true", message: " "}
    /// ```
    ///
    /// ## How to fix
    /// Write what is missing on one line.
    pub static RULE: Rule = Rule {
        code: "kubernetes/rule-declaration",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

/// A finding at this place.
pub(in crate::kubernetes) fn finding(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}
