use lofting_diagnostic::{Cause, Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A custom type that is defined by neither a string nor a map
    ///
    /// ## What
    /// A custom type is a number, a boolean, null or an array.
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
    ///     types:
    ///       Size: 3
    ///     parameters:
    ///       size: Size
    /// ```
    ///
    /// ## How to fix
    /// Write a type, such as `integer`, or a map of fields.
    pub static RULE: Rule = Rule {
        code: "openchoreo/unsupported-type-definition",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::ValueBelow,
    };
}

pub(crate) fn finding(span: Span, name: &str) -> Diagnostic {
    let message = format!("the type `{name}` should be defined by a string, such as `integer`, or by a map of fields");
    Diagnostic::new(&RULE, span, message)
}
