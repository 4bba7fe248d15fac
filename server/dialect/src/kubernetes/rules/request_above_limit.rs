use lofting_diagnostic::{Cause, Diagnostic, Fix, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A request above its limit
    ///
    /// ## What
    /// A container requests more of a resource than its limit allows, or less of one that cannot be overcommitted, such as
    /// `hugepages-2Mi` or `example.com/gpu`.
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
    ///   containers:
    ///   - name: crew
    ///     image: crew:1
    ///     resources:
    ///       requests: {memory: 1Gi}
    ///       limits: {memory: 512Mi}
    /// ```
    ///
    /// ## How to fix
    /// Raise the limit, or request less.
    pub static RULE: Rule = Rule {
        code: "kubernetes/request-above-limit",
        stage: Stage::Validation,
        severity: Severity::Error,
        cause: Cause::Compared,
    };
}

/// `requested` is the text of the request.
pub(in crate::kubernetes) fn finding(
    span: Span,
    limit: Span,
    message: impl Into<String>,
    requested: &str,
) -> Diagnostic {
    let fix = Fix::replace(format!("Set the limit to `{requested}`"), limit, requested).possible();
    Diagnostic::new(&RULE, span, message).related(limit, "the limit").fix(fix)
}
