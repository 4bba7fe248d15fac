//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # Text after a complete value
    ///
    /// ## What
    /// Something follows a value that is already complete, such as a quoted string.
    ///
    /// ## Why
    /// A value ends at its closing quote or bracket; what follows belongs to nothing.
    ///
    /// ## Example
    /// ```yaml
    /// name: "web" server
    /// ```
    ///
    /// ## How to fix
    /// Put the whole value in quotes, or move the text to a line of its own.
    pub static RULE: Rule = Rule {
        code: "yaml/unexpected-text",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}
