use lofting_diagnostic::{Cause, Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # An annotation has no effect
    ///
    /// ## What
    /// What the annotation says is true anyway, can never apply, or is never used.
    ///
    /// ## Why
    /// Readers may rely on it.
    ///
    /// ## Example
    /// ```yaml
    /// #@schema/definition data_values=True
    /// ---
    /// #@schema/validate min=1
    /// a: some
    /// ```
    ///
    /// ## How to fix
    /// Remove it, or write what is meant.
    pub static RULE: Rule = Rule {
        code: "proposals/no-effect",
        stage: Stage::Lint,
        severity: Severity::Warning,
        cause: Cause::Beside,
    };
}

pub(crate) fn finding(span: Span, message: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}
