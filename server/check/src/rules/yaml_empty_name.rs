//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # An anchor or alias without a name
    ///
    /// ## What
    /// `&` or `*` is followed by no name.
    ///
    /// ## Why
    /// There is nothing to refer to.
    ///
    /// ## Example
    /// ```yaml
    /// name: *
    /// ```
    ///
    /// ## How to fix
    /// Write a name directly after it, or put the text in quotes.
    pub static RULE: Rule = Rule {
        code: "yaml/empty-name",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}
