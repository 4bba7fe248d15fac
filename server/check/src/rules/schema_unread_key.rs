use crate::at::At;
use crate::rules::renaming::Meant;
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Certainty, Subject, rule};
use lofting_document::{Key, Span};

rule! {
    /// # A key that the schema does not know
    ///
    /// ## What
    /// The schema allows keys that it does not declare, and this is one of them, so most likely nothing reads it. If a
    /// declared key has a similar name, that one is probably meant, and the finding is a warning.
    ///
    /// ## Why
    /// A misspelt key has no effect, and the default is used silently.
    ///
    /// ## Example
    /// ```yaml
    /// # schema
    /// type: object
    /// properties:
    ///   replicas: {type: integer}
    /// # values
    /// replicsa: 1
    /// ```
    ///
    /// ## How to fix
    /// Correct the name, or remove the key.
    pub static RULE: Rule = Rule {
        code: "schema/unread-key",
        stage: Stage::Lint,
        severity: Severity::Hint,
        shared: true,
        certainty: Certainty::NeedsWholeSchema,
        subject: Subject::Key,
    };
}

/// `meant` is what is most likely meant by it; None as well if similar names are not to be searched for.
pub(crate) fn finding(at: &At<'_>, key: &Key, declared: Span, meant: Option<&Meant>) -> Diagnostic {
    let message = format!("`{key}` {} of {}: it has no effect", at.words().undeclared, at.holder());
    let finding = Diagnostic::new(&RULE, at.name, message).related(declared, at.words().declared);
    let Some(meant) = meant else { return finding };
    let mut finding = meant.explain(finding, at.name, at.profile());
    finding.severity = Severity::Warning;
    finding
}
