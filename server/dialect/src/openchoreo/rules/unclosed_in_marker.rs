use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A quote or bracket that nothing closes
    ///
    /// ## What
    /// A quote or bracket is opened in a marker and not closed before the end of the text.
    ///
    /// ## Why
    /// All that follows becomes part of this value, other markers as well, and nobody complains.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Trait
    /// metadata: {name: sized}
    /// spec:
    ///   schema:
    ///     parameters:
    ///       size: string | default={small minLength=3
    /// ```
    ///
    /// ## How to mend
    /// Close it. A backslash in quotes takes the meaning from the next character.
    pub static RULE: Rule = Rule {
        code: "openchoreo/unclosed-in-marker",
        stage: Stage::Lint,
        severity: Severity::Warning,
    };
}

pub(crate) fn finding(span: Span, sign: char) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("this `{sign}` is not closed: everything after it belongs to the value"))
}
