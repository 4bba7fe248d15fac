use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # Double quotes that belong to the value
    ///
    /// ## What
    /// What stands between double quotes is no sound text, because of a backslash or a further quote, so that the
    /// quotes stay.
    ///
    /// ## Why
    /// The value has quotes in it that nobody means.
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
    /// ## How to mend
    /// Double the backslash, or use single quotes inside, in which a backslash is nothing special.
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
