use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A reference of a JSON Schema leads nowhere
    ///
    /// ## What
    /// There is no document of this URI at hand, or nothing at the place in it that the reference names.
    ///
    /// ## Why
    /// What the schema says at this place is not known: every value is accepted there.
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
    /// ## How to mend
    /// Correct the reference. Documents of other places are read from a folder that is named for their URLs.
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
