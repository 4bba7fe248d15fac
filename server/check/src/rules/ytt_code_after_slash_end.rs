use crate::place::{IssuePlace, Look, Looks};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, rule};
use lofting_document::{Issue, Span};

rule! {
    /// # Code between a one-node block and its node
    ///
    /// ## What
    /// `#@ if/end`, `#@ for/end` and `#@ def/end` take the next node as their body; no other code may come between.
    ///
    /// ## Why
    /// ytt refuses the file.
    ///
    /// ## Example
    /// ```yaml
    /// #@ if/end True:
    /// #@ x = 1
    /// port: 80
    /// ```
    ///
    /// ## How to fix
    /// Move the code above, or use `#@ if` with `#@ end`.
    pub static RULE: Rule = Rule {
        code: "ytt/code-after-slash-end",
        stage: Stage::Template,
        severity: Severity::Error,
        cause: Cause::BeginningOfBlock,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::Issue(look)]);

fn look(place: &IssuePlace<'_>, found: &mut Vec<Diagnostic>) {
    if let Issue::CodeAfterSlashEnd { span, opening } = place.issue {
        found.push(finding(*span, *opening));
    }
}

fn finding(span: Span, opening: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "a node has to follow, not code").related(opening, "the block begins here")
}
