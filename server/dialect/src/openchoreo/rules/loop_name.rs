use lofting_diagnostic::{Certainty, Diagnostic, Said, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A loop without a name for its items
    ///
    /// ## What
    /// A template, patch, removal or check has `forEach`, but no `var`.
    ///
    /// ## Why
    /// The platform refuses the document: expressions need a name for the item that the loop is at.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Trait
    /// metadata: {name: settings}
    /// spec:
    ///   parameters:
    ///     openAPIV3Schema: {type: object, properties: {names: {type: array, items: {type: string}}}}
    ///   creates:
    ///   - forEach: ${parameters.names}
    ///     template:
    ///       apiVersion: v1
    ///       kind: ConfigMap
    ///       metadata: {name: "${item}"}
    /// ```
    ///
    /// ## How to fix
    /// Add a name, `var: name`, and use it in expressions.
    pub static RULE: Rule = Rule {
        code: "openchoreo/loop-name",
        stage: Stage::Schema,
        severity: Severity::Error,
        certainty: Certainty::NeedsWholeText,
        instead_of: &[Said::Lack, Said::Expression(&["forEach", "var"])],
    };
}

pub(crate) fn finding(span: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "`forEach` needs `var`, the name of an item in expressions")
}
