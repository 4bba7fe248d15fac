use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A map type without its bracket
    ///
    /// ## What
    /// `map[` is not followed by `]`.
    ///
    /// ## Why
    /// The platform refuses the document.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Trait
    /// metadata: {name: sized}
    /// spec:
    ///   schema:
    ///     parameters:
    ///       labels: map[string
    /// ```
    ///
    /// ## How to fix
    /// Write `map<string>` or `map[string]string`.
    pub static RULE: Rule = Rule {
        code: "openchoreo/invalid-map-type",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

pub(crate) fn finding(span: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "a `]` is missing: a map type is `map[string]T` or `map<T>`")
}
