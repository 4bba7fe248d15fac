//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # An alias that ends with a colon
    ///
    /// ## What
    /// A key is an alias, and its colon follows without a space.
    ///
    /// ## Why
    /// Since YAML 1.2, the name of an anchor may contain a colon, so that the key has none. Programs that read
    /// YAML 1.1 take it for a key.
    ///
    /// ## Example
    /// ```yaml
    /// name: &web frontend
    /// ports:
    ///   *web: 8080
    /// ```
    ///
    /// ## How to fix
    /// Write a space before the colon: `*web : 8080`.
    pub static RULE: Rule = Rule {
        code: "yaml/alias-colon",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}
