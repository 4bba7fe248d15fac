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
    /// The name of an anchor may contain a colon, so that the key has none. Some programs take it for a key all the same.
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
        severity: Severity::Warning,
    };
}
