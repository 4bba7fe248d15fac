//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # A quote that is not closed
    ///
    /// ## What
    /// A text begins with a quote, and the same quote does not follow.
    ///
    /// ## Why
    /// Everything behind the quote would belong to the text.
    ///
    /// ## Example
    /// ```yaml
    /// name: "web
    /// port: 80
    /// ```
    ///
    /// ## How to mend
    /// Write the same quote at the end of the text.
    pub static RULE: Rule = Rule {
        code: "yaml/unclosed-quote",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}
