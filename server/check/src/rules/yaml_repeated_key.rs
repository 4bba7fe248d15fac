use crate::place::{IssuePlace, Look, Looks};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, Subject, rule};
use lofting_document::{Issue, Key, Span};

rule! {
    /// # A key is written twice in one map
    ///
    /// ## What
    /// The same key appears twice in a map of a plain YAML file.
    ///
    /// ## Why
    /// The last one wins silently; the first has no effect. Other YAML readers refuse the file, as GitHub and Compose do: there
    /// it is an error.
    ///
    /// ## Example
    /// ```yaml
    /// port: 80
    /// port: 8080
    /// ```
    ///
    /// ## How to fix
    /// Remove one of them.
    pub static RULE: Rule = Rule {
        code: "yaml/repeated-key",
        stage: Stage::Lint,
        severity: Severity::Warning,
        subject: Subject::Key,
        cause: Cause::DocumentStart,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::Issue(look)]);

fn look(place: &IssuePlace<'_>, found: &mut Vec<Diagnostic>) {
    if let Issue::RepeatedKey { span, first, key } = place.issue {
        found.push(finding(*span, *first, key));
    }
}

fn finding(span: Span, first: Span, key: &Key) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("`{key}` is already given in this map; only this last one counts"))
        .related(first, "first given here")
}

/// The finding in a file whose reader refuses it.
pub fn refused(finding: Diagnostic, reader: &str) -> Diagnostic {
    let message = finding.message.replace("only this last one counts", &format!("{reader} refuses the file"));
    Diagnostic { severity: Severity::Error, message, ..finding }
}
