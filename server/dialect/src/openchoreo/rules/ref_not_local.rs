use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A reference to something outside the schema
    ///
    /// ## What
    /// Only definitions of the same schema can be referred to, not other files or addresses.
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
    ///         size: {$ref: ./size.json}
    /// ```
    ///
    /// ## How to fix
    /// Copy the definition to `$defs` and refer to it there.
    pub static RULE: Rule = Rule {
        code: "openchoreo/ref-not-local",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

pub(crate) fn finding(span: Span, to: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("`{to}` is not in this schema: only `#/$defs/Name` can be referred to"))
}
