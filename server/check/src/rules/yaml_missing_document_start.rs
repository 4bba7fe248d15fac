//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::{Cause, rule};

rule! {
    /// # A directive without `---`
    ///
    /// ## What
    /// A directive is not followed by `---`.
    ///
    /// ## Why
    /// Without it there is no telling where the directives end and the document begins.
    ///
    /// ## Example
    /// ```yaml
    /// %YAML 1.2
    /// name: web
    /// ```
    ///
    /// ## How to fix
    /// Write a line `---` below the directives.
    pub static RULE: Rule = Rule {
        code: "yaml/missing-document-start",
        stage: Stage::Parse,
        severity: Severity::Error,
        cause: Cause::DocumentHead,
    };
}
