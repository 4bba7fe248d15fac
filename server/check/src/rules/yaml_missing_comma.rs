//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # No comma between two entries
    ///
    /// ## What
    /// Two entries of `[…]` or `{…}` follow each other without a comma.
    ///
    /// ## Why
    /// Without it YAML cannot see where an entry ends.
    ///
    /// ## Example
    /// ```yaml
    /// ports: ["80" "443"]
    /// ```
    ///
    /// ## How to fix
    /// Separate the entries by commas.
    pub static RULE: Rule = Rule {
        code: "yaml/missing-comma",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}
