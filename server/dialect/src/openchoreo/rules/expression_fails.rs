use lofting_diagnostic::{Cause, Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # An expression that never has a value
    ///
    /// ## What
    /// A part of an expression that is evaluated in any case has no value whatever the parameters are: a division by
    /// zero, an item or key that an array or map in the expression does not have, a text that is not a number, a time or
    /// a duration. A regular expression that cannot be read (`matches("[a")`) is a warning if it is not evaluated in any case.
    ///
    /// ## Why
    /// The platform accepts the document, but nothing can be rendered with it.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: ComponentType
    /// metadata: {name: web}
    /// spec:
    ///   workloadType: deployment
    ///   resources:
    ///   - id: deployment
    ///     template:
    ///       apiVersion: apps/v1
    ///       kind: Deployment
    ///       metadata: {name: "${metadata.name}"}
    ///       spec: {replicas: '${["1", "2"][2]}'}
    /// ```
    ///
    /// ## How to fix
    /// Correct the value, or choose another one where there is none: `a != 0 ? 1 / a : 0`.
    pub static RULE: Rule = Rule {
        code: "openchoreo/expression-fails",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::SameText,
    };
}

pub(crate) fn finding(span: Span, why: &str, is_evaluated: bool) -> Diagnostic {
    let finding = Diagnostic::new(&RULE, span, format!("this never has a value: {why}"));
    // Other parts may decide without it.
    if is_evaluated { finding } else { Diagnostic { severity: Severity::Warning, ..finding } }
}
