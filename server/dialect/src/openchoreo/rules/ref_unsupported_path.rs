use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A reference to something that is not a definition
    ///
    /// ## What
    /// Only `#/$defs/Name` can be referred to: no other location, and nothing inside a definition.
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
    ///       definitions: {Size: {type: integer}}
    ///       properties:
    ///         size: {$ref: "#/definitions/Size"}
    /// ```
    ///
    /// ## How to fix
    /// Move the target into `$defs`.
    pub static RULE: Rule = Rule {
        code: "openchoreo/ref-unsupported-path",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

pub(crate) fn finding(span: Span, to: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("`{to}` is not a definition: only `#/$defs/Name` can be referred to"))
}
