use crate::place::{IssuePlace, Look, Looks};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::{Issue, Span};

rule! {
    /// # A value that contains itself
    ///
    /// ## What
    /// An alias is inside the value that its anchor marks.
    ///
    /// ## Why
    /// The value would be infinite, and the file cannot be read.
    ///
    /// ## Example
    /// ```yaml
    /// a: &a
    ///   b: *a
    /// ```
    ///
    /// ## How to fix
    /// Refer to another value, or write the value out.
    pub static RULE: Rule = Rule {
        code: "yaml/alias-cycle",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::Issue(look)]);

fn look(place: &IssuePlace<'_>, found: &mut Vec<Diagnostic>) {
    if let Issue::AliasCycle { span, name } = place.issue {
        found.push(finding(*span, name));
    }
}

fn finding(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("`*{name}` is inside the value that it repeats"))
}
