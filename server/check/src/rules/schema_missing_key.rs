use crate::at::At;
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, Subject, rule};
use lofting_document::{Key, Span};

rule! {
    /// # A required key is missing
    ///
    /// ## What
    /// The schema requires the key, and no default provides it, or only one that does not fit the schema itself.
    ///
    /// ## Why
    /// The values are refused without it.
    ///
    /// ## Example
    /// ```yaml
    /// # schema
    /// type: object
    /// required: [image]
    /// properties:
    ///   image: {type: string}
    ///   replicas: {type: integer}
    /// # values
    /// replicas: 1
    /// ```
    ///
    /// ## How to fix
    /// Write the key with a value of its type.
    pub static RULE: Rule = Rule {
        code: "schema/missing-key",
        stage: Stage::Type,
        severity: Severity::Error,
        shared: true,
        subject: Subject::Key,
        cause: Cause::ValueBelow,
    };
}

/// `at` is the place of the missing key; its `name` is that of the map.
pub(crate) fn finding(at: &At<'_>, key: &Key, declared: Span) -> Diagnostic {
    let message = format!("`{key}` is missing in {}", at.holder());
    Diagnostic::new(&RULE, at.name, message)
        .found("nothing", format!("the key `{key}`"))
        .key(key)
        .related(declared, at.words().declared)
        .help(format!("write `{key}:` with a value"))
}

/// Like [`finding`], for a key whose default does not fit the schema.
pub(crate) fn wrong_default(at: &At<'_>, key: &Key, declared: Span) -> Diagnostic {
    let message = format!("`{key}` is missing in {}, and its default does not fit the schema", at.holder());
    Diagnostic::new(&RULE, at.name, message)
        .found("nothing", format!("the key `{key}`"))
        .key(key)
        .related(declared, at.words().declared)
        .help(format!("write `{key}:` with a value"))
}
