use crate::{Diagnostic, Fix, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::Span;

rule! {
    /// # A modeline that names no schema
    ///
    /// ## What
    /// A comment at the top of the file names its schema (`#! lofting: schema=PATH`), but there is no such file, or it
    /// has no `#@data/values-schema` document. It is a hint if the comment is only nearly one that names a schema
    /// (`# yaml-language-server: schema=PATH`).
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

/// A modeline names a schema that cannot be used. `comment` is the line up to the name, if the file that it names may
/// be a JSON Schema.
pub fn finding(span: Span, schema: &str, problem: &str, comment: Option<Span>) -> Diagnostic {
    let finding = Diagnostic::new(&RULE, span, format!("`{schema}` cannot be used as schema: {problem}"));
    let finding = finding.help(
        "write the path of a file with a `#@data/values-schema` document, relative to this file; a JSON Schema is named by \
         `# yaml-language-server: $schema=PATH`",
    );
    comment.into_iter().fold(finding, |finding, comment| {
        let new = format!("# yaml-language-server: $schema={schema}");
        finding.fix(Fix::replace("Name it as a JSON Schema", comment, new).possible())
    })
}

/// A comment that no server reads, and that was most likely meant to be `meant`.
pub fn nearly(span: Span, meant: Option<&str>) -> Diagnostic {
    let mut finding = Diagnostic::new(&RULE, span, "this comment names no schema");
    finding.severity = Severity::Hint;
    match meant {
        Some(meant) => {
            finding.help(format!("did you mean `{meant}`?")).fix(Fix::replace("Write the comment so", span, meant))
        }
        None => finding.help("a schema is named by `# yaml-language-server: $schema=PATH`"),
    }
}
