use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, rule};
use lofting_document::Span;

rule! {
    /// # A schema that cannot be read
    ///
    /// ## What
    /// A modeline (`# yaml-language-server: $schema=…`), the key `$schema` or an entry of `[[schemas]]` in
    /// `lofting.toml` names a JSON Schema that cannot be found: the file does not exist, or no folder is configured for
    /// the URL and it cannot be fetched; or the file is not a schema, is empty or has a syntax error. This is also
    /// reported where an entry names a bundle of schemas (`kubernetes`), and a file of it is needed and cannot be read.
    /// It is also reported, but not as a mistake, when you do not allow it to be fetched, and when an earlier copy is
    /// used because its server does not answer.
    ///
    /// ## Why
    /// The files it should apply to are not checked against any schema.
    ///
    /// ## Example
    /// ```yaml
    /// # yaml-language-server: $schema=../schemas/ap.json
    /// port: 80
    /// ```
    ///
    /// ## How to fix
    /// Write the path of the schema, relative to the file that names it. For a URL, allow its host
    /// (`lofting.fetch.allowedHosts`, `--allow-host`), or keep a copy of the schema in the repository and name its folder
    /// in `[schemas.mirror]`.
    pub static RULE: Rule = Rule {
        code: "lofting/schema-not-read",
        stage: Stage::Lint,
        severity: Severity::Warning,
        cause: Cause::Table,
    };
}

/// A schema that is named somewhere cannot be read.
pub fn finding(span: Span, schema: &str, problem: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("the schema `{schema}` cannot be read: {problem}"))
}

/// Only a part of the schema counts.
pub fn partly(span: Span, schema: &str, problem: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("only a part of the schema `{schema}` can be read: {problem}"))
}

/// An earlier copy of the schema is used.
pub fn outdated(span: Span, schema: &str, problem: &str) -> Diagnostic {
    let message = format!("an earlier copy of the schema `{schema}` is used: {problem}");
    Diagnostic { severity: Severity::Info, ..Diagnostic::new(&RULE, span, message) }
}
