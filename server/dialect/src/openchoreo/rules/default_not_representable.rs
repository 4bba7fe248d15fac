use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A number that JSON cannot represent
    ///
    /// ## What
    /// A value is infinite, or not a number.
    ///
    /// ## Why
    /// The schema cannot be stored.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Trait
    /// metadata: {name: sized}
    /// spec:
    ///   schema:
    ///     parameters:
    ///       size: number | default=NaN
    /// ```
    ///
    /// ## How to fix
    /// Give a number.
    pub static RULE: Rule = Rule {
        code: "openchoreo/default-not-representable",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

pub(crate) fn finding(span: Span, value: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("`{value}` cannot be written in JSON, in which schemas are stored"))
}
