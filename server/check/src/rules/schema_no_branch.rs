use crate::at::At;
use crate::view::View;
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, rule};
use lofting_document::{Key, Span};

rule! {
    /// # A value fits none of the alternatives of its schema
    ///
    /// ## What
    /// The schema lists alternatives (`anyOf`, `oneOf`), the value fits none of them, and no single mistake can be
    /// named: they refuse the value as a whole, or each requires other keys and the value has none of these.
    ///
    /// ## Why
    /// Such a value is refused.
    ///
    /// ## Example
    /// ```yaml
    /// # schema
    /// type: object
    /// properties:
    ///   port:
    ///     anyOf: [{not: {type: integer}}, {not: {type: number}}]
    /// # values
    /// port: 1
    /// ```
    ///
    /// ## How to fix
    /// Write one of the alternatives.
    pub static RULE: Rule = Rule {
        code: "schema/no-branch",
        stage: Stage::Type,
        severity: Severity::Error,
        shared: true,
        cause: Cause::Inside,
    };
}

pub(crate) fn finding<V: View>(at: &At<'_>, value: V, declared: Span) -> Diagnostic {
    let message = format!("{} fits none of the alternatives of its schema", at.subject());
    Diagnostic::new(&RULE, at.value_span(value), message).related(declared, at.words().declared)
}

/// How many alternatives a message lists.
const NAMED: usize = 8;

/// Like [`finding`], where each alternative only requires keys, which are `choices`.
pub(crate) fn missing(at: &At<'_>, choices: &[Vec<&Key>], declared: Span) -> Diagnostic {
    let together = |keys: &Vec<&Key>| keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(" and ");
    let mut choices: Vec<String> = choices.iter().map(together).collect();
    choices.dedup();
    let more = choices.len() > NAMED;
    choices.truncate(NAMED);
    let listed = choices.join(", or ");
    let rest = if more { ", or others" } else { "" };
    let message = format!("{} needs {listed}{rest}", at.subject());
    Diagnostic::new(&RULE, at.name, message).found("none of them", listed).related(declared, at.words().declared)
}
