use crate::at::At;
use crate::rules::renaming::{self, Fits};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Certainty, Subject, rule};
use lofting_document::{Key, Span};
use lofting_schema::MapShape;
use rustc_hash::FxHashSet;

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

/// `others` are the keys of the same map; None if similar names are not to be searched for. `fits`: whether a key may have the
/// value.
pub(crate) fn finding(
    at: &At<'_>,
    key: &Key,
    shape: &MapShape,
    declared: Span,
    others: Option<&FxHashSet<Key>>,
    fits: Fits<'_>,
) -> Diagnostic {
    let message = format!("`{key}` {} of {}: it has no effect", at.words().undeclared, at.holder());
    let finding = Diagnostic::new(&RULE, at.name, message).related(declared, at.words().declared);
    let Some(others) = renaming::searched(shape, others) else { return finding };
    let Some(name) = key.as_str() else { return finding };
    let meant = renaming::meant((name, at.name), shape, others, fits, at.profile());
    let Some((meant, fix)) = meant else { return finding };
    let mut finding = finding.help(format!("did you mean `{meant}`?")).fix(fix);
    finding.severity = Severity::Warning;
    finding
}
