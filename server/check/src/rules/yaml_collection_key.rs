use crate::place::{IssuePlace, Look, Looks};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Subject, rule};
use lofting_document::{Issue, Span};

rule! {
    /// # A map or an array as a key where the schema knows strings
    ///
    /// ## What
    /// A file with a schema has a map or an array as a key. YAML allows any value as a key, and nothing is found in a file
    /// without a schema.
    ///
    /// ## Why
    /// A schema describes data as JSON has it, whose keys are strings. Programs that read the file so refuse the key, or
    /// turn it into text; what is below it cannot be checked.
    ///
    /// ## Example
    /// ```yaml
    /// # schema
    /// type: object
    /// # values
    /// ? [a, b]
    /// : 1
    /// ```
    ///
    /// ## How to fix
    /// Use a string as the key. A list that begins a line is often a value that lacks its key.
    pub static RULE: Rule = Rule {
        code: "yaml/collection-key",
        stage: Stage::Lint,
        severity: Severity::Warning,
        subject: Subject::Key,
    };
}

pub(crate) static LOOKS: Looks = Looks::in_plain_files(&[Look::Issue(look)]);

fn look(place: &IssuePlace<'_>, found: &mut Vec<Diagnostic>) {
    if let Issue::CollectionKey { span } = place.issue {
        found.push(finding(*span));
    }
}

fn finding(span: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "a map or an array is the key here, where the schema knows only strings")
}
