use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Subject, rule};
use lofting_document::Span;

rule! {
    /// # A key that templates cannot read
    ///
    /// ## What
    /// A key of the final data values is a number, a boolean or null. Found by `lofting check --render`.
    ///
    /// ## Why
    /// Templates read data values as structs, whose fields have names. ytt crashes as soon as it evaluates a
    /// template with such values.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values-schema
    /// ---
    /// ports:
    ///   80: http
    /// ```
    ///
    /// ## How to fix
    /// Put the key in quotes.
    pub static RULE: Rule = Rule {
        code: "ytt/data-values-key",
        stage: Stage::Template,
        severity: Severity::Error,
        subject: Subject::Key,
    };
}

/// A key of the final data values is not a string.
pub fn finding(span: Span, key: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("templates cannot read the key {key}: ytt crashes unless keys are strings"))
        .help("put the key in quotes")
}
