use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;
use smol_str::SmolStr;

rule! {
    /// # Custom types that consist of each other
    ///
    /// ## What
    /// A custom type contains itself, directly or through others, for example as the item of an array or the value of a
    /// map.
    ///
    /// ## Why
    /// The platform refuses the document. Types are expanded where they are used, and these would never end.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Trait
    /// metadata: {name: sized}
    /// spec:
    ///   schema:
    ///     types:
    ///       Tree:
    ///         children: "[]Tree"
    ///     parameters:
    ///       root: Tree
    /// ```
    ///
    /// ## How to fix
    /// Limit the depth, with a type for each level.
    pub static RULE: Rule = Rule {
        code: "openchoreo/cyclic-type",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

pub(crate) fn finding(span: Span, circle: &[SmolStr]) -> Diagnostic {
    let names: Vec<String> = circle.iter().map(|name| format!("`{name}`")).collect();
    Diagnostic::new(&RULE, span, format!("custom types consist of each other: {}", names.join(" → ")))
}
