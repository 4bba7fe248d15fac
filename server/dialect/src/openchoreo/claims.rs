//! Which parts of OpenChoreo's documents are schemas, and which values they govern.

use super::SEMANTICS;
use crate::{Claim, Role, SchemaName, WrittenSteps};
use lofting_syntax::Tree;
use smol_str::SmolStr;

/// The API group of all its documents, with the sign behind it.
pub(super) const GROUP: &str = "openchoreo.dev/";

/// The key of a schema.
pub(super) const OPENAPI: &str = "openAPIV3Schema";

/// What a component or another document gives for itself.
const PARAMETERS: &str = "parameters";

/// What is given for each environment.
const ENVIRONMENT: &str = "environmentConfigs";

/// Kinds whose documents hold schemas.
const TYPES: &[&str] = &[
    "ComponentType",
    "ClusterComponentType",
    "Trait",
    "ClusterTrait",
    "Workflow",
    "ClusterWorkflow",
    "ResourceType",
    "ClusterResourceType",
    "ProjectType",
    "ClusterProjectType",
];

/// All claims in a file.
pub(super) fn claims(tree: &Tree) -> Vec<Claim> {
    let mut claims = Vec::new();
    for (number, document) in tree.documents().enumerate() {
        let Some(root) = document.root() else { continue };
        let root = WrittenSteps::root(root, SEMANTICS.profile);
        let is_ours = root.key("apiVersion").and_then(|it| it.text()).is_some_and(|it| it.starts_with(GROUP));
        if let (true, Some(kind)) = (is_ours, root.key("kind").and_then(|it| it.text())) {
            of_document(number, &root, &kind, &mut claims);
        }
    }
    claims
}

/// The schema of a file that holds nothing else: a slot of a type as it stands there.
pub(super) fn section(tree: &Tree) -> Option<Claim> {
    let root = WrittenSteps::root(tree.documents().next()?.root()?, SEMANTICS.profile);
    let name = SchemaName { kind: "".into(), name: "".into(), namespace: None, slot: PARAMETERS };
    Some(root.key(OPENAPI)?.claim(0, Role::Schema(name)))
}

fn of_document(document: usize, root: &WrittenSteps<'_>, kind: &str, claims: &mut Vec<Claim>) {
    let metadata = |key| root.key("metadata")?.key(key)?.text();
    let namespace: Option<SmolStr> = metadata("namespace");
    let Some(spec) = root.key("spec") else { return };
    if TYPES.contains(&kind) {
        let Some(name) = metadata("name") else { return };
        for slot in [PARAMETERS, ENVIRONMENT] {
            if let Some(schema) = spec.key(slot).and_then(|slot| slot.key(OPENAPI)) {
                let (kind, name, namespace) = (kind.into(), name.clone(), namespace.clone());
                claims.push(schema.claim(document, Role::Schema(SchemaName { kind, name, namespace, slot })));
            }
        }
        return;
    }
    let mut instance = |values: Option<WrittenSteps<'_>>, reference: Option<WrittenSteps<'_>>, default: &str| {
        let (Some(values), Some(reference)) = (values, reference) else { return };
        let Some((kind, name)) = referent(&reference, default) else { return };
        // What is the cluster's has no namespace.
        let namespace = namespace.clone().filter(|_| !kind.starts_with("Cluster"));
        let name = SchemaName { kind, name, namespace, slot: PARAMETERS };
        claims.push(values.claim(document, Role::Instance(name)));
    };
    match kind {
        "Component" => {
            instance(spec.key(PARAMETERS), spec.key("componentType"), "ComponentType");
            for attached in spec.key("traits").map(|traits| traits.items()).unwrap_or_default() {
                instance(attached.key(PARAMETERS), Some(attached), "Trait");
            }
            let workflow = spec.key("workflow");
            instance(workflow.as_ref().and_then(|it| it.key(PARAMETERS)), workflow, "ClusterWorkflow");
        }
        "WorkflowRun" => {
            let workflow = spec.key("workflow");
            instance(workflow.as_ref().and_then(|it| it.key(PARAMETERS)), workflow, "ClusterWorkflow");
        }
        "Resource" => instance(spec.key(PARAMETERS), spec.key("type"), "ResourceType"),
        "Project" => instance(spec.key(PARAMETERS), spec.key("type"), "ProjectType"),
        _ => {}
    }
}

/// The kind and name that a reference gives: a text, or a map of both. Component types have the kind of their workload
/// in front of their name.
fn referent(reference: &WrittenSteps<'_>, default: &str) -> Option<(SmolStr, SmolStr)> {
    let (kind, name) = match reference.text() {
        Some(name) => (None, name),
        None => (reference.key("kind").and_then(|kind| kind.text()), reference.key("name")?.text()?),
    };
    let name = name.rsplit('/').next().map(SmolStr::from)?;
    Some((kind.unwrap_or_else(|| default.into()), name))
}
