//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # A tab as indentation
    ///
    /// ## What
    /// There is a tab in front of a key or an item.
    ///
    /// ## Why
    /// YAML counts columns, and the width of a tab depends on the editor; so the standard forbids it.
    ///
    /// ## Example
    /// ```yaml
    /// service:
    /// 	port: 80
    /// ```
    ///
    /// ## How to fix
    /// Replace the tab by spaces, and let the editor write spaces in YAML files.
    pub static RULE: Rule = Rule {
        code: "yaml/tab-indentation",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}
