use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A reference of a JSON Schema leads nowhere
    ///
    /// ## What
    /// No document with this URI is available, or it has nothing at the place that the reference names.
    ///
    /// ## Why
    /// What the schema says here is not known, so every value is accepted.
    ///
    /// ## Example
    /// ```yaml
    /// # schema
    /// definitions:
    ///   size: {type: integer}
    /// properties:
    ///   size: {$ref: "#/definitions/sise"}
    /// ```
    ///
    /// ## How to fix
    /// Correct the reference. Documents from elsewhere are read from the folder that is configured for their URLs.
    pub static RULE: Rule = Rule {
        code: "json-schema/ref-not-found",
        stage: Stage::Schema,
        severity: Severity::Warning,
    };
}

pub(crate) fn finding(span: Span, to: &str, why: Option<&str>) -> Diagnostic {
    match why {
        Some(why) => Diagnostic::new(&RULE, span, format!("`{to}` cannot be read: {why}")),
        None => Diagnostic::new(&RULE, span, format!("`{to}` leads nowhere")),
    }
}
