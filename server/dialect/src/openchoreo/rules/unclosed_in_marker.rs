use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A quote or bracket that is not closed
    ///
    /// ## What
    /// A quote or bracket is opened in a marker and not closed before the end of the text.
    ///
    /// ## Why
    /// Everything after it, including other markers, silently becomes part of this value.
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
    /// ## How to fix
    /// Close it. Inside quotes, a backslash escapes the next character.
    pub static RULE: Rule = Rule {
        code: "openchoreo/unclosed-in-marker",
        stage: Stage::Lint,
        severity: Severity::Warning,
    };
}

pub(crate) fn finding(span: Span, sign: char) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("this `{sign}` is not closed: everything after it belongs to the value"))
}
