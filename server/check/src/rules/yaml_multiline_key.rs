//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # A key that spans several lines
    ///
    /// ## What
    /// A quoted or bracketed key continues past the end of its line.
    ///
    /// ## Why
    /// A key in its short form must be on one line.
    ///
    /// ## Example
    /// ```yaml
    /// ports: ["web
    ///   server": 1]
    /// ```
    ///
    /// ## How to fix
    /// Write the key on one line, or use `? ` for a long key.
    pub static RULE: Rule = Rule {
        code: "yaml/multiline-key",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}
