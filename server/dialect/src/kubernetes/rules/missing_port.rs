use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # The name of a port that does not exist
    ///
    /// ## What
    /// A probe or an event of a container names a port that the container does not declare, or a service has a `targetPort`
    /// that none of the pods it selects declares. Services are compared with the workloads in the same file.
    ///
    /// ## Why
    /// The API server accepts it, but the probe fails, or the service reaches nothing.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: v1
    /// kind: Pod
    /// metadata: {name: boat}
    /// spec:
    ///   containers:
    ///   - name: crew
    ///     image: crew:1
    ///     ports:
    ///     - name: http
    ///       containerPort: 8080
    ///     readinessProbe:
    ///       httpGet:
    ///         path: /
    ///         port: htpt
    /// ```
    ///
    /// ## How to fix
    /// Correct the name, or give the port this name.
    pub static RULE: Rule = Rule {
        code: "kubernetes/missing-port",
        stage: Stage::Lint,
        severity: Severity::Warning,
    };
}

/// `whose` says which ports there are, as the beginning of a sentence; `meant` is the most similar name.
pub(in crate::kubernetes) fn finding(span: Span, name: &str, whose: &str, meant: Option<&str>) -> Diagnostic {
    let finding = Diagnostic::new(&RULE, span, format!("{whose} no port `{name}`"));
    match meant {
        Some(meant) => finding.meant(span, meant),
        None => finding,
    }
}
