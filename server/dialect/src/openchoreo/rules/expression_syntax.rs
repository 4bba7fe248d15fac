use lofting_diagnostic::{Cause, Diagnostic, Said, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # An expression that cannot be read
    ///
    /// ## What
    /// The text between `${` and `}` is not a valid CEL expression. Where the `}` is missing, the platform uses the
    /// text as it is, and the finding is a warning.
    ///
    /// ## Why
    /// The platform refuses the document.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: ComponentType
    /// metadata: {name: web}
    /// spec:
    ///   workloadType: deployment
    ///   resources:
    ///   - id: deployment
    ///     template:
    ///       replicas: ${parameters.replicas +}
    /// ```
    ///
    /// ## How to fix
    /// Complete the expression where the finding is shown, or write the `}`.
    pub static RULE: Rule = Rule {
        code: "openchoreo/expression-syntax",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::SameText,
        instead_of: &[Said::Value("pattern")],
    };
}

pub(crate) fn finding(span: Span, message: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}

/// The finding for `${` without its `}`.
pub(crate) fn unclosed(span: Span) -> Diagnostic {
    let message = "this `${` is not closed, so it is plain text instead of an expression";
    let mut finding = Diagnostic::new(&RULE, span, message).help("write `}` after the expression");
    finding.severity = Severity::Warning;
    finding
}
