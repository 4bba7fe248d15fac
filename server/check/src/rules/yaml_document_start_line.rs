//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # A collection on the line of `---`
    ///
    /// ## What
    /// A map or an array in block style begins after `---` on the same line.
    ///
    /// ## Why
    /// Its column would depend on the marker; YAML forbids it.
    ///
    /// ## Example
    /// ```yaml
    /// --- name: web
    /// ```
    ///
    /// ## How to fix
    /// Move it to the next line.
    pub static RULE: Rule = Rule {
        code: "yaml/document-start-line",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}
