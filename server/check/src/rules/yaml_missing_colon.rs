//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # A key without a colon
    ///
    /// ## What
    /// A key is expected here, and the line has no `: `. Often it is a key that is still being typed, or text that
    /// continues the line above without being indented.
    ///
    /// ## Why
    /// Without the colon YAML reads the line as text, which cannot be among keys.
    ///
    /// ## Example
    /// ```yaml
    /// replicas: 3
    /// port 8080
    /// ```
    ///
    /// ## How to fix
    /// Write a colon and a space after the key. Indent the line if it belongs to the text above.
    pub static RULE: Rule = Rule {
        code: "yaml/missing-colon",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}
