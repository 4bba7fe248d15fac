use lofting_diagnostic::{Diagnostic, Fix, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # An annotation has the name that ytt uses
    ///
    /// ## What
    /// The annotation has ytt's name (`desc`, `validation`); the design proposals call it `doc`, `validate`.
    ///
    /// ## Why
    /// Both are understood, but readers expect one name.
    ///
    /// ## Example
    /// ```yaml
    /// #@schema/definition data_values=True
    /// ---
    /// #@schema/desc "A text"
    /// a: 1
    /// ```
    ///
    /// ## How to fix
    /// Write the name that the message gives.
    pub static RULE: Rule = Rule {
        code: "proposals/spelling",
        stage: Stage::Lint,
        severity: Severity::Hint,
    };
}

pub(crate) fn finding(name: Span, own: &str) -> Diagnostic {
    Diagnostic::new(&RULE, name, format!("this is called `@{own}` here"))
        .fix(Fix::replace(format!("Rename to `@{own}`"), name, own).sure())
}
