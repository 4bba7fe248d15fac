use crate::place::{IssuePlace, Look, Looks};
use crate::rules::ytt_evaluation::reserved;
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, rule};
use lofting_document::Issue;

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

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::Issue(look)]);

fn look(place: &IssuePlace<'_>, found: &mut Vec<Diagnostic>) {
    let (span, message) = match place.issue {
        Issue::Code { span, message } => (span, message.as_str()),
        Issue::HalfOpenBlock { span, .. } => (span, "missing colon at the end of 'if/for/def' statement"),
        _ => return,
    };
    let finding = Diagnostic::new(&RULE, *span, message);
    let word = message.strip_prefix("unexpected `").and_then(|rest| rest.split('`').next());
    found.push(Diagnostic { help: word.and_then(reserved), ..finding });
}
