//! Which parts of OpenChoreo's documents are schemas, and which values they govern.

use super::SEMANTICS;
use super::shorthand;
use crate::{Claim, Role, SchemaName, WrittenSteps};
use lofting_schema::Step;
use lofting_syntax::Tree;
use smol_str::SmolStr;

/// The API group of all its documents, with the sign behind it.
pub(super) const GROUP: &str = "openchoreo.dev/";

/// The key of a schema in OpenAPI's words.
pub(super) const OPENAPI: &str = "openAPIV3Schema";

/// The key of a schema in shorthand, in documents between the two forms.
pub(super) const SHORTHAND: &str = "ocSchema";

/// The key of all schemas of a document in releases before 1.0.
const SCHEMA: &str = "schema";

/// What a component or another document gives for itself.
pub(super) const PARAMETERS: &str = "parameters";

/// What is given for each environment.
pub(super) const ENVIRONMENT: &str = "environmentConfigs";

/// The same before 1.0.
const OVERRIDES: &str = "envOverrides";

/// What the platform gives to a component's workflow.
pub(super) const SYSTEM: &str = "systemParameters";

/// Kinds whose documents hold schemas.
const TYPES: &[&str] = &[
    "ComponentType",
    "ClusterComponentType",
    "Trait",
    "ClusterTrait",
    "Workflow",
    "ClusterWorkflow",
    "ComponentWorkflow",
    "ResourceType",
    "ClusterResourceType",
    "ProjectType",
    "ClusterProjectType",
];

/// The keys of schemas, with the name that references have for them.
const SLOTS: &[(&str, &str)] =
    &[(PARAMETERS, PARAMETERS), (ENVIRONMENT, ENVIRONMENT), (OVERRIDES, ENVIRONMENT), (SYSTEM, SYSTEM)];

/// How a schema is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// In OpenAPI's words.
    OpenApi,
    /// In shorthand, with custom types inside.
    Inline,
    /// In shorthand, with custom types beside it.
    Beside,
}

impl Form {
    /// The form of the schema at the end of a path.
    pub fn at(path: &[Step]) -> Form {
        let name = |step: Option<&Step>| match step {
            Some(Step::Key(key)) => key.as_str().map(SmolStr::from),
            _ => None,
        };
        match name(path.last()).as_deref() {
            Some(OPENAPI) => Form::OpenApi,
            Some(key) if SLOTS.iter().any(|(slot, _)| *slot == key) => Form::Beside,
            _ => Form::Inline,
        }
    }
}

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
    let slots = SLOTS.iter().map(|(key, _)| *key);
    let found = [OPENAPI, SHORTHAND].into_iter().chain(slots).find_map(|key| root.key(key))?;
    Some(found.claim(0, Role::Schema(name)))
}

/// The schemas of a type, each with its slot.
fn schemas<'t>(spec: &WrittenSteps<'t>, kind: &str) -> Vec<(WrittenSteps<'t>, &'static str)> {
    let mut found = Vec::new();
    for (key, slot) in SLOTS {
        let section = spec.key(key);
        let schema = section.and_then(|section| section.key(OPENAPI).or_else(|| section.key(SHORTHAND)));
        found.extend(schema.map(|schema| (schema, *slot)));
    }
    let Some(schema) = spec.key(SCHEMA) else { return found };
    let schema = schema.key(SHORTHAND).unwrap_or(schema);
    let sections: Vec<_> = SLOTS.iter().filter_map(|(key, slot)| Some((schema.key(key)?, *slot))).collect();
    // The first workflows had nothing but parameters, and gave them no name.
    if sections.is_empty() && kind.ends_with("Workflow") && schema.key(shorthand::TYPES).is_none() {
        found.push((schema, PARAMETERS));
    }
    found.extend(sections);
    found
}

fn of_document(document: usize, root: &WrittenSteps<'_>, kind: &str, claims: &mut Vec<Claim>) {
    let metadata = |key| root.key("metadata")?.key(key)?.text();
    let namespace: Option<SmolStr> = metadata("namespace");
    let Some(spec) = root.key("spec") else { return };
    if TYPES.contains(&kind) {
        // A type without a name is still being written.
        let name = metadata("name").unwrap_or_default();
        for (schema, slot) in schemas(&spec, kind) {
            let (kind, name, namespace) = (kind.into(), name.clone(), namespace.clone());
            claims.push(schema.claim(document, Role::Schema(SchemaName { kind, name, namespace, slot })));
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
