//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # An invisible character
    ///
    /// ## What
    /// The text contains a control character, for example one copied from a terminal.
    ///
    /// ## Why
    /// YAML forbids these characters, because they are invisible.
    ///
    /// ## Example
    /// No example: the character cannot be seen on this page.
    ///
    /// ## How to fix
    /// Remove it. In double quotes it can be written as `\x07`, `\e` or `\0`.
    pub static RULE: Rule = Rule {
        code: "yaml/control-character",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}
