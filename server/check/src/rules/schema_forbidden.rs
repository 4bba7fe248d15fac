use crate::at::At;
use crate::view::View;
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Subject, rule};
use lofting_document::Span;

rule! {
    /// # A value where none is allowed
    ///
    /// ## What
    /// The schema accepts no value at this place (`false`).
    ///
    /// ## Why
    /// Such a value is refused.
    ///
    /// ## Example
    /// ```yaml
    /// # schema
    /// type: object
    /// properties:
    ///   old: false
    /// # values
    /// old: 1
    /// ```
    ///
    /// ## How to fix
    /// Remove it.
    pub static RULE: Rule = Rule {
        code: "schema/forbidden",
        stage: Stage::Type,
        severity: Severity::Error,
        shared: true,
        subject: Subject::Key,
    };
}

pub(crate) fn finding<V: View>(at: &At<'_>, value: V, declared: Span) -> Diagnostic {
    let message = format!("{} is not allowed here", at.subject());
    Diagnostic::new(&RULE, at.value_span(value), message)
        .found("a value", "nothing")
        .related(declared, at.words().declared)
}
