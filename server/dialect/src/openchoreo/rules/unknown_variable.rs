use lofting_diagnostic::{Cause, Certainty, Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # An unknown variable
    ///
    /// ## What
    /// An expression begins with a name that is not a variable of the platform, of the loop around it (`var`) or of a
    /// macro such as `map`. If no variable has a similar name, the finding is a warning: later releases may know it. Some
    /// variables exist only in some documents: `trait` in traits, `workflowplane` in workflows.
    ///
    /// ## Why
    /// The platform refuses the document.
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
    ///       name: ${metdata.name}
    /// ```
    ///
    /// ## How to fix
    /// Correct the name. Values for a component are in `parameters`, values for an environment in `environmentConfigs`.
    pub static RULE: Rule = Rule {
        code: "openchoreo/unknown-variable",
        stage: Stage::Schema,
        severity: Severity::Error,
        certainty: Certainty::NeedsWholeText,
        cause: Cause::NameGiven,
    };
}

/// The finding for a variable that exists only elsewhere.
pub(crate) fn elsewhere(span: Span, name: &str, place: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("there is no variable `{name}` here: {place}"))
}

pub(crate) fn finding(span: Span, name: &str, meant: Option<&str>) -> Diagnostic {
    let mut finding = Diagnostic::new(&RULE, span, format!("there is no variable `{name}`"));
    match meant {
        Some(meant) => finding.meant(span, meant),
        None => {
            finding.severity = Severity::Warning;
            finding
                .help("put strings in quotes; values are in `parameters`, `environmentConfigs`, `metadata` and others")
        }
    }
}
