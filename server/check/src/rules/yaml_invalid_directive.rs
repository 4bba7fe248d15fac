//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # A directive that is not valid here
    ///
    /// ## What
    /// A line that begins with `%` is malformed, repeated or in the wrong place.
    ///
    /// ## Why
    /// Directives belong above `---` and have a fixed form.
    ///
    /// ## Example
    /// ```yaml
    /// %YAML
    /// ---
    /// name: web
    /// ```
    ///
    /// ## How to fix
    /// Write `%YAML 1.2` or `%TAG ! prefix`, above `---`.
    pub static RULE: Rule = Rule {
        code: "yaml/invalid-directive",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}
