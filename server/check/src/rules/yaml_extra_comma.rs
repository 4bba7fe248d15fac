//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # A comma with nothing before it
    ///
    /// ## What
    /// A comma begins a collection or follows another comma.
    ///
    /// ## Why
    /// YAML has no empty entries.
    ///
    /// ## Example
    /// ```yaml
    /// ports: [80, , 443]
    /// ```
    ///
    /// ## How to fix
    /// Remove the comma, or write the entry that is missing.
    pub static RULE: Rule = Rule {
        code: "yaml/extra-comma",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}
