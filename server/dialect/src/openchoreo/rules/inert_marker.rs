use crate::openchoreo::shorthand::marker::{MarkedType, MarkerKind};
use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A marker that does not apply to the type
    ///
    /// ## What
    /// A marker, or a keyword of `openAPIV3Schema`, does not apply to the type of the field, such as a length for an integer.
    ///
    /// ## Why
    /// It is not checked, so values get through that were meant to be excluded. Markers of an array or map apply to the
    /// array or map itself, not to its items.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Trait
    /// metadata: {name: sized}
    /// spec:
    ///   schema:
    ///     parameters:
    ///       size: integer | minLength=3
    /// ```
    ///
    /// ## How to fix
    /// Use the marker for the type (`minimum` for numbers, `minItems` for arrays), or give the items a custom type.
    pub static RULE: Rule = Rule {
        code: "openchoreo/inert-marker",
        stage: Stage::Lint,
        severity: Severity::Warning,
    };
}

pub(crate) fn finding(span: Span, marker: &MarkerKind, kind: MarkedType) -> Diagnostic {
    let kinds: Vec<&str> = marker.about.iter().map(|kind| kind.word()).collect();
    let message =
        format!("`{}` has no effect on this type ({}): it is for {}", marker.name, kind.word(), kinds.join(" and "));
    let finding = Diagnostic::new(&RULE, span, message);
    match kind {
        MarkedType::Array | MarkedType::Object => {
            finding.help("it would apply to the list or map, not to what is in it")
        }
        _ => finding,
    }
}
