use super::bounds;
use crate::at::At;
use crate::view::View;
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_schema::format;

rule! {
    /// # A string does not have the format that its schema names
    ///
    /// ## What
    /// The schema names a format (`format`): `date-time`, `email`, `uri` and the like. In schemas of 2019-09 and later
    /// a format is only documentation, so the finding is a hint.
    ///
    /// ## Why
    /// Whatever reads the value expects this format, and may refuse others.
    ///
    /// ## Example
    /// ```yaml
    /// # schema
    /// type: object
    /// properties:
    ///   day: {type: string, format: date}
    /// # values
    /// day: 1 June 2026
    /// ```
    ///
    /// ## How to fix
    /// Write the value in this format: `2026-06-01`.
    pub static RULE: Rule = Rule {
        code: "schema/format",
        stage: Stage::Validation,
        severity: Severity::Error,
        shared: true,
    };
}

pub(crate) fn finding<V: View>(at: &At<'_>, value: V, name: &str, hint: bool) -> Diagnostic {
    let known = format::words(at.semantics().formats, name);
    let wanted = known.map_or_else(|| format!("of the format `{name}`"), str::to_owned);
    let expected = known.map_or_else(|| format!("a string of format {name}"), str::to_owned);
    let message = format!("{} should be {wanted}, but is {}", at.subject(), bounds::plain(at, value));
    let mut finding = Diagnostic::new(&RULE, at.value_span(value), message).found(bounds::plain(at, value), expected);
    if hint {
        finding.severity = Severity::Warning;
    }
    finding
}
