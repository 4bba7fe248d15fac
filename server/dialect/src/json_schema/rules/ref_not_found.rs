use lofting_diagnostic::{Diagnostic, Fix, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A reference of a JSON Schema leads nowhere
    ///
    /// ## What
    /// No document with this URI is available, or it has nothing at the place that the reference names, or this is the
    /// schema that the reference is in.
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

/// The finding for a reference to a place that is not in a document; `meant` is the nearest one, and `new` how it is
/// written.
pub(crate) fn nearly(span: Span, to: &str, meant: &str, new: String) -> Diagnostic {
    let finding = finding(span, to, None).help(format!("did you mean `{meant}`?"));
    finding.fix(Fix::replace(format!("Change to `{meant}`"), span, new))
}

/// The finding for a reference to the schema that it is in.
pub(crate) fn to_itself(span: Span, to: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("`{to}` leads to the schema that it is in, and so says nothing"))
}

pub(crate) fn finding(span: Span, to: &str, why: Option<&str>) -> Diagnostic {
    match why {
        Some(why) => Diagnostic::new(&RULE, span, format!("`{to}` cannot be read: {why}")),
        None => Diagnostic::new(&RULE, span, format!("`{to}` leads nowhere")),
    }
}
