use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, rule};
use lofting_document::Span;

rule! {
    /// # Code that cannot be read
    ///
    /// ## What
    /// What follows `#@ ` is Starlark, and this is not.
    ///
    /// ## Why
    /// ytt cannot compile the file.
    ///
    /// ## Example
    /// ```yaml
    /// port: #@ 8080 +
    /// ```
    ///
    /// ## How to fix
    /// Correct the code. Starlark writes `True`, `False`, `None`, `and`, `or`, `not`.
    pub static RULE: Rule = Rule {
        code: "ytt/code-syntax",
        stage: Stage::Template,
        severity: Severity::Error,
        cause: Cause::CodeBeside,
    };
}

pub(crate) fn finding(span: Span, message: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}
