use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::Span;

rule! {
    /// # A schema that cannot be read
    ///
    /// ## What
    /// A modeline (`# yaml-language-server: $schema=…`), the key `$schema` or an entry of `[[schemas]]` in
    /// `lofting.toml` names a JSON Schema that is not there: there is no such file, or no folder stands for the URL and it
    /// cannot be fetched. That you do not allow to fetch it, and that an earlier copy is used because its server does not
    /// answer, is told as well, but it is no mistake.
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
    /// Write the path of the schema, relative to the file that names it. For a URL, allow its host
    /// (`lofting.fetch.allowedHosts`, `--allow-host`), or keep a copy of the schema in the repository and name its folder
    /// in `[schemas.mirror]`.
    pub static RULE: Rule = Rule {
        code: "lofting/schema-not-read",
        stage: Stage::Lint,
        severity: Severity::Warning,
    };
}

pub(crate) fn finding(span: Span, schema: &str, problem: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("the schema `{schema}` cannot be read: {problem}"))
}

/// An earlier copy of the schema is used.
pub(crate) fn outdated(span: Span, schema: &str, problem: &str) -> Diagnostic {
    let message = format!("an earlier copy of the schema `{schema}` is used: {problem}");
    Diagnostic { severity: Severity::Info, ..Diagnostic::new(&RULE, span, message) }
}
