//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::{Cause, rule};

rule! {
    /// # An alias without its anchor
    ///
    /// ## What
    /// `*name` refers to `&name`, which does not occur above in this document.
    ///
    /// ## Why
    /// An alias repeats a value that occurs before it.
    ///
    /// ## Example
    /// ```yaml
    /// copy: *web
    /// ```
    ///
    /// ## How to fix
    /// Add `&name` to the value that is meant. Anchors of other documents are not visible.
    pub static RULE: Rule = Rule {
        code: "yaml/unknown-alias",
        stage: Stage::Parse,
        severity: Severity::Error,
        cause: Cause::NameGiven,
    };
}
