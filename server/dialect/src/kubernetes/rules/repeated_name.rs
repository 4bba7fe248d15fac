use lofting_diagnostic::{Cause, Diagnostic, Said, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A name that is taken
    ///
    /// ## What
    /// Two parts of a resource have the same name, path or port, where the server's own code tells them apart by it: the
    /// containers of a pod, also those that run first, its volumes, the mounts of a container, the ports of a service.
    ///
    /// ## Why
    /// The API server refuses the resource.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: boat}
    /// spec:
    ///   initContainers:
    ///   - name: crew
    ///     image: crew:1
    ///   containers:
    ///   - name: crew
    ///     image: crew:2
    /// ```
    ///
    /// ## How to fix
    /// Give one of them another name.
    pub static RULE: Rule = Rule {
        code: "kubernetes/repeated-name",
        stage: Stage::Validation,
        severity: Severity::Error,
        cause: Cause::Compared,
        instead_of: &[Said::Value("repeated-item")],
    };
}

pub(in crate::kubernetes) fn finding(span: Span, first: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&RULE, span, message).related(first, "it is here first")
}
