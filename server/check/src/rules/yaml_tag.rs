use crate::place::{IssuePlace, Look, Looks};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::{Issue, Span};

rule! {
    /// # A tag that does not match its value
    ///
    /// ## What
    /// A tag such as `!!int` asks for a type that the value cannot be read as.
    ///
    /// ## Why
    /// A reader that follows tags cannot read the file.
    ///
    /// ## Example
    /// ```yaml
    /// port: !!int eighty
    /// ```
    ///
    /// ## How to fix
    /// Remove the tag, or write a value that fits it.
    pub static RULE: Rule = Rule {
        code: "yaml/tag",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::Issue(look)]);

fn look(place: &IssuePlace<'_>, found: &mut Vec<Diagnostic>) {
    if let Issue::Tag { span, message } = place.issue {
        found.push(finding(*span, message));
    }
}

fn finding(span: Span, message: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}
