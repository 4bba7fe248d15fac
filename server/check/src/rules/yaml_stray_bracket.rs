//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # A closing bracket without its partner
    ///
    /// ## What
    /// There is a `]` or `}` where no collection is open.
    ///
    /// ## Why
    /// A value cannot begin with a closing bracket.
    ///
    /// ## Example
    /// ```yaml
    /// name: ]
    /// ```
    ///
    /// ## How to fix
    /// Remove the bracket, or put the text in quotes.
    pub static RULE: Rule = Rule {
        code: "yaml/stray-bracket",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}
