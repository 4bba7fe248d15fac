//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # No key after an anchor or a tag
    ///
    /// ## What
    /// An anchor or a tag begins a line, and no key or value follows where one is required.
    ///
    /// ## Why
    /// The anchor or tag belongs to nothing.
    ///
    /// ## Example
    /// ```yaml
    /// &web
    /// name: a
    /// &port
    ///
    /// ```
    ///
    /// ## How to fix
    /// Write the key and a colon after it, or remove it.
    pub static RULE: Rule = Rule {
        code: "yaml/missing-key",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}
