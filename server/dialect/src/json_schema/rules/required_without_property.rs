use lofting_diagnostic::{Diagnostic, Fix, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A required key that a JSON Schema does not declare
    ///
    /// ## What
    /// `required` has a name that is not in `properties`, nor in the schemas that look at the same value (`allOf`, `then`,
    /// the target of a `$ref`). Schemas without `properties` of their own are not looked at. It is a warning if the name is
    /// nearly one of `properties`, or if no other keys are allowed.
    ///
    /// ## Why
    /// Most likely the name is misspelt, or a property was renamed or removed: then every value lacks the key. With
    /// `additionalProperties: false` no value can be valid. Nothing is known about the values of such a key.
    ///
    /// ## Example
    /// ```yaml
    /// # schema
    /// type: object
    /// properties:
    ///   name: {type: string}
    /// required: [nmae]
    /// ```
    ///
    /// ## How to fix
    /// Correct the name, or declare the key in `properties`.
    pub static RULE: Rule = Rule {
        code: "json-schema/required-without-property",
        stage: Stage::Lint,
        severity: Severity::Hint,
        shared: true,
    };
}

/// What is known about the schema.
pub(crate) struct About<'a> {
    /// No other keys are allowed.
    pub is_closed: bool,
    /// The declared key that was most likely meant, with the text to write.
    pub meant: Option<(&'a str, String)>,
    /// `properties`.
    pub properties: Span,
}

pub(crate) fn finding(span: Span, name: &str, about: &About<'_>) -> Diagnostic {
    let message = if about.is_closed {
        format!("`{name}` is required, but not allowed: it is not in `properties`")
    } else {
        format!("`{name}` is required, but not declared in `properties`")
    };
    let mut finding = Diagnostic::new(&RULE, span, message).related(about.properties, "the declared keys");
    if about.is_closed || about.meant.is_some() {
        finding.severity = Severity::Warning;
    }
    match &about.meant {
        Some((meant, new)) => finding.help(format!("did you mean `{meant}`?")).fix(Fix::replace(
            format!("Change to `{meant}`"),
            span,
            new.clone(),
        )),
        None => finding,
    }
}
