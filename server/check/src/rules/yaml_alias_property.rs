//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # An alias with an anchor or a tag
    ///
    /// ## What
    /// An alias has an anchor or a tag of its own.
    ///
    /// ## Why
    /// An alias refers to a value, which may have its own.
    ///
    /// ## Example
    /// ```yaml
    /// a: &web 1
    /// b: &copy *web
    /// ```
    ///
    /// ## How to fix
    /// Remove the anchor or the tag.
    pub static RULE: Rule = Rule {
        code: "yaml/alias-property",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}
