use lofting_diagnostic::{Cause, Certainty, Diagnostic, Fix, Said, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A component type of another workload
    ///
    /// ## What
    /// A component names its type with the workload before it (`deployment/web`), and the type of this name has another
    /// `workloadType`. Nothing is reported where the type is not in the workspace.
    ///
    /// ## Why
    /// The platform does not find the type, so nothing becomes of the component.
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
    ///       apiVersion: apps/v1
    ///       kind: Deployment
    ///       metadata: {name: "${metadata.name}"}
    /// ---
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Component
    /// metadata: {name: shop}
    /// spec:
    ///   owner: {projectName: town}
    ///   componentType: {name: statefulset/web}
    /// ```
    ///
    /// ## How to fix
    /// Write the `workloadType` of the type before the slash.
    pub static RULE: Rule = Rule {
        code: "openchoreo/other-workload",
        stage: Stage::Schema,
        severity: Severity::Error,
        certainty: Certainty::NeedsWholeText,
        cause: Cause::NameGiven,
        instead_of: &[Said::Value("pattern")],
    };
}

/// The finding for another workload than the type has, which is declared at the other place.
pub(crate) fn finding(span: Span, type_name: &str, workload: &str, declared: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("the component type `{type_name}` is for the workload `{workload}`"))
        .related(declared, "its workload is here")
        .help(format!("did you mean `{workload}`?"))
        .fix(Fix::replace(format!("Change to `{workload}`"), span, workload))
}
