use crate::{Diagnostic, Fix, Severity, Stage};
use lofting_diagnostic::{Rule, Tag, rule};
use lofting_document::Span;

rule! {
    /// # A comment suppresses nothing
    ///
    /// ## What
    /// `#! lofting: ignore CODE` names a rule that has no finding on its line or the next one, or in the file for
    /// `ignore-file`.
    ///
    /// ## Why
    /// The finding it was written for is gone. If the comment stays, it hides the next mistake.
    ///
    /// ## Example
    /// ```yaml
    /// #! schema
    /// port: 80
    /// #! values
    /// #! lofting: ignore ytt/type-mismatch
    /// port: 81
    /// ```
    ///
    /// ## How to fix
    /// Remove the comment, or the code from its list.
    pub static RULE: Rule = Rule {
        code: "lofting/unused-suppression",
        stage: Stage::Lint,
        severity: Severity::Warning,
    };
}

/// `remove` is the text to delete: the whole comment if this is its only code.
pub fn finding(span: Span, ignored: &'static Rule, remove: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("there is no finding of `{ignored}` to ignore here"))
        .tag(Tag::Unnecessary)
        .fix(Fix::replace("Remove the unused suppression", remove, "").sure())
}
