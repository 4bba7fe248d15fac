//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # No ordinary space after a colon or dash
    ///
    /// ## What
    /// The colon of a key or the dash of an item is followed by another space of Unicode, such as the no-break space
    /// (`U+00A0`).
    ///
    /// ## Why
    /// YAML takes only the space and the tab for blanks, and everything else for text: without one of them, the colon and the
    /// dash are a part of it, too. Examples that are copied from web pages and word processors contain other spaces.
    ///
    /// ## Example
    /// No example: the character cannot be seen on this page.
    ///
    /// ## How to fix
    /// Write an ordinary space.
    pub static RULE: Rule = Rule {
        code: "yaml/missing-space",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}
