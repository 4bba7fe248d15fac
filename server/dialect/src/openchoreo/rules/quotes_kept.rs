use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # Double quotes that belong to the value
    ///
    /// ## What
    /// The text in double quotes is not a valid string, because of a backslash or another quote, so the quotes stay.
    ///
    /// ## Why
    /// The value contains quotes that were not meant to be part of it.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Trait
    /// metadata: {name: sized}
    /// spec:
    ///   schema:
    ///     parameters:
    ///       size: 'string | pattern="\d+"'
    /// ```
    ///
    /// ## How to fix
    /// Double the backslash, or use single quotes inside, where a backslash has no special meaning.
    pub static RULE: Rule = Rule {
        code: "openchoreo/quotes-kept",
        stage: Stage::Lint,
        severity: Severity::Warning,
    };
}

pub(crate) fn finding(span: Span) -> Diagnostic {
    Diagnostic::new(
        &RULE,
        span,
        "the quotes stay part of the value, because the text between them has an invalid escape",
    )
    .help("double the backslash, or use single quotes")
}
