use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::Span;

rule! {
    /// # A modeline that names no schema
    ///
    /// ## What
    /// A comment at the top of the file names its schema (`#! lofting: schema=PATH`), but there is no such file, or it
    /// has no `#@data/values-schema` document.
    ///
    /// ## Why
    /// The file is not checked against any schema.
    ///
    /// ## Example
    /// ```yaml
    /// #! lofting: schema=../shema.yml
    /// port: 80
    /// ```
    ///
    /// ## How to fix
    /// Write the path of the schema file relative to this file or to the workspace folder.
    pub static RULE: Rule = Rule {
        code: "lofting/modeline",
        stage: Stage::Lint,
        severity: Severity::Warning,
    };
}

/// A modeline names a schema that cannot be used.
pub fn finding(span: Span, schema: &str, problem: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("`{schema}` cannot be used as schema: {problem}"))
        .help(
        "write the path of a file with a `#@data/values-schema` document, relative to this file; a JSON Schema is named by \
         `# yaml-language-server: $schema=PATH`",
    )
}
