use crate::at::At;
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Subject, rule};
use lofting_document::Key;

rule! {
    /// # A key has a name that its schema does not permit
    ///
    /// ## What
    /// The schema restricts the names of the map's keys (`propertyNames`).
    ///
    /// ## Why
    /// A value that breaks this is refused.
    ///
    /// ## Example
    /// ```yaml
    /// # schema
    /// type: object
    /// propertyNames: {pattern: "^[a-z]+$"}
    /// # values
    /// Size: 1
    /// ```
    ///
    /// ## How to fix
    /// Rename the key.
    pub static RULE: Rule = Rule {
        code: "schema/key-name",
        stage: Stage::Validation,
        severity: Severity::Error,
        shared: true,
        subject: Subject::Key,
    };
}

/// `why` is the finding about the name as a string.
pub(crate) fn finding(at: &At<'_>, key: &Key, why: &Diagnostic) -> Diagnostic {
    let message = format!("the name of `{key}` is not allowed");
    let mut finding = Diagnostic::new(&RULE, at.name, message).help(why.message.replace("the value", "the name"));
    finding.severity = why.severity;
    why.related.iter().fold(finding, |finding, related| finding.related(related.span, related.message.as_str()))
}
