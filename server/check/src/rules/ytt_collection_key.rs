use crate::place::{IssuePlace, Look, Looks};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Subject, rule};
use lofting_document::{Issue, Span};

rule! {
    /// # A map or an array as a key
    ///
    /// ## What
    /// YAML allows any value as a key, a ytt template only scalars.
    ///
    /// ## Why
    /// ytt fails with "hash of unhashable type" and names no place.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values
    /// ---
    /// ? [a, b]
    /// : 1
    /// ```
    ///
    /// ## How to fix
    /// Use a string as the key.
    pub static RULE: Rule = Rule {
        code: "ytt/collection-key",
        stage: Stage::Template,
        severity: Severity::Error,
        subject: Subject::Key,
    };
}

pub(crate) static LOOKS: Looks = Looks::in_templates(&[Look::Issue(look)]);

fn look(place: &IssuePlace<'_>, found: &mut Vec<Diagnostic>) {
    if let Issue::CollectionKey { span } = place.issue {
        found.push(finding(*span));
    }
}

fn finding(span: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "a key has to be a scalar, not a map or an array")
}
