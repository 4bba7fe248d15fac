//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::{Cause, rule};

rule! {
    /// # A key among items
    ///
    /// ## What
    /// A line with a key is at the column of the items of an array.
    ///
    /// ## Why
    /// A collection is either an array or a map.
    ///
    /// ## Example
    /// ```yaml
    /// - name: web
    /// port: 80
    /// ```
    ///
    /// ## How to fix
    /// Start the line with `- `, or indent it below an item.
    pub static RULE: Rule = Rule {
        code: "yaml/unexpected-key",
        stage: Stage::Parse,
        severity: Severity::Error,
        cause: Cause::LoneDash,
    };
}
