use crate::place::{IssuePlace, Look, Looks};
use crate::rules::ytt_evaluation::reserved;
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, rule};
use lofting_document::{Issue, Span};

rule! {
    /// # Code that cannot be read
    ///
    /// ## What
    /// What follows `#@ ` is Starlark, and this is not. So is what `*.star` files contain, and what is between `(@` and `@)`
    /// in text templates. In each statement, the first mistake is reported. Of files other than YAML, those are looked at
    /// that are inputs of `ytt` or named on the command line, and in editors each opened `*.star` file.
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
    /// Correct the code. Starlark has `elif`, `==`, `load(…)` and `.pop(…)` in place of `else if`, `is`, `import` and `del`, and
    /// no types, classes or exceptions. It writes `True`, `False`, `None`, `and`, `or`, `not`.
    pub static RULE: Rule = Rule {
        code: "ytt/code-syntax",
        stage: Stage::Template,
        severity: Severity::Error,
        cause: Cause::CodeBeside,
    };
}

/// A statement that cannot be read.
pub fn finding(span: Span, message: &str) -> Diagnostic {
    let word = message.strip_prefix("unexpected `").and_then(|rest| rest.split('`').next());
    Diagnostic { help: word.and_then(reserved), ..Diagnostic::new(&RULE, span, message) }
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::Issue(look)]);

fn look(place: &IssuePlace<'_>, found: &mut Vec<Diagnostic>) {
    let (span, message) = match place.issue {
        Issue::Code { span, message } => (span, message.as_str()),
        Issue::HalfOpenBlock { span, .. } => (span, "missing colon at the end of 'if/for/def' statement"),
        _ => return,
    };
    found.push(finding(*span, message));
}
