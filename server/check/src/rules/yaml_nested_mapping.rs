//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # Two keys on one line
    ///
    /// ## What
    /// A value is followed by `: ` on the same line, so that it looks like a key itself.
    ///
    /// ## Why
    /// YAML allows one `key: value` on a line; it cannot tell whether the second colon belongs to a text or begins a
    /// mapping.
    ///
    /// ## Example
    /// ```yaml
    /// title: Lofting: full size
    /// ```
    ///
    /// ## How to fix
    /// Put the text in quotes, or move the inner key to a deeper line of its own.
    pub static RULE: Rule = Rule {
        code: "yaml/nested-mapping",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}
