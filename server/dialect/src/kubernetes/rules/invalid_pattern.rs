use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A regular expression that the API server cannot read
    ///
    /// ## What
    /// `pattern` is a regular expression of RE2, which has no look-around and no back-references, and counts of at most 1000.
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
    ///             properties:
    ///               name: {type: string, pattern: "(?=a)b"}
    /// ```
    ///
    /// ## How to fix
    /// Write it without look-around and back-references.
    pub static RULE: Rule = Rule {
        code: "kubernetes/invalid-pattern",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

/// A finding at this place.
pub(in crate::kubernetes) fn finding(span: Span, message: String) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}
