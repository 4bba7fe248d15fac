use crate::place::{IssuePlace, Look, Looks};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::{Issue, Span};

rule! {
    /// # A merge key whose value is not a map
    ///
    /// ## What
    /// `<<:` puts the items of a map in its place, so its value must be an alias of one map.
    ///
    /// ## Why
    /// ytt cannot read the file. It does not support an array of maps, which YAML 1.1 allows.
    ///
    /// ## Example
    /// ```yaml
    /// a: &a {x: 1}
    /// b: &b {y: 2}
    /// c:
    ///   <<: [*a, *b]
    /// ```
    ///
    /// ## How to fix
    /// Use one `<<: *name` with one map, and write the other items out.
    pub static RULE: Rule = Rule {
        code: "yaml/merge-value",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::Issue(look)]);

fn look(place: &IssuePlace<'_>, found: &mut Vec<Diagnostic>) {
    if let Issue::MergeValue { span } = place.issue {
        found.push(finding(*span));
    }
}

fn finding(span: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "`<<` takes the alias of one map")
}
