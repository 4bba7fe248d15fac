use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # An example that becomes a boolean
    ///
    /// ## What
    /// `example` is a word that is read as a boolean rather than as a number or a string: `1`, `0`, `t`, `F` and the
    /// like.
    ///
    /// ## Why
    /// The schema shows `true` or `false` as an example.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Trait
    /// metadata: {name: sized}
    /// spec:
    ///   schema:
    ///     parameters:
    ///       size: integer | example=1
    /// ```
    ///
    /// ## How to fix
    /// Use another example.
    pub static RULE: Rule = Rule {
        code: "openchoreo/example-becomes-boolean",
        stage: Stage::Lint,
        severity: Severity::Warning,
    };
}

pub(crate) fn finding(span: Span, value: &str, becomes: bool) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("the example `{value}` becomes the boolean {becomes}"))
}
