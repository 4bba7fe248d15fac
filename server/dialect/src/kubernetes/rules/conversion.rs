use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A conversion of versions that cannot work
    ///
    /// ## What
    /// With `strategy: Webhook`, `webhook.clientConfig` has either `url` or `service`, and `conversionReviewVersions` contains
    /// `v1` or `v1beta1`. With `strategy: None` there is no webhook.
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
    ///           spec: {type: object}
    ///   conversion:
    ///     strategy: Webhook
    /// ```
    ///
    /// ## How to fix
    /// Add what is missing, or use `strategy: None`.
    pub static RULE: Rule = Rule {
        code: "kubernetes/conversion",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

/// A finding at this place.
pub(in crate::kubernetes) fn finding(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}
