//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # A tag that cannot be read
    ///
    /// ## What
    /// The text after `!` has characters that a tag cannot have.
    ///
    /// ## Why
    /// The type of the value is unknown.
    ///
    /// ## Example
    /// ```yaml
    /// name: !a{b} web
    /// ```
    ///
    /// ## How to fix
    /// Write `!!str`, `!name` or `!<uri>`; put the text in quotes if no tag is meant.
    pub static RULE: Rule = Rule {
        code: "yaml/invalid-tag",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}
