use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, rule};
use lofting_document::Span;
use lofting_schema::Shape;

rule! {
    /// # A rule that does not fit the type
    ///
    /// ## What
    /// `#@schema/validation` asks for the length of a number, compares with a bound of another type, or lists a value that
    /// the type refuses.
    ///
    /// ## Why
    /// A value of `one_of` that is of another type can never be given. The other rules make ytt fail, whatever the values
    /// are.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values-schema
    /// ---
    /// #@schema/validation one_of=["1", 2]
    /// replicas: 2
    /// ```
    ///
    /// ## How to mend
    /// Write the rule for the type that the default declares, or correct the default.
    pub static RULE: Rule = Rule {
        code: "ytt/schema-rule-type",
        stage: Stage::Lint,
        severity: Severity::Warning,
        shared: true,
        cause: Cause::Beside,
    };
}

/// `inner`: what the check of the listed value against the node's type found.
pub(crate) fn listed(span: Span, inner: &Diagnostic) -> Diagnostic {
    let mut finding = Diagnostic::new(&RULE, span, format!("this value can never be given: {}", inner.message));
    finding.found.clone_from(&inner.found);
    finding.expected.clone_from(&inner.expected);
    finding
}

pub(crate) fn about(span: Span, what: &str, shape: Shape<'_>) -> Diagnostic {
    let kind = match shape {
        Shape::Null => "null",
        Shape::Bool => "a boolean",
        Shape::Int => "an integer",
        Shape::Float => "a float",
        Shape::String => "a string",
        Shape::Map(_) => "a map",
        Shape::Array(_) => "an array",
        Shape::Any | Shape::Unknown | Shape::Union(_) => "such a value",
    };
    Diagnostic::new(&RULE, span, format!("{kind} does not have {what}"))
}
