use crate::at::At;
use crate::view::View;
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, rule};
use lofting_document::Span;

rule! {
    /// # An array holds too few or too many items of a kind
    ///
    /// ## What
    /// The schema says what kind of items the array must contain (`contains`), and how many of them (`minContains`,
    /// `maxContains`).
    ///
    /// ## Why
    /// A value that breaks this is refused.
    ///
    /// ## Example
    /// ```yaml
    /// # schema
    /// type: object
    /// properties:
    ///   steps: {type: array, contains: {required: [uses]}}
    /// # values
    /// steps: [{run: make}]
    /// ```
    ///
    /// ## How to fix
    /// Add such an item, or remove one.
    pub static RULE: Rule = Rule {
        code: "schema/contains",
        stage: Stage::Validation,
        severity: Severity::Error,
        shared: true,
        cause: Cause::Inside,
    };
}

/// `count` is the number of items that fit, `wanted` the smallest and largest allowed number.
pub(crate) fn finding<V: View>(
    at: &At<'_>,
    value: V,
    declared: Span,
    count: u64,
    wanted: (u64, Option<u64>),
) -> Diagnostic {
    let wanted = match wanted {
        (least, Some(most)) if least == most => format!("exactly {least}"),
        (least, _) if count < least => format!("at least {least}"),
        (_, most) => format!("at most {}", most.unwrap_or(count)),
    };
    let message =
        format!("{} should hold {wanted} of the items that its schema describes, but holds {count}", at.subject());
    Diagnostic::new(&RULE, at.value_span(value), message)
        .found(count.to_string(), format!("{wanted} such items"))
        .related(declared, "such items are described here")
}
