use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::Span;

rule! {
    /// # Code that was not run
    ///
    /// ## What
    /// The evaluator could not run this file's code, or was stopped at a limit. What depends on it is not checked. At a
    /// value: one of its rules could not be run.
    ///
    /// ## Why
    /// Code of a workspace is not trusted: it runs in a separate process with limits of time and memory. ytt may still
    /// be able to run it.
    ///
    /// ## Example
    /// ```yaml
    /// port: #@ slow()
    /// ```
    ///
    /// ## How to fix
    /// Nothing needs to be fixed for ytt. Make the code cheaper if you want it checked here.
    pub static RULE: Rule = Rule {
        code: "ytt/not-evaluated",
        stage: Stage::Lint,
        severity: Severity::Info,
    };
}

pub(crate) fn finding(span: Span, message: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}

/// A rule that gave no answer, reported at the key of the first value it was to check.
pub(crate) fn of_rule(name: Span, why: &str, rule: Span) -> Diagnostic {
    Diagnostic::new(&RULE, name, format!("a rule was not checked here: {why}")).related(rule, "the rule is here")
}
