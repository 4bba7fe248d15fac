use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, Tag, rule};
use lofting_document::Span;

rule! {
    /// # A pattern that matches no file
    ///
    /// ## What
    /// An entry of `[[schemas]]` in `lofting.toml` is for files that match a pattern, and there are none. Only patterns
    /// for YAML files are looked at. Files that git ignores and hidden ones count as unknown, and patterns for them are
    /// not reported.
    ///
    /// ## Why
    /// The files that it was written for are not checked: they were renamed or moved.
    ///
    /// ## Example
    /// ```toml
    /// [[schemas]]
    /// path = "schemas/app.json"
    /// files = ["aps/*.yml"]
    /// ```
    ///
    /// ## How to fix
    /// Correct the pattern, which is relative to the folder of `lofting.toml`, or remove it.
    pub static RULE: Rule = Rule {
        code: "lofting/unused-pattern",
        stage: Stage::Lint,
        severity: Severity::Hint,
        cause: Cause::Table,
    };
}

/// A pattern of `[[schemas]]` that matches no file. `meant` is one that does.
pub fn finding(span: Span, pattern: &str, meant: Option<&str>) -> Diagnostic {
    let finding = Diagnostic::new(&RULE, span, format!("no file matches `{pattern}`")).tag(Tag::Unnecessary);
    match meant {
        Some(meant) => finding.help(format!("did you mean `{meant}`?")),
        None => finding,
    }
}
