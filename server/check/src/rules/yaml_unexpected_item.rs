//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::{Cause, rule};

rule! {
    /// # An item among keys
    ///
    /// ## What
    /// A line begins with `- ` at the column of the keys of a map.
    ///
    /// ## Why
    /// A collection is either a map or an array.
    ///
    /// ## Example
    /// ```yaml
    /// name: web
    /// - port: 80
    /// ```
    ///
    /// ## How to fix
    /// Indent the item below the key it belongs to, or remove the `-`.
    pub static RULE: Rule = Rule {
        code: "yaml/unexpected-item",
        stage: Stage::Parse,
        severity: Severity::Error,
        cause: Cause::LoneKey,
    };
}
