use crate::at::At;
use crate::rules::renaming::Meant;
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

/// `why` is the finding about the name as a string, and `meant` the name that is listed and most likely meant.
pub(crate) fn finding(at: &At<'_>, key: &Key, why: &Diagnostic, meant: Option<&Meant>) -> Diagnostic {
    let reason = why.message.replace("the value", "the name");
    let message = format!("the name of `{key}` is not allowed");
    let mut finding = match meant {
        Some(meant) => {
            let message = format!("{message}: {reason}");
            meant.explain(Diagnostic::new(&RULE, at.name, message), at.name, at.profile())
        }
        None => Diagnostic::new(&RULE, at.name, message).help(reason),
    };
    finding.severity = why.severity;
    why.related.iter().fold(finding, |finding, related| finding.related(related.span, related.message.as_str()))
}
