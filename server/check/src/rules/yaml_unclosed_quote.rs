//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # A quote that is not closed
    ///
    /// ## What
    /// A string begins with a quote, and the same quote does not follow.
    ///
    /// ## Why
    /// Everything after the quote would belong to the string.
    ///
    /// ## Example
    /// ```yaml
    /// name: "web
    /// port: 80
    /// ```
    ///
    /// ## How to fix
    /// Write the same quote at the end of the string.
    pub static RULE: Rule = Rule {
        code: "yaml/unclosed-quote",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}
