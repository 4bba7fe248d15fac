use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A regular expression that cannot be read
    ///
    /// ## What
    /// `pattern` is not a regular expression of RE2, which has no look-around and no back-references.
    ///
    /// ## Why
    /// Every value of the field is refused.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Trait
    /// metadata: {name: sized}
    /// spec:
    ///   schema:
    ///     parameters:
    ///       size: string | pattern="(?=a)"
    /// ```
    ///
    /// ## How to fix
    /// Write it without look-around and back-references.
    pub static RULE: Rule = Rule {
        code: "openchoreo/invalid-pattern",
        stage: Stage::Lint,
        severity: Severity::Warning,
    };
}

pub(crate) fn finding(span: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "this regular expression cannot be read, so that every value is refused")
        .help("RE2 has no look-around and no back-references")
}
