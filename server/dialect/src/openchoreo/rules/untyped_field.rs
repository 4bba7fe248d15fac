use lofting_diagnostic::{Cause, Certainty, Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A field without a type in an expression
    ///
    /// ## What
    /// An expression reads a field to which the schema gives no type, or one that does not exist.
    ///
    /// ## Why
    /// The platform checks expressions against the types of the schema. It does not know such a field, and refuses the
    /// document.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Trait
    /// metadata: {name: settings}
    /// spec:
    ///   parameters:
    ///     openAPIV3Schema:
    ///       type: object
    ///       properties:
    ///         mode: {description: How it runs}
    ///   creates:
    ///   - template:
    ///       apiVersion: v1
    ///       kind: ConfigMap
    ///       metadata: {name: settings}
    ///       data: {mode: "${parameters.mode}"}
    /// ```
    ///
    /// ## How to fix
    /// Give the field a `type`; arrays need `items` with a type as well.
    pub static RULE: Rule = Rule {
        code: "openchoreo/untyped-field",
        stage: Stage::Schema,
        severity: Severity::Error,
        certainty: Certainty::NeedsWholeText,
        cause: Cause::TypeGiven,
    };
}

pub(crate) fn finding(span: Span, name: &str, declared: Option<Span>) -> Diagnostic {
    let message = format!("expressions cannot use `{name}`, because the schema gives it no type");
    let finding = Diagnostic::new(&RULE, span, message);
    let finding = match declared {
        Some(declared) => finding.related(declared, "declared here"),
        None => finding,
    };
    finding.help("give it a `type`; arrays need `items` with a type as well")
}
