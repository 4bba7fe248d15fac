use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::Span;

rule! {
    /// # A schema that cannot be read
    ///
    /// ## What
    /// A modeline (`# yaml-language-server: $schema=…`), the key `$schema` or an entry of `[[schemas]]` in
    /// `lofting.toml` names a JSON Schema that is not there: there is no such file, or no folder stands for the URL.
    ///
    /// ## Why
    /// The files that it should govern are checked against no schema.
    ///
    /// ## Example
    /// ```yaml
    /// # yaml-language-server: $schema=../schemas/ap.json
    /// port: 80
    /// ```
    ///
    /// ## How to mend
    /// Write the path of the schema, relative to the file that names it. For a URL, keep a copy of the schema in the
    /// repository and name its folder in `[schemas.mirror]`.
    pub static RULE: Rule = Rule {
        code: "lofting/schema-not-read",
        stage: Stage::Lint,
        severity: Severity::Warning,
    };
}

pub(crate) fn finding(span: Span, schema: &str, problem: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("the schema `{schema}` cannot be read: {problem}"))
}
