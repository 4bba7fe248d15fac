use crate::place::{IssuePlace, Look, Looks};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::{Issue, Span};

rule! {
    /// # Aliases that grow without limit
    ///
    /// ## What
    /// Aliases of aliases multiply: the file represents far more values than it seems to.
    ///
    /// ## Why
    /// A few lines can represent billions of values. YAML readers refuse such files, and so does ytt.
    ///
    /// ## Example
    /// ```yaml
    /// a: &a [x, x, x]
    /// b: &b [*a, *a, *a]
    /// c: &c [*b, *b, *b]
    /// ```
    ///
    /// ## How to fix
    /// Write the values out, or use fewer levels of aliases.
    pub static RULE: Rule = Rule {
        code: "yaml/alias-limit",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::Issue(look)]);

fn look(place: &IssuePlace<'_>, found: &mut Vec<Diagnostic>) {
    if let Issue::AliasLimit { span } = place.issue {
        found.push(finding(*span));
    }
}

fn finding(span: Span) -> Diagnostic {
    Diagnostic::new(
        &RULE,
        span,
        "the aliases of this file stand for too many values; from here on they are not followed",
    )
}
