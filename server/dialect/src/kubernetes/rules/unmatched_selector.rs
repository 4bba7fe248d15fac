use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A selector that selects nothing
    ///
    /// ## What
    /// The pods of a workload do not have the labels that its own selector names, which is an error. Or a service is in a
    /// file with workloads, and selects none of them, which is a hint.
    ///
    /// ## Why
    /// The API server refuses a workload that does not select its own pods. A service without pods reaches nothing.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apps/v1
    /// kind: Deployment
    /// metadata: {name: boat}
    /// spec:
    ///   selector:
    ///     matchLabels:
    ///       app: boat
    ///   template:
    ///     metadata:
    ///       labels:
    ///         app: ship
    ///     spec:
    ///       containers: [{name: crew, image: crew:1}]
    /// ```
    ///
    /// ## How to fix
    /// Use the same labels in both places.
    pub static RULE: Rule = Rule {
        code: "kubernetes/unmatched-selector",
        stage: Stage::Validation,
        severity: Severity::Error,
    };
}

/// A workload that does not select its own pods.
pub(in crate::kubernetes) fn refused(span: Span, message: String) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}

/// A service that selects none of the workloads beside it.
pub(in crate::kubernetes) fn finding(span: Span) -> Diagnostic {
    let mut finding = Diagnostic::new(&RULE, span, "no workload in this file has these labels");
    finding.severity = Severity::Hint;
    finding
}
