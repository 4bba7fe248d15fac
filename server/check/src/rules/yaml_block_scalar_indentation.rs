//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # A blank line deeper than its block
    ///
    /// ## What
    /// A blank line before the first line of a block of text has more spaces than this line.
    ///
    /// ## Why
    /// The first line says how deep the block is, and a deeper line cannot stand above it.
    ///
    /// ## Example
    /// No example: the spaces cannot be seen on this page.
    ///
    /// ## How to mend
    /// Remove the spaces of the blank line.
    pub static RULE: Rule = Rule {
        code: "yaml/block-scalar-indentation",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}
