use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A bar that does not separate
    ///
    /// ## What
    /// There is a bar in the middle of a word after the first bar.
    ///
    /// ## Why
    /// It belongs to the value: `default=a|minLength=1` is the default `a|minLength=1`.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Trait
    /// metadata: {name: sized}
    /// spec:
    ///   schema:
    ///     parameters:
    ///       size: string | default=a|minLength=1
    /// ```
    ///
    /// ## How to fix
    /// Put spaces around it, or leave it out: markers are separated by spaces.
    pub static RULE: Rule = Rule {
        code: "openchoreo/bar-in-value",
        stage: Stage::Lint,
        severity: Severity::Warning,
    };
}

pub(crate) fn finding(span: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "the bar belongs to the value: markers are separated by blanks")
}
