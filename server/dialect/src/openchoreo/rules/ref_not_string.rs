use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A reference is not a string
    ///
    /// ## What
    /// `$ref` takes the path of a definition, as a string.
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
    ///   parameters:
    ///     openAPIV3Schema:
    ///       type: object
    ///       properties:
    ///         size: {$ref: 5}
    /// ```
    ///
    /// ## How to fix
    /// Write the path of a definition: `"#/$defs/Name"`.
    pub static RULE: Rule = Rule {
        code: "openchoreo/ref-not-string",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

pub(crate) fn finding(span: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "`$ref` should be a string")
}
