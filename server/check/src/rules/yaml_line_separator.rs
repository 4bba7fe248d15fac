//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # An invisible line break
    ///
    /// ## What
    /// In a file that ytt reads, a comment or a text without quotes contains one of the characters NEL, LS and PS (`U+0085`,
    /// `U+2028`, `U+2029`), for example one copied from a web page, and what follows it cannot be a line of its own there.
    ///
    /// ## Why
    /// They end the line in YAML 1.1, and so for ytt: what follows them is not part of the comment or the text, but begins
    /// a line at its first column.
    ///
    /// ## Example
    /// No example: the character cannot be seen on this page.
    ///
    /// ## How to fix
    /// Remove it, or write a line break. In double quotes it can be written as `\N`, `\L` or `\P`.
    pub static RULE: Rule = Rule {
        code: "yaml/line-separator",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}
