use crate::{Diagnostic, Fix, Severity, Stage};
use lofting_diagnostic::{Tag, rule};
use lofting_document::Span;

rule! {
    /// # A rule was renamed
    ///
    /// ## What
    /// A suppression comment or `[rules]` of a `lofting.toml` names a rule by the code that it had in an earlier version.
    ///
    /// ## Why
    /// The old code still works, but the manual lists only the new one.
    ///
    /// ## Example
    /// ```yaml
    /// #! lofting: ignore-file ytt/library-unused
    /// port: 80
    /// ```
    ///
    /// ## How to fix
    /// Write the new code.
    pub static RULE: Rule = Rule {
        code: "lofting/renamed-rule",
        stage: Stage::Lint,
        severity: Severity::Hint,
    };
}

/// `span`: the old code; `written`: the replacement, with quotes if the old one has some.
pub fn finding(span: Span, today: &str, written: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("this rule is called `{today}` today"))
        .tag(Tag::Deprecated)
        .fix(Fix::replace(format!("Rename to `{today}`"), span, written).sure())
}
