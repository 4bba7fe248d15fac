//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # A blank line deeper than its block
    ///
    /// ## What
    /// A blank line before the first line of a block scalar has more spaces than that line.
    ///
    /// ## Why
    /// The first line determines the indentation of the block, and no line above it may be deeper.
    ///
    /// ## Example
    /// No example: the spaces cannot be seen on this page.
    ///
    /// ## How to fix
    /// Remove the spaces of the blank line.
    pub static RULE: Rule = Rule {
        code: "yaml/block-scalar-indentation",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}
