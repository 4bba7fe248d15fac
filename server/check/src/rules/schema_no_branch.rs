use crate::values::At;
use crate::view::View;
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::Span;

rule! {
    /// # A value fits none of the alternatives of its schema
    ///
    /// ## What
    /// The schema lists alternatives (`anyOf`, `oneOf`), and for none of them a single mistake can be named.
    ///
    /// ## Why
    /// Whoever reads the values refuses them.
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
    /// ## How to mend
    /// Write one of the alternatives.
    pub static RULE: Rule = Rule {
        code: "schema/no-branch",
        stage: Stage::Type,
        severity: Severity::Error,
        shared: true,
    };
}

pub(crate) fn finding<V: View>(at: &At<'_>, value: V, declared: Span) -> Diagnostic {
    let message = format!("{} fits none of the alternatives of its schema", at.subject());
    Diagnostic::new(&RULE, at.value_span(value), message).related(declared, at.words().declared)
}
