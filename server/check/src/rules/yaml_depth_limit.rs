use crate::place::{IssuePlace, Look, Looks};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::{Issue, Span};

rule! {
    /// # Values nested too deeply to be checked
    ///
    /// ## What
    /// The value is nested deeper than in any file written by hand, or a map is the key of a map that is itself a key, more than 30
    /// times. What is below is not read.
    ///
    /// ## Why
    /// A limit protects the server from files made to break it.
    ///
    /// ## Example
    /// ```yaml
    /// [[[[[[[["..."]]]]]]]]
    /// ```
    ///
    /// ## How to fix
    /// Use fewer levels.
    pub static RULE: Rule = Rule {
        code: "yaml/depth-limit",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::Issue(look)]);

fn look(place: &IssuePlace<'_>, found: &mut Vec<Diagnostic>) {
    if let Issue::DepthLimit { span } = place.issue {
        found.push(finding(*span));
    }
}

fn finding(span: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "nested too deeply: what is below is not read")
}
