use crate::openchoreo::shorthand::marker::{MarkerKind, Takes};
use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A marker with a value of the wrong kind
    ///
    /// ## What
    /// A bound is not a number, a length is not an integer, or `exclusiveMinimum` is not a boolean. Quotes are not
    /// removed.
    ///
    /// ## Why
    /// The platform refuses the document.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Trait
    /// metadata: {name: sized}
    /// spec:
    ///   schema:
    ///     parameters:
    ///       size: integer | minimum=one
    /// ```
    ///
    /// ## How to fix
    /// Give a value of the type that the marker takes.
    pub static RULE: Rule = Rule {
        code: "openchoreo/invalid-constraint-value",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

pub(crate) fn finding(span: Span, marker: &MarkerKind, value: &str) -> Diagnostic {
    let wanted = match marker.takes {
        Takes::Length => "an integer",
        Takes::Flag => "a boolean",
        _ => "a number",
    };
    let finding = Diagnostic::new(&RULE, span, format!("`{}` should be {wanted}, but is `{value}`", marker.name));
    match marker.takes {
        Takes::Flag => finding.help("`true` means that the bound itself is not allowed"),
        _ => finding,
    }
}
