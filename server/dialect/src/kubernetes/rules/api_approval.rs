use crate::kubernetes::fields::Fields;
use crate::kubernetes::look::{Definition, Look};
use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};

rule! {
    /// # A definition in a group of Kubernetes without approval
    ///
    /// ## What
    /// The group of a `CustomResourceDefinition` is `k8s.io` or `kubernetes.io`, or ends with one of them, and the annotation
    /// `api-approved.kubernetes.io` is missing, or is neither a URL nor a text that begins with `unapproved`.
    ///
    /// ## Why
    /// The API server refuses the definition: these groups belong to the Kubernetes community, which reviews their APIs.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: boats.sea.k8s.io}
    /// spec:
    ///   group: sea.k8s.io
    ///   names: {kind: Boat, plural: boats}
    ///   scope: Namespaced
    ///   versions:
    ///   - name: v1
    ///     served: true
    ///     storage: true
    ///     schema:
    ///       openAPIV3Schema:
    ///         type: object
    /// ```
    ///
    /// ## How to fix
    /// Use a group of your own, or add the annotation: `unapproved, experimental-only` for what is not reviewed.
    pub static RULE: Rule = Rule {
        code: "kubernetes/api-approval",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

pub(in crate::kubernetes) static LOOK: Look = Look::Definition(look);

const ANNOTATION: &str = "api-approved.kubernetes.io";

/// The groups of the community.
const PROTECTED: [&str; 2] = ["k8s.io", "kubernetes.io"];

fn look(&Definition { root, spec }: &Definition<'_>, found: &mut Vec<Diagnostic>) {
    let Some(group) = spec.text("group") else { return };
    let is_below = |protected: &&&str| {
        group.text.strip_suffix(**protected).is_some_and(|before| before.is_empty() || before.ends_with('.'))
    };
    let Some(protected) = PROTECTED.iter().find(is_below) else { return };
    let annotations = root.below("metadata").and_then(|metadata| metadata.below("annotations"));
    let is_known = |fields: Fields<'_>| !fields.0.partial;
    match annotations.and_then(|annotations| annotations.text(ANNOTATION)) {
        Some(said) if said.text.starts_with("unapproved") || is_url(said.text) => {}
        Some(said) => {
            let message = "this should be the URL of the approval, or begin with `unapproved`";
            found.push(Diagnostic::new(&RULE, said.span, message));
        }
        None if annotations.is_none_or(|annotations| annotations.lacks(ANNOTATION))
            && root.below("metadata").is_none_or(is_known) =>
        {
            let message = format!("groups of `{protected}` need the annotation `{ANNOTATION}`");
            found.push(Diagnostic::new(&RULE, group.span, message));
        }
        None => {}
    }
}

/// Whether a text has a scheme and a host.
fn is_url(text: &str) -> bool {
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    };
    let has_host = |rest: &str| !rest.split(['/', '?', '#']).next().unwrap_or_default().is_empty();
    let is_text = !text.contains(|c: char| c.is_control() || c == ' ');
    is_text && text.split_once("://").is_some_and(|(scheme, rest)| is_scheme(scheme) && has_host(rest))
}
