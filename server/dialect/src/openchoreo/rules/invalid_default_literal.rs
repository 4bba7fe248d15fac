use super::invalid_enum_literal;
use crate::openchoreo::shorthand::marker::MarkedType;
use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A default that is not a value of its type
    ///
    /// ## What
    /// The value of `default` cannot be read as the type of the field.
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
    ///       size: integer | default=many
    /// ```
    ///
    /// ## How to fix
    /// Give a value of the type. Arrays and maps are written in JSON: `default=["a"]`.
    pub static RULE: Rule = Rule {
        code: "openchoreo/invalid-default-literal",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

pub(crate) fn finding(span: Span, value: &str, kind: MarkedType) -> Diagnostic {
    invalid_enum_literal::not_a(&RULE, span, "default", value, kind)
}
