use crate::openchoreo::shorthand::marker::MarkedType;
use lofting_diagnostic::Rule;
use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A value of `enum` that is not a value of its type
    ///
    /// ## What
    /// One of the values between the commas cannot be read as the type of the field. In `openAPIV3Schema`, one of the values
    /// of `enum` is not of the `type` beside it, which is a warning.
    ///
    /// ## Why
    /// The platform refuses the document; with `openAPIV3Schema`, no value can be the one that is listed.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Trait
    /// metadata: {name: sized}
    /// spec:
    ///   schema:
    ///     parameters:
    ///       size: integer | enum=1,2,many
    /// ```
    ///
    /// ## How to fix
    /// Give values of the type, without spaces after the commas.
    pub static RULE: Rule = Rule {
        code: "openchoreo/invalid-enum-literal",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

pub(crate) fn finding(span: Span, value: &str, kind: MarkedType) -> Diagnostic {
    not_a(&RULE, span, "enum", value, kind)
}

/// The finding for a marker's value that is not a literal of the type.
pub(super) fn not_a(rule: &'static Rule, span: Span, marker: &str, value: &str, kind: MarkedType) -> Diagnostic {
    let (what, help) = match kind {
        MarkedType::Integer => ("an integer", "an integer has digits only, and no quotes"),
        MarkedType::Number => ("a number", "a number has no quotes"),
        MarkedType::Boolean => ("a boolean", "a boolean is `true` or `false`"),
        MarkedType::Array => {
            ("a list in JSON", "a list is written in JSON, with its strings in double quotes: `[\"a\",\"b\"]`")
        }
        MarkedType::Object => ("a map in JSON", "a map is written in JSON, with keys in double quotes: `{\"a\":1}`"),
        MarkedType::String | MarkedType::Unknown => ("a value of the type", ""),
    };
    let message = match value {
        "" => format!("`{marker}` has no value, but should be {what}"),
        _ => format!("`{marker}` should be {what}, but is `{value}`"),
    };
    let finding = Diagnostic::new(rule, span, message);
    if help.is_empty() { finding } else { finding.help(help) }
}

/// The finding for a value of the keyword `enum`, which is `found` but should be of another kind.
pub(crate) fn value(span: Span, found: &str, kind: MarkedType) -> Diagnostic {
    let message = format!("this value of `enum` is {found}, but the type is {}", kind.word());
    let mut finding = Diagnostic::new(&RULE, span, message).help("no value can be this one");
    finding.severity = Severity::Warning;
    finding
}
