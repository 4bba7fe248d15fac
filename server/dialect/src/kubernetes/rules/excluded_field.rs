use lofting_diagnostic::{Cause, Diagnostic, Severity, Stage, Subject, rule};
use lofting_document::Span;

rule! {
    /// # A field that another one excludes
    ///
    /// ## What
    /// A resource of one of Kubernetes' own kinds has two fields of which the server takes only one (`value` and `valueFrom`,
    /// two sources of a volume, `minAvailable` and `maxUnavailable`), or a field that has no place where another one has
    /// this value (`rollingUpdate` with the strategy `Recreate`, `nodePort` in a service of type `ClusterIP`).
    ///
    /// ## Why
    /// The API server refuses the resource.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: policy/v1
    /// kind: PodDisruptionBudget
    /// metadata: {name: boat}
    /// spec:
    ///   minAvailable: 1
    ///   maxUnavailable: 1
    ///   selector:
    ///     matchLabels: {app: boat}
    /// ```
    ///
    /// ## How to fix
    /// Remove one of the fields.
    pub static RULE: Rule = Rule {
        code: "kubernetes/excluded-field",
        stage: Stage::Validation,
        severity: Severity::Error,
        cause: Cause::Compared,
        subject: Subject::Key,
    };
}

pub(in crate::kubernetes) fn finding(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}
