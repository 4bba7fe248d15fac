//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # A comment without a space before it
    ///
    /// ## What
    /// `#` directly follows a quoted string or a bracket.
    ///
    /// ## Why
    /// YAML reads `#` as a comment only after a space.
    ///
    /// ## Example
    /// ```yaml
    /// name: "web"#server
    /// ```
    ///
    /// ## How to fix
    /// Write a space before the `#`.
    pub static RULE: Rule = Rule {
        code: "yaml/comment-space",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}
