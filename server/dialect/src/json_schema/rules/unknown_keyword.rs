use lofting_diagnostic::{Diagnostic, Fix, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A word that is nearly a keyword of JSON Schema
    ///
    /// ## What
    /// No draft has this keyword, but one has a keyword that is spelt almost the same. The same goes for the names of
    /// formats. Keywords that resemble none are not reported, because anyone may add their own.
    ///
    /// ## Why
    /// Unknown keywords and formats are ignored, so values that they were meant to refuse are accepted.
    ///
    /// ## Example
    /// ```yaml
    /// # schema
    /// type: object
    /// properties:
    ///   name: {type: string, minLenght: 1}
    /// ```
    ///
    /// ## How to fix
    /// Write the keyword that the message names.
    pub static RULE: Rule = Rule {
        code: "json-schema/unknown-keyword",
        stage: Stage::Schema,
        severity: Severity::Warning,
    };
}

/// The finding for a word; `new` is the keyword as it is written in its place.
pub(crate) fn finding(span: Span, word: &str, meant: &str, new: String) -> Diagnostic {
    of(span, format!("JSON Schema has no keyword `{word}`"), meant, new)
}

/// The finding for the name of a format.
pub(crate) fn format(span: Span, word: &str, meant: &str, new: String) -> Diagnostic {
    of(span, format!("JSON Schema has no format `{word}`"), meant, new)
}

fn of(span: Span, message: String, meant: &str, new: String) -> Diagnostic {
    let finding = Diagnostic::new(&RULE, span, message).help(format!("did you mean `{meant}`?"));
    finding.fix(Fix::replace(format!("Change to `{meant}`"), span, new))
}
