use crate::place::{IssuePlace, Look, Looks};
use crate::{Diagnostic, Fix, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::{Issue, Span};

rule! {
    /// # A directive that ytt refuses
    ///
    /// ## What
    /// A `%YAML` line with a version other than 1.1, or a directive other than `%YAML` and `%TAG`.
    ///
    /// ## Why
    /// ytt reads YAML 1.1 and fails with "found incompatible YAML document", whether or not the text below
    /// means the same in both versions.
    ///
    /// ## Example
    /// ```yaml
    /// %YAML 1.2
    /// #@data/values
    /// ---
    /// port: 80
    /// ```
    ///
    /// ## How to fix
    /// Remove the line.
    pub static RULE: Rule = Rule {
        code: "ytt/directive",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::Issue(look)]);

fn look(place: &IssuePlace<'_>, found: &mut Vec<Diagnostic>) {
    if let Issue::Directive { span, version } = place.issue {
        found.push(finding(*span, *version));
    }
}

fn finding(span: Span, version: bool) -> Diagnostic {
    let message = if version { "ytt reads YAML 1.1 only" } else { "ytt does not know this directive" };
    Diagnostic::new(&RULE, span, message).help("remove this line").fix(Fix::replace("Remove the line", span, "").sure())
}
