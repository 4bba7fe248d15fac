//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # Text after `|` or `>`
    ///
    /// ## What
    /// The line that begins a block scalar has more than its indicators.
    ///
    /// ## Why
    /// The text begins on the next line; only `+`, `-`, a digit and a comment may follow the indicator.
    ///
    /// ## Example
    /// ```yaml
    /// text: | hello
    /// ```
    ///
    /// ## How to fix
    /// Move the text to the next line, or leave out `|`.
    pub static RULE: Rule = Rule {
        code: "yaml/block-scalar-header",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}
