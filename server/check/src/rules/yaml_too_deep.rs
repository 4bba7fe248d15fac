//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # Collections nested too deeply
    ///
    /// ## What
    /// More than 2,000 levels are nested in each other; what is deeper is not read.
    ///
    /// ## Why
    /// A program that follows every level could be crashed by a few kilobytes of text.
    ///
    /// ## Example
    /// No example: it would fill several pages.
    ///
    /// ## How to fix
    /// Nest less deeply. Files of this kind are usually generated or hostile.
    pub static RULE: Rule = Rule {
        code: "yaml/too-deep",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}
