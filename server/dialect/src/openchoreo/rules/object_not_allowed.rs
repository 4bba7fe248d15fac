use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # The word `object` as a type
    ///
    /// ## What
    /// A definition has the type `object`.
    ///
    /// ## Why
    /// The platform refuses the document. The word says nothing about the fields.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Trait
    /// metadata: {name: sized}
    /// spec:
    ///   schema:
    ///     parameters:
    ///       labels: object
    /// ```
    ///
    /// ## How to fix
    /// Write the fields below it, as a nested map, or `map<string>` if any key is allowed.
    pub static RULE: Rule = Rule {
        code: "openchoreo/object-not-allowed",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

pub(crate) fn finding(span: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "`object` is not a type here")
        .help("write the fields as a nested map, or `map<string>` where keys are free")
}
