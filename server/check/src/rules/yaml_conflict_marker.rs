//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # A line of a merge conflict
    ///
    /// ## What
    /// The line was left by a version control system: `<<<<<<<`, `=======` or `>>>>>>>`.
    ///
    /// ## Why
    /// The file contains both versions, so most keys are there twice.
    ///
    /// ## Example
    /// ```yaml
    /// <<<<<<< HEAD
    /// name: web
    /// =======
    /// name: app
    /// >>>>>>> other
    /// ```
    ///
    /// ## How to fix
    /// Keep one of the two versions, and remove the lines with the markers.
    pub static RULE: Rule = Rule {
        code: "yaml/conflict-marker",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}
