use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A keyword of a schema has a value of the wrong kind
    ///
    /// ## What
    /// The keyword takes a different type of value: `exclusiveMinimum` a boolean, `type` one string.
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
    ///         size: {type: [string, integer]}
    /// ```
    ///
    /// ## How to fix
    /// Write a value of the type that the message names.
    pub static RULE: Rule = Rule {
        code: "openchoreo/openapi-not-decodable",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

pub(crate) fn finding(span: Span, keyword: Option<&str>, expected: &str) -> Diagnostic {
    let message = match keyword {
        Some(keyword) => format!("`{keyword}` should be {expected}"),
        None => format!("a schema should be {expected}"),
    };
    Diagnostic::new(&RULE, span, message)
}
