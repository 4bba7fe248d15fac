use crate::at::At;
use crate::view::View;
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, rule};
use lofting_schema::CodeRule;

rule! {
    /// # A value breaks a rule of its schema
    ///
    /// ## What
    /// A rule given as code in `#@schema/validation` is not satisfied by the final value.
    ///
    /// ## Why
    /// ytt runs the rules on the final values and refuses them unless each rule returns exactly `True`.
    ///
    /// ## Example
    /// ```yaml
    /// #! schema
    /// #@schema/validation ("an even number", lambda v: v % 2 == 0)
    /// replicas: 2
    /// #! values
    /// replicas: 3
    /// ```
    ///
    /// ## How to fix
    /// Give a value that fits the description of the rule.
    pub static RULE: Rule = Rule {
        code: "ytt/validation",
        stage: Stage::Validation,
        severity: Severity::Error,
        cause: Cause::Inside,
        shared: true,
    };
}

pub(crate) fn finding<V: View>(
    at: &At<'_>,
    value: V,
    rule: &CodeRule,
    why: Option<&str>,
    help: Option<&str>,
) -> Diagnostic {
    let wanted = rule.description.as_deref().unwrap_or("what its rule accepts");
    // A function of the design proposals without a description of its own.
    let message = match (wanted.strip_prefix("Validation: "), why) {
        (Some(_), Some(why)) => format!("{}: {why}", at.subject()),
        (Some(function), None) => format!("{} is refused by `{function}`", at.subject()),
        (None, Some(why)) => format!("{} must be {wanted}: {why}", at.subject()),
        (None, None) => format!("{} must be {wanted}", at.subject()),
    };
    let finding = Diagnostic::new(&RULE, at.merged_span(value), message).related(rule.span, "the rule is here");
    match why {
        Some(why) => Diagnostic { help: help.map(str::to_owned), ..finding.found(why, wanted) },
        None => Diagnostic { expected: Some(wanted.to_owned()), ..finding },
    }
}
