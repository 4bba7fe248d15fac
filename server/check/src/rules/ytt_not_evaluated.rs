use crate::place::{Look, Looks, MergePlace};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::Span;
use lofting_overlay::ProblemKind;

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

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::Merge(look)]);

fn look(place: &MergePlace<'_>, found: &mut Vec<Diagnostic>) {
    if let ProblemKind::NotEvaluated { message } = &place.problem.kind {
        found.push(finding(place.problem.span, message));
    }
}

/// Code was not run, or not to its end. Not the user's error.
pub fn finding(span: Span, message: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}

/// A rule that gave no answer, reported at the key of the first value it was to check.
pub(crate) fn of_rule(name: Span, why: &str, rule: Span) -> Diagnostic {
    Diagnostic::new(&RULE, name, format!("a rule was not checked here: {why}")).related(rule, "the rule is here")
}

/// Whether it is a finding of this rule, including rules that gave no answer.
pub fn is_not_evaluated(finding: &Diagnostic) -> bool {
    *finding.rule == RULE
}
