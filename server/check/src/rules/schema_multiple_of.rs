use super::bounds;
use crate::at::At;
use crate::view::{Scalar, View};
use crate::{Diagnostic, Fix, Severity, Stage};
use lofting_diagnostic::rule;

rule! {
    /// # A number is not a multiple of what its schema says
    ///
    /// ## What
    /// The schema allows only multiples of a number (`multipleOf`).
    ///
    /// ## Why
    /// A value that breaks this is refused.
    ///
    /// ## Example
    /// ```yaml
    /// # schema
    /// type: object
    /// properties:
    ///   size: {type: integer, multipleOf: 4}
    /// # values
    /// size: 6
    /// ```
    ///
    /// ## How to fix
    /// Give a multiple of that number.
    pub static RULE: Rule = Rule {
        code: "schema/multiple-of",
        stage: Stage::Validation,
        severity: Severity::Error,
        shared: true,
    };
}

pub(crate) fn finding<V: View>(at: &At<'_>, value: V, factor: f64) -> Diagnostic {
    let message = format!("{} should be a multiple of {factor}, but is {}", at.subject(), bounds::plain(at, value));
    let finding = Diagnostic::new(&RULE, at.value_span(value), message)
        .found(bounds::plain(at, value), format!("a multiple of {factor}"));
    let (span, whole) = (finding.span, factor.fract() == 0.0 && (1.0..1e15).contains(&factor));
    let Some(Scalar::Int(number)) = value.scalar().filter(|_| whole && span == value.span()) else { return finding };
    // The nearest multiples on both sides, the nearer one first.
    let factor = factor as i128;
    let below = number.div_euclid(factor).saturating_mul(factor);
    let above = below.saturating_add(factor);
    let nearer = if number - below <= above - number { [below, above] } else { [above, below] };
    nearer.into_iter().fold(finding, |finding, multiple| {
        finding.fix(Fix::replace(format!("Change to {multiple}"), span, multiple.to_string()).possible())
    })
}
