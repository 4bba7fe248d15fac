//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # Two anchors or two tags
    ///
    /// ## What
    /// A value has a second anchor or a second tag.
    ///
    /// ## Why
    /// A value can have one of each.
    ///
    /// ## Example
    /// ```yaml
    /// name: &a &b web
    /// ```
    ///
    /// ## How to fix
    /// Remove one of them.
    pub static RULE: Rule = Rule {
        code: "yaml/repeated-property",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}
