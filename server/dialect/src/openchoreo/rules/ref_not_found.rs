use lofting_diagnostic::suggest::Nearest;
use lofting_diagnostic::{Cause, Diagnostic, Fix, Severity, Stage, rule};
use lofting_document::Span;
use smol_str::SmolStr;

rule! {
    /// # A reference to an unknown definition
    ///
    /// ## What
    /// No definition has this name.
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
    ///       $defs: {Size: {type: integer}}
    ///       properties:
    ///         size: {$ref: "#/$defs/Sise"}
    /// ```
    ///
    /// ## How to fix
    /// Correct the name, or add the definition.
    pub static RULE: Rule = Rule {
        code: "openchoreo/ref-not-found",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::NameGiven,
    };
}

pub(crate) fn finding(span: Span, name: &str, known: &[SmolStr]) -> Diagnostic {
    let finding = Diagnostic::new(&RULE, span, format!("there is no definition `{name}`"));
    if known.is_empty() {
        return finding.help("the schema has no `$defs`");
    }
    let names: Vec<String> = known.iter().take(8).map(|name| format!("`{name}`")).collect();
    let finding = finding.help(format!("definitions are {}", names.join(", ")));
    let near = Nearest::of(name, known.iter().map(SmolStr::as_str));
    match near.first() {
        Some(meant) => {
            let fix = Fix::replace(format!("Change to `{meant}`"), span, format!("\"#/$defs/{meant}\""));
            finding.fix(if near.is_tied() { fix.possible() } else { fix })
        }
        None => finding,
    }
}
