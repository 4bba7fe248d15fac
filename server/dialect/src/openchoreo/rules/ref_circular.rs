use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;
use smol_str::SmolStr;

rule! {
    /// # Definitions refer to each other in a circle
    ///
    /// ## What
    /// Each reference is replaced by what it refers to, which never ends here.
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
    ///   parameters:
    ///     openAPIV3Schema:
    ///       type: object
    ///       $defs:
    ///         A: {type: object, properties: {a: {$ref: "#/$defs/A"}}}
    ///       properties:
    ///         a: {$ref: "#/$defs/A"}
    /// ```
    ///
    /// ## How to fix
    /// Break the circle: limit the depth, or allow anything below with `x-kubernetes-preserve-unknown-fields: true`.
    pub static RULE: Rule = Rule {
        code: "openchoreo/ref-circular",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

pub(crate) fn finding(span: Span, circle: &[SmolStr]) -> Diagnostic {
    let names: Vec<String> = circle.iter().map(|name| format!("`{name}`")).collect();
    Diagnostic::new(&RULE, span, format!("definitions refer to each other in a circle: {}", names.join(" → ")))
}
