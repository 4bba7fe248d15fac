//! A fault that the parser finds; its words are in `lofting_syntax::ErrorCode`.

use crate::{Severity, Stage};
use lofting_diagnostic::{Cause, rule};

rule! {
    /// # A tag handle that is not declared
    ///
    /// ## What
    /// The tag begins with a handle, `!e!`, which no `%TAG` line above declares.
    ///
    /// ## Why
    /// The handle stands for a prefix that only the directive defines.
    ///
    /// ## Example
    /// ```yaml
    /// name: !e!text web
    /// ```
    ///
    /// ## How to fix
    /// Declare it with a `%TAG` line above `---`.
    pub static RULE: Rule = Rule {
        code: "yaml/unknown-tag-handle",
        stage: Stage::Parse,
        severity: Severity::Error,
        cause: Cause::DocumentHead,
    };
}
