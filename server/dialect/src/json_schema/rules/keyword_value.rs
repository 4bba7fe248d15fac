use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A keyword of a JSON Schema has a value of the wrong kind
    ///
    /// ## What
    /// The keyword takes another type of value: `required` a list of names, `minLength` an integer.
    ///
    /// ## Why
    /// The keyword then has no effect, and values that it was meant to refuse are accepted.
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
    /// Write a value of the type that the message names.
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
    Diagnostic::new(&RULE, span, message)
}
