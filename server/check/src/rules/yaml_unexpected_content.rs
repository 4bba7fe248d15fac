//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::{Cause, rule};

rule! {
    /// # Content after the value of a document
    ///
    /// ## What
    /// The document has its value, and something else follows at the same level.
    ///
    /// ## Why
    /// A document has one value: a map, an array or a scalar.
    ///
    /// ## Example
    /// ```yaml
    /// [80, 443]
    /// name: web
    /// ```
    ///
    /// ## How to fix
    /// Begin a new document with `---`, or remove the text.
    pub static RULE: Rule = Rule {
        code: "yaml/unexpected-content",
        stage: Stage::Parse,
        severity: Severity::Error,
        cause: Cause::LoneKey,
    };
}
