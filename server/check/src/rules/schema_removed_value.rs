use crate::at::At;
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Subject, rule};
use lofting_schema::Text;

rule! {
    /// # A value is given that no longer exists
    ///
    /// ## What
    /// The schema marks the key with `#@schema/removed`, and the values set it, even if only to null.
    ///
    /// ## Why
    /// Nothing reads the value any more, so setting it has no effect.
    ///
    /// ## Example
    /// ```yaml
    /// #! schema
    /// #@schema/definition data_values=True
    /// ---
    /// #@schema/removed "use hosts"
    /// host: ""
    /// #! values
    /// host: a.example.org
    /// ```
    ///
    /// ## How to fix
    /// Remove the key, and follow the text of the annotation.
    pub static RULE: Rule = Rule {
        code: "schema/removed-value",
        stage: Stage::Type,
        severity: Severity::Error,
        shared: true,
        subject: Subject::Key,
    };
}

pub(crate) fn finding(at: &At<'_>, removed: &Text) -> Diagnostic {
    let remedy = removed.text.trim();
    let message = if remedy.is_empty() {
        format!("{} was removed", at.subject())
    } else {
        format!("{} was removed: {remedy}", at.subject())
    };
    Diagnostic::new(&RULE, at.name, message).related(removed.span, "removed here")
}
