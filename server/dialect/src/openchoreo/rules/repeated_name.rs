use lofting_diagnostic::{Diagnostic, Said, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A name that is taken
    ///
    /// ## What
    /// Two traits of a component or component type have the same `instanceName`, a trait or workflow is allowed twice, a
    /// trait is allowed that the component type already has, two resources of a workflow, resource or project type or two
    /// `externalRefs` have the same `id`, or two outputs of a resource type have the same `name`. A trait of a component
    /// cannot have the `instanceName` of one that the component's type has, either, if the type is in the workspace.
    ///
    /// ## Why
    /// The platform refuses the document.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Component
    /// metadata: {name: shop}
    /// spec:
    ///   owner: {projectName: town}
    ///   componentType: {name: deployment/web}
    ///   traits:
    ///   - {name: storage, instanceName: disk}
    ///   - {name: cache, instanceName: disk}
    /// ```
    ///
    /// ## How to fix
    /// Give one of them another name, or leave it out.
    pub static RULE: Rule = Rule {
        code: "openchoreo/repeated-name",
        stage: Stage::Schema,
        severity: Severity::Error,
        instead_of: &[Said::Value("repeated-item")],
    };
}

pub(crate) fn finding(span: Span, first: Span, what: &str, name: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("{what} `{name}` is here twice")).related(first, "it is here first")
}

/// The finding for a trait that is allowed and already part of the type.
pub(crate) fn embedded(span: Span, first: Span, name: &str) -> Diagnostic {
    let message = format!("the trait `{name}` is already part of the component type, so it cannot be allowed as well");
    Diagnostic::new(&RULE, span, message).related(first, "it is here")
}

/// The finding for a trait of a component with the `instanceName` of one of its type.
pub(crate) fn of_type(span: Span, first: Span, name: &str) -> Diagnostic {
    let message = format!("a trait of the component type has the instance name `{name}` already");
    Diagnostic::new(&RULE, span, message).related(first, "it is here")
}
