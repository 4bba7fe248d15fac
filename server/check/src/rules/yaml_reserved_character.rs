//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # A value that begins with a reserved character
    ///
    /// ## What
    /// The value begins with `@`, a backquote or `%`.
    ///
    /// ## Why
    /// YAML keeps these characters for later versions.
    ///
    /// ## Example
    /// ```yaml
    /// name: @web
    /// ```
    ///
    /// ## How to fix
    /// Put the value in quotes.
    pub static RULE: Rule = Rule {
        code: "yaml/reserved-character",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}
