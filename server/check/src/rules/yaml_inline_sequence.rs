//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # An array on the line of its key
    ///
    /// ## What
    /// `- ` follows a key on the same line.
    ///
    /// ## Why
    /// An array in block style begins on the line below its key.
    ///
    /// ## Example
    /// ```yaml
    /// ports: - 80
    /// ```
    ///
    /// ## How to fix
    /// Move the items to the lines below, or write `[80]`.
    pub static RULE: Rule = Rule {
        code: "yaml/inline-sequence",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}
