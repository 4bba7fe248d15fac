//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # A bracket that is not closed
    ///
    /// ## What
    /// `[` or `{` begins a collection, and the matching bracket does not follow.
    ///
    /// ## Why
    /// Everything after the bracket would belong to the collection.
    ///
    /// ## Example
    /// ```yaml
    /// ports: [80, 443
    /// name: web
    /// ```
    ///
    /// ## How to fix
    /// Write the matching bracket. If it is on a later line, indent the lines between.
    pub static RULE: Rule = Rule {
        code: "yaml/unclosed-flow",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}
