use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # Bounds that no value can satisfy
    ///
    /// ## What
    /// A maximum is below the minimum, a length is negative, or a factor is not above 0.
    ///
    /// ## Why
    /// Every value is refused.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Trait
    /// metadata: {name: sized}
    /// spec:
    ///   schema:
    ///     parameters:
    ///       size: integer | minimum=5 maximum=3
    /// ```
    ///
    /// ## How to fix
    /// Correct one of the bounds.
    pub static RULE: Rule = Rule {
        code: "openchoreo/impossible-range",
        stage: Stage::Lint,
        severity: Severity::Warning,
    };
}

pub(crate) fn finding(span: Span, why: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, why)
}
