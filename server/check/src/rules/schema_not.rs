use crate::at::At;
use crate::view::View;
use crate::{Diagnostic, Severity, Stage, words};
use lofting_diagnostic::rule;
use lofting_document::{Key, Span};

rule! {
    /// # A value that its schema excludes
    ///
    /// ## What
    /// The schema says what the value must not be (`not`), and the value is just that.
    ///
    /// ## Why
    /// Such a value is refused.
    ///
    /// ## Example
    /// ```yaml
    /// # schema
    /// type: object
    /// properties:
    ///   name: {type: string, not: {enum: [root]}}
    /// # values
    /// name: root
    /// ```
    ///
    /// ## How to fix
    /// Give another value.
    pub static RULE: Rule = Rule {
        code: "schema/not",
        stage: Stage::Validation,
        severity: Severity::Error,
        shared: true,
    };
}

/// Like [`finding`], where having these keys is what is forbidden; `last` is the place of the last one.
pub(crate) fn keys(last: Span, keys: &[Key], declared: Span) -> Diagnostic {
    let (together, help) = if keys.len() > 1 { ("together", "remove one of them") } else { ("here", "remove it") };
    let message = format!("{} cannot be given {together}", words::all_of(keys));
    Diagnostic::new(&RULE, last, message).related(declared, "this must not fit").help(help)
}

pub(crate) fn finding<V: View>(at: &At<'_>, value: V, declared: Span) -> Diagnostic {
    let message = format!("{} is what its schema forbids: {}", at.subject(), words::value(at.words(), value));
    Diagnostic::new(&RULE, at.value_span(value), message).related(declared, "this must not fit")
}
