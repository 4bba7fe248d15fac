//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # An escape without meaning
    ///
    /// ## What
    /// A backslash in double quotes is followed by a letter that means nothing there.
    ///
    /// ## Why
    /// YAML knows a fixed list of escapes and refuses all others.
    ///
    /// ## Example
    /// ```yaml
    /// pattern: "\d+"
    /// ```
    ///
    /// ## How to fix
    /// Write `\\` for a backslash, or use single quotes.
    pub static RULE: Rule = Rule {
        code: "yaml/invalid-escape",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}
