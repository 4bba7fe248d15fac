use lofting_diagnostic::{Cause, Certainty, Diagnostic, Said, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A loop without a name for its items
    ///
    /// ## What
    /// A template, patch, removal or check has `forEach`, but no `var`; or `var` is a word that the language of expressions
    /// keeps for itself (`in`), or the name of a variable of the platform (`parameters`), which is a warning.
    ///
    /// ## Why
    /// The platform refuses the document: expressions need a name for the item that the loop is at. If it is that of another
    /// variable, expressions in the item cannot use that one.
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
        cause: Cause::MapBeside,
        instead_of: &[Said::Lack, Said::Expression(&["forEach", "var"])],
    };
}

pub(crate) fn finding(span: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "`forEach` needs `var`, the name of an item in expressions")
}

/// The finding for a name that expressions cannot use, because it is a word of their language.
pub(crate) fn reserved(span: Span, name: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("`{name}` cannot be the name of an item: it is a word of the language"))
}

/// The finding for the name of a variable of the platform.
pub(crate) fn hides(span: Span, name: &str) -> Diagnostic {
    let message =
        format!("`{name}` is a variable of the platform, which expressions cannot use here if an item has this name");
    let mut finding = Diagnostic::new(&RULE, span, message).help("give the item another name");
    finding.severity = Severity::Warning;
    finding
}
