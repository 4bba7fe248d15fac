use lofting_diagnostic::{Certainty, Diagnostic, Said, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A workload that does not belong here
    ///
    /// ## What
    /// A component type has exactly one template of a workload: that of its `workloadType`, with that `id`, or none if the
    /// type is `proxy`. Traits neither create nor remove workloads. These are `Deployment`, `StatefulSet`, `DaemonSet`,
    /// `CronJob` and `Job`. Documents with `spec.schema` are not looked at.
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
    ///       apiVersion: apps/v1
    ///       kind: StatefulSet
    ///       metadata: {name: "${metadata.name}"}
    /// ```
    ///
    /// ## How to fix
    /// Make `workloadType` and the kind of the template the same, or leave the other workload out.
    pub static RULE: Rule = Rule {
        code: "openchoreo/workload-resource",
        stage: Stage::Schema,
        severity: Severity::Error,
        certainty: Certainty::NeedsWholeText,
        instead_of: &[Said::Expression(&["resources", "workloadType"])],
    };
}

/// The finding for a workload in a component type of another one.
pub(crate) fn other(span: Span, kind: &str, workload: &str) -> Diagnostic {
    let message = format!("a component type for the workload `{workload}` cannot have a `{kind}`");
    Diagnostic::new(&RULE, span, message)
}

/// The finding for the second workload.
pub(crate) fn second(span: Span, kind: &str, first: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("a component type has only one `{kind}`")).related(first, "the first one")
}

pub(crate) fn none(span: Span, workload: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("no template here is of the workload `{workload}`"))
        .help("one template must have this kind")
}

/// The finding for the `id` of the workload's template.
pub(crate) fn id(span: Span, workload: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("the template of the workload must have the id `{workload}`"))
}

pub(crate) fn in_trait(span: Span, kind: &str, does: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("a trait cannot {does} a `{kind}`"))
        .help("the workload is that of the component type, which `patches` can change")
}
