use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A keyword of a JSON Schema has a value that it cannot have
    ///
    /// ## What
    /// The keyword takes a different type of value: `required` an array of names, `minLength` an integer that is at
    /// least 0, `type` the names of types, `pattern` a regular expression. It is an error if `$schema` names the draft,
    /// whose meta-schema says so.
    ///
    /// ## Why
    /// Some programs refuse the schema. For others the keyword has no effect, and values that it was meant to refuse are
    /// accepted.
    ///
    /// ## Example
    /// ```yaml
    /// # schema
    /// type: object
    /// properties:
    ///   name: {type: string, minLength: one}
    /// ```
    ///
    /// ## How to fix
    /// Write a value of the kind that the message names.
    pub static RULE: Rule = Rule {
        code: "json-schema/keyword-value",
        stage: Stage::Schema,
        severity: Severity::Warning,
    };
}

pub(crate) fn finding(span: Span, keyword: Option<&str>, expected: &str) -> Diagnostic {
    let message = match keyword {
        Some(keyword) => format!("`{keyword}` should be {expected}"),
        None => "a schema should be a map or a boolean".to_owned(),
    };
    of(span, message)
}

/// A finding with this message.
pub(crate) fn of(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}
