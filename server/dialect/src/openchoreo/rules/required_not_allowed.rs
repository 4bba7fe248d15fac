use lofting_diagnostic::{Diagnostic, Fix, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # `required` as a marker
    ///
    /// ## What
    /// A definition uses `required=`.
    ///
    /// ## Why
    /// The platform refuses the document. A field is required exactly if it has no default.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Trait
    /// metadata: {name: sized}
    /// spec:
    ///   schema:
    ///     parameters:
    ///       size: integer | required=false
    /// ```
    ///
    /// ## How to fix
    /// Remove it. To make a field optional give it a default.
    pub static RULE: Rule = Rule {
        code: "openchoreo/required-not-allowed",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

pub(crate) fn finding(span: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "`required` is not a marker: a field is required exactly if it has no default")
        .fix(Fix::replace("Remove it", span, ""))
}
