use crate::{Diagnostic, Severity, Stage, words};
use lofting_diagnostic::{Cause, rule};
use lofting_document::{Node, Span};
use lofting_schema::semantics::Notation;

rule! {
    /// # Rules that no value keeps
    ///
    /// ## What
    /// The least value or length is above the greatest, or `one_of` is empty or the other rules refuse each of its values.
    ///
    /// ## Why
    /// Whatever is given is refused, and the default as well.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values-schema
    /// ---
    /// #@schema/validation min=5, max=3
    /// replicas: 0
    /// ```
    ///
    /// ## How to mend
    /// Correct one of the rules.
    pub static RULE: Rule = Rule {
        code: "ytt/schema-impossible-rules",
        stage: Stage::Lint,
        severity: Severity::Warning,
        shared: true,
        cause: Cause::Beside,
    };
}

pub(crate) fn bounds(low: Span, high: Span, least: &Node, most: &Node) -> Diagnostic {
    let shown = |bound| words::spelled_bare(Notation::Starlark, bound);
    let message = format!("no value is at least {} and at most {}", shown(least), shown(most));
    Diagnostic::new(&RULE, high, message).related(low, "the least value")
}

pub(crate) fn lengths(low: Span, high: Span, shortest: i128, longest: i128) -> Diagnostic {
    let message = format!("no value has a length of at least {shortest} and at most {longest}");
    Diagnostic::new(&RULE, high, message).related(low, "the least length")
}

pub(crate) fn list(span: Span, why: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, why)
}
