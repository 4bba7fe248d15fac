use crate::place::{IssuePlace, Look, Looks};
use crate::{Diagnostic, Fix, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::{Issue, Span};

rule! {
    /// # A value that is both written and computed
    ///
    /// ## What
    /// `#@ ...` after a key computes its value, so there can be no other value.
    ///
    /// ## Why
    /// ytt refuses the file: "to have either computed or YAML value, but found both".
    ///
    /// ## Example
    /// ```yaml
    /// port: 80 #@ data.values.port
    /// ```
    ///
    /// ## How to fix
    /// Remove the written value or the code. A comment begins with `#!`.
    pub static RULE: Rule = Rule {
        code: "ytt/code-and-value",
        stage: Stage::Template,
        severity: Severity::Error,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::Issue(look)]);

fn look(place: &IssuePlace<'_>, found: &mut Vec<Diagnostic>) {
    if let Issue::CodeAndValue { span, value } = place.issue {
        found.push(finding(*span, *value));
    }
}

fn finding(code: Span, value: Span) -> Diagnostic {
    Diagnostic::new(&RULE, code, "this code gives the value, but a value is written as well")
        .help("remove one of them; a comment begins with `#!`")
        .related(value, "the written value")
        .fix(Fix::replace("Remove the written value", value, "").possible())
}
