use lofting_diagnostic::{Cause, Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A field that the API server requires
    ///
    /// ## What
    /// A resource of one of Kubernetes' own kinds lacks something that the server's own code requires, although the schema of
    /// the kind does not: the image of a container, the ports of a service, the one action of a probe, the keys of a
    /// `kubernetes.io/tls` secret.
    ///
    /// ## Why
    /// The API server refuses the resource.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Service
    /// metadata: {name: boat}
    /// spec:
    ///   selector: {app: boat}
    ///   ports:
    ///   - port: 80
    ///   - port: 443
    ///     name: https
    /// ```
    ///
    /// ## How to fix
    /// Add what the message names.
    pub static RULE: Rule = Rule {
        code: "kubernetes/required-field",
        stage: Stage::Validation,
        severity: Severity::Error,
        cause: Cause::Inside,
    };
}

pub(in crate::kubernetes) fn finding(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}
