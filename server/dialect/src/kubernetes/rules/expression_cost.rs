use lofting_diagnostic::{Cause, Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A rule of a resource that may cost too much
    ///
    /// ## What
    /// By the sizes that the schema accepts, evaluating a rule or a `messageExpression` of `x-kubernetes-validations` may
    /// cost more than the API server allows: 10 million for an expression and all the values that it is evaluated for,
    /// and 100 million for all expressions of a schema.
    ///
    /// ## Why
    /// The API server refuses the definition. It estimates costs before any resource exists: where no keyword limits a
    /// string, an array or a map, it expects as much as fits in a request of 3 MiB.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: boats.example.com}
    /// spec:
    ///   group: example.com
    ///   names: {kind: Boat, plural: boats}
    ///   scope: Namespaced
    ///   versions:
    ///   - name: v1
    ///     served: true
    ///     storage: true
    ///     schema:
    ///       openAPIV3Schema:
    ///         type: object
    ///         properties:
    ///           spec:
    ///             type: object
    ///             properties:
    ///               sails:
    ///                 type: array
    ///                 items: {type: string}
    ///             x-kubernetes-validations:
    ///             - rule: self.sails.all(one, self.sails.exists_one(other, one == other))
    /// ```
    ///
    /// ## How to fix
    /// Limit the sizes with `maxItems`, `maxProperties` and `maxLength` where arrays, maps and strings are declared, or
    /// simplify the rule. `x-kubernetes-list-type: set` replaces the rule of the example.
    pub static RULE: Rule = Rule {
        code: "kubernetes/expression-cost",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::SameText,
    };
}

/// How many places without limits are named.
pub(in crate::kubernetes) const PLACES: usize = 3;

/// A finding about an expression, with the places whose sizes make it expensive.
pub(in crate::kubernetes) fn finding(span: Span, what: &str, cost: u64, limit: u64, places: &[String]) -> Diagnostic {
    let message = format!("the estimated cost of the {what} is {} what the API server allows", factor(cost, limit));
    let help = match places {
        [] => format!("simplify the {what}"),
        [one] => format!("set {one}, or simplify the {what}"),
        [first @ .., last] => format!("set {} and {last}, or simplify the {what}", first.join(", ")),
    };
    Diagnostic::new(&RULE, span, message).help(help)
}

/// A finding about all expressions of a schema, at the most expensive one.
pub(in crate::kubernetes) fn of_all(span: Span, cost: u64, limit: u64) -> Diagnostic {
    let factor = factor(cost, limit);
    let message = format!(
        "the estimated cost of all rules of the schema is {factor} what the API server allows; this one costs the most"
    );
    let help = "limit sizes with `maxItems`, `maxProperties` and `maxLength`, or simplify the rules";
    Diagnostic::new(&RULE, span, message).help(help)
}

/// How many times more a cost is, rounded up.
fn factor(cost: u64, limit: u64) -> String {
    let tenths = cost.saturating_mul(10).div_ceil(limit);
    match (tenths, cost.saturating_mul(100).div_ceil(limit)) {
        (1001.., _) => "more than 100 times".to_owned(),
        (15.., _) => format!("{}.{} times", tenths / 10, tenths % 10),
        (_, hundredths) => format!("{}.{:02} times", hundredths / 100, hundredths % 100),
    }
}
