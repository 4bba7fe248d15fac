use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, Certainty, Tag, rule};
use lofting_document::Span;

rule! {
    /// # A load that nothing uses
    ///
    /// ## What
    /// The code loads a name and does not use it. What a file loads cannot be loaded from it by others.
    ///
    /// ## Why
    /// Readers look for what the name is needed for, and ytt evaluates the file that is loaded for nothing.
    ///
    /// ## Example
    /// ```yaml
    /// #@ load("@ytt:data", "data")
    /// name: web
    /// ```
    ///
    /// ## How to fix
    /// Remove the name from the `load`, or the whole `load` if it was the last.
    pub static RULE: Rule = Rule {
        code: "ytt/unused-load",
        stage: Stage::Lint,
        severity: Severity::Hint,
        certainty: Certainty::NeedsWholeText,
        cause: Cause::AnyLine,
    };
}

/// One of several names, or the only one: `span` is what can go.
pub(crate) fn finding(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("`{name}` is loaded and never used")).tag(Tag::Unnecessary)
}

/// All of several names.
pub(crate) fn of_all(span: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "none of these names is used").tag(Tag::Unnecessary)
}
