use crate::place::{IssuePlace, Look, Looks};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::{Issue, Span};

rule! {
    /// # A merge key whose value is not a map
    ///
    /// ## What
    /// `<<:` puts the items of a map in its place, so its value must be an alias of a map. Outside files for ytt it may be
    /// an array of maps as well.
    ///
    /// ## Why
    /// The file cannot be read. ytt does not support an array of maps, which YAML 1.1 allows.
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
    if let Issue::MergeValue { span, lists } = place.issue {
        found.push(finding(*span, *lists));
    }
}

fn finding(span: Span, lists: bool) -> Diagnostic {
    let message = if lists { "`<<` takes a map or an array of maps" } else { "`<<` takes the alias of one map" };
    Diagnostic::new(&RULE, span, message)
}
