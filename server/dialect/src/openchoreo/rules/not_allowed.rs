use lofting_diagnostic::suggest::nearest;
use lofting_diagnostic::{Cause, Certainty, Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A trait or workflow that the component type does not allow
    ///
    /// ## What
    /// A component has a trait that is not among the `allowedTraits` of its type, or a workflow that is not among its
    /// `allowedWorkflows`. Kinds count: without a kind, `Trait` and `ClusterWorkflow` are meant. A type without such a
    /// list allows none; types of early releases, which had no such lists, allow all: those that the component names by a
    /// string, and those with `spec.schema` and no traits.
    ///
    /// Nothing is reported where the type is not in the workspace.
    ///
    /// ## Why
    /// The platform refuses to release the component.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: ComponentType
    /// metadata: {name: web}
    /// spec:
    ///   workloadType: deployment
    ///   allowedTraits: [{name: storage}]
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
    ///   componentType: {name: deployment/web}
    ///   traits:
    ///   - {name: storages, instanceName: disk}
    /// ```
    ///
    /// ## How to fix
    /// Name one that is allowed, or allow it in the type.
    pub static RULE: Rule = Rule {
        code: "openchoreo/not-allowed",
        stage: Stage::Schema,
        severity: Severity::Error,
        certainty: Certainty::NeedsWholeText,
        cause: Cause::NameGiven,
    };
}

/// What a component has.
pub(crate) struct NotAllowed<'a> {
    /// `trait` or `workflow`.
    pub what: &'static str,
    pub name: &'a str,
    /// The type of the component.
    pub type_name: &'a str,
}

/// How many of the names that are allowed are shown.
const SHOWN: usize = 5;

/// The finding for a name that is not among the `allowed` ones of its kind, but of that of another kind, if one is given.
/// The type says at `declared` what it allows.
pub(crate) fn finding(
    span: Span,
    asked: &NotAllowed<'_>,
    other_kind: Option<&str>,
    allowed: &[&str],
    declared: Option<Span>,
) -> Diagnostic {
    let NotAllowed { what, name, type_name } = asked;
    let message = format!("the component type `{type_name}` does not allow the {what} `{name}`");
    let finding = Diagnostic::new(&RULE, span, message);
    let finding = match declared {
        Some(declared) if allowed.is_empty() && other_kind.is_none() => finding.related(declared, "it allows none"),
        Some(declared) => finding.related(declared, "what it allows is here"),
        None => finding,
    };
    match (other_kind, nearest(name, allowed.iter().copied())) {
        (Some(kind), _) => finding.help(format!("it allows a {kind} of this name: say `kind: {kind}`")),
        (None, Some(meant)) => finding.meant(span, meant),
        (None, None) if allowed.is_empty() => finding,
        (None, None) => {
            let shown: Vec<String> = allowed.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
            let more = if allowed.len() > SHOWN { " and others" } else { "" };
            finding.help(format!("it allows {}{more}", shown.join(", ")))
        }
    }
}
