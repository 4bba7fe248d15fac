//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # A line between two levels
    ///
    /// ## What
    /// The line is indented neither like its neighbours nor like a line above them.
    ///
    /// ## Why
    /// Only the indentation shows what a line belongs to, and here it fits nothing.
    ///
    /// ## Example
    /// ```yaml
    /// service:
    ///     port: 80
    ///   name: web
    /// ```
    ///
    /// ## How to fix
    /// Move the line to the column of the lines it belongs to.
    pub static RULE: Rule = Rule {
        code: "yaml/bad-indentation",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}
