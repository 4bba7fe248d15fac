use crate::values::At;
use crate::{Diagnostic, Fix, Severity, Stage, suggest};
use lofting_diagnostic::{Certainty, Subject, rule};
use lofting_document::write::double_quoted;
use lofting_document::{Key, Span};
use lofting_schema::MapShape;
use lofting_syntax::resolve::needs_quotes;
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
    /// ## How to mend
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

/// Larger maps are not searched for the nearest name.
const SEARCHED: usize = 5_000;

/// `others` are the keys of the same map; None if similar names are not to be searched for.
pub(crate) fn finding(
    at: &At<'_>,
    key: &Key,
    shape: &MapShape,
    declared: Span,
    others: Option<&FxHashSet<Key>>,
) -> Diagnostic {
    let message = format!("`{key}` {} of {}: it has no effect", at.words().undeclared, at.holder());
    let finding = Diagnostic::new(&RULE, at.name, message).related(declared, at.words().declared);
    let Some(others) = others.filter(|_| shape.keys.len() <= SEARCHED) else { return finding };
    let free = shape.keys.iter().map(|declared| &declared.key).filter(|key| !others.contains(key));
    let Some(meant) = key.as_str().and_then(|name| suggest::nearest(name, free.filter_map(Key::as_str))) else {
        return finding;
    };
    let written = if needs_quotes(at.profile(), meant) { double_quoted(meant) } else { meant.to_string() };
    let mut finding = finding.help(format!("did you mean `{meant}`?")).fix(Fix::replace(
        format!("Rename to `{meant}`"),
        at.name,
        written,
    ));
    finding.severity = Severity::Warning;
    finding
}
