//! Which parts of OpenChoreo's documents are schemas, and which values they govern.

use super::SEMANTICS;
use super::shorthand;
use super::structure::few;
use crate::resources::{Resource, resources_in, resources_in_item};
use crate::{Claim, Role, SchemaName, WrittenSteps};
use lofting_schema::Step;
use lofting_syntax::{Document, Item, Tree};
use smol_str::SmolStr;
use std::ops::Range;

/// The API group of all its documents.
pub(super) const GROUP_NAME: &str = "openchoreo.dev";

/// The API group, followed by the separator.
pub(super) const GROUP: &str = "openchoreo.dev/";

/// The key of a schema in OpenAPI.
pub(super) const OPENAPI: &str = "openAPIV3Schema";

/// The key of a schema in shorthand, in documents from the transition between the two forms.
pub(super) const SHORTHAND: &str = "ocSchema";

/// The key of all schemas of a document in releases before 1.0.
pub(super) const SCHEMA: &str = "schema";

/// Values that a component or other document sets for all environments.
pub(super) const PARAMETERS: &str = "parameters";

/// Values that are set per environment.
pub(super) const ENVIRONMENT: &str = "environmentConfigs";

/// Values that are set per environment, before 1.0.
pub(super) const OVERRIDES: &str = "envOverrides";

/// Values that the platform sets for a component's workflow.
pub(super) const SYSTEM: &str = "systemParameters";

/// Kinds of documents that contain schemas.
pub(super) const TYPES: &[&str] = &[
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

/// Kinds that may be named in place of each other.
const ALTERNATIVES: &[&[&str]] = &[
    &["ComponentType", "ClusterComponentType"],
    &["Trait", "ClusterTrait"],
    &["Workflow", "ClusterWorkflow", "ComponentWorkflow"],
    &["ResourceType", "ClusterResourceType"],
    &["ProjectType", "ClusterProjectType"],
    &["Environment"],
    &["DeploymentPipeline"],
    &["DataPlane", "ClusterDataPlane"],
    &["BuildPlane", "ClusterBuildPlane"],
    &["WorkflowPlane", "ClusterWorkflowPlane"],
    &["ObservabilityPlane", "ClusterObservabilityPlane"],
    &["ComponentRelease"],
    &["Component"],
    &["Project"],
    &["Resource"],
];

/// References to other documents in a document's spec: the document's kinds, the keys to the name, where `[]` stands for
/// each item, and the default kind of the document named.
const REFERENCES: &[(&[&str], &[&str], &str)] = &[
    (&["Project"], &["deploymentPipelineRef"], "DeploymentPipeline"),
    (&["DeploymentPipeline"], &["promotionPaths", "[]", "sourceEnvironmentRef"], "Environment"),
    (&["DeploymentPipeline"], &["promotionPaths", "[]", "targetEnvironmentRefs", "[]"], "Environment"),
    (&["Environment"], &["dataPlaneRef"], "DataPlane"),
    (&["DataPlane", "BuildPlane", "WorkflowPlane"], &["observabilityPlaneRef"], "ObservabilityPlane"),
    (
        &["ClusterDataPlane", "ClusterBuildPlane", "ClusterWorkflowPlane"],
        &["observabilityPlaneRef"],
        "ClusterObservabilityPlane",
    ),
    (&["Workflow", "ComponentWorkflow"], &["buildPlaneRef"], "BuildPlane"),
    (&["ClusterWorkflow"], &["buildPlaneRef"], "ClusterBuildPlane"),
    (&["Workflow"], &["workflowPlaneRef"], "WorkflowPlane"),
    (&["ClusterWorkflow"], &["workflowPlaneRef"], "ClusterWorkflowPlane"),
    (&["ReleaseBinding"], &["releaseName"], "ComponentRelease"),
    (&["ReleaseBinding", "ResourceReleaseBinding", "ProjectReleaseBinding"], &["environment"], "Environment"),
];

/// The owners of a document: the keys below `spec.owner`, with the kind that each names.
const OWNERS: &[(&str, &str)] =
    &[("projectName", "Project"), ("componentName", "Component"), ("resourceName", "Resource")];

/// Whether documents of a kind have expressions in their texts, by the version of the kind with its group.
pub(crate) fn has_expressions(version: &str, kind: &str) -> bool {
    version.starts_with(GROUP) && TYPES.contains(&kind)
}

/// The templates of resources in a document.
pub(crate) fn templates<'t>(root: &WrittenSteps<'t>) -> Vec<WrittenSteps<'t>> {
    let Some(spec) = root.key("spec") else { return Vec::new() };
    let items = ["resources", "creates"].into_iter().flat_map(|list| few(&spec, list));
    let of_items = items.filter_map(|item| item.key("template"));
    spec.key("runTemplate").into_iter().chain(of_items).collect()
}

/// Whether a kind is one of workflows.
pub(super) fn is_workflow(kind: &str) -> bool {
    kind.ends_with("Workflow")
}

/// The keys of schemas, with the slot by which references name them.
pub(super) const SLOTS: &[(&str, &str)] =
    &[(PARAMETERS, PARAMETERS), (ENVIRONMENT, ENVIRONMENT), (OVERRIDES, ENVIRONMENT), (SYSTEM, SYSTEM)];

/// The key of a schema below `spec.schema`, in releases before 1.0.
pub(super) fn key_before_1_0(slot: &str) -> Option<&'static str> {
    // If there are several keys, the last is the older one.
    SLOTS.iter().rev().find(|(_, known)| *known == slot).map(|(key, _)| *key)
}

/// The form of a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// OpenAPI.
    OpenApi,
    /// Shorthand, with custom types inside.
    Inline,
    /// Shorthand, with custom types beside it.
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

/// All claims in a document.
pub(super) fn claims(document: &Document<'_>, number: usize) -> Vec<Claim> {
    let mut claims = Vec::new();
    for resource in resources_in(document, number, SEMANTICS.profile) {
        of_resource(&resource, &mut claims);
    }
    claims
}

/// All claims in an item of a list.
pub(super) fn claims_in_item(item: &Item<'_>) -> Vec<Claim> {
    let mut claims = Vec::new();
    for resource in resources_in_item(item, SEMANTICS.profile) {
        of_resource(&resource, &mut claims);
    }
    claims
}

fn of_resource(resource: &Resource<'_>, claims: &mut Vec<Claim>) {
    let Resource { document, root, version, kind } = resource;
    if let Some(kind) = kind.as_ref().filter(|_| version.starts_with(GROUP)) {
        of_document(*document, root, kind, claims);
    }
}

/// The schema of a file without a document around it: one slot of a type.
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
    // The first releases of workflows had only parameters, without a section name.
    if sections.is_empty() && kind.ends_with("Workflow") && schema.key(shorthand::TYPES).is_none() {
        found.push((schema, PARAMETERS));
    }
    found.extend(sections);
    found
}

/// The state while the parts of a document are claimed.
struct Claimed<'c> {
    document: usize,
    namespace: Option<SmolStr>,
    claims: &'c mut Vec<Claim>,
}

/// The kind of a trait instance of a component, which bindings name by component and instance, with a slash between. An
/// empty instance stands for all traits of the component, and shows that the component's traits are known.
const INSTANCE: &str = "trait instance";

fn of_document(document: usize, root: &WrittenSteps<'_>, kind: &str, claims: &mut Vec<Claim>) {
    let metadata = |key| root.key("metadata")?.key(key);
    let namespace = metadata("namespace").and_then(|it| it.text());
    // A document without a name is still being written.
    let written = metadata("name");
    let name = written.as_ref().and_then(|it| it.text()).unwrap_or_default();
    let mut claimed = Claimed { document, namespace, claims };
    if let Some(written) = written {
        let role = Role::Name(claimed.named(kind, &name, ""));
        claimed.claims.extend(written.claim_text(document, 0..name.len(), role));
    }
    let Some(spec) = root.key("spec") else { return };
    for (_, keys, default) in REFERENCES.iter().filter(|(kinds, ..)| kinds.contains(&kind)) {
        for reference in spec.reached(keys) {
            claimed.reference(reference, default);
        }
    }
    if TYPES.contains(&kind) {
        for (schema, slot) in schemas(&spec, kind) {
            let role = Role::Schema(claimed.named(kind, &name, slot));
            claimed.claims.push(schema.claim(document, role));
        }
        let default = if kind.starts_with("Cluster") { "ClusterTrait" } else { "Trait" };
        for attached in spec.key("traits").map(|traits| traits.items()).unwrap_or_default() {
            claimed.parameters(&attached, &attached, default, Role::Computed);
            for key in [ENVIRONMENT, OVERRIDES] {
                claimed.governed(&attached, &attached, key, ENVIRONMENT, default, Role::Computed);
            }
            claimed.reference(attached, default);
        }
        for (key, default) in [("allowedTraits", default), ("allowedWorkflows", "ClusterWorkflow")] {
            for allowed in spec.key(key).map(|allowed| allowed.items()).unwrap_or_default() {
                // A workflow given only by name may be of either of two kinds.
                if key == "allowedTraits" || allowed.text().is_none() {
                    claimed.reference(allowed, default);
                }
            }
        }
        return;
    }
    for (key, kind) in OWNERS {
        if let Some(owner) = spec.key("owner").and_then(|owner| owner.key(key)) {
            claimed.reference(owner, kind);
        }
    }
    let key = |key| spec.key(key);
    match kind {
        "Component" => {
            let traits = key("traits").map(|traits| traits.items()).unwrap_or_default();
            // An instance whose name is missing may be any that is named elsewhere.
            let are_named = traits.iter().all(|attached| attached.text_at("instanceName").is_some());
            if let Some(written) = metadata("name").filter(|_| are_named) {
                let role = Role::Name(claimed.named(INSTANCE, &format!("{name}/"), ""));
                claimed.claims.push(written.claim(document, role));
            }
            if let Some(reference) = key("componentType") {
                claimed.typed(&spec, reference, kind, &name, "ComponentType");
            }
            for attached in traits {
                claimed.parameters(&attached, &attached, "Trait", Role::Instance);
                let written = attached.key("instanceName");
                if let Some((written, instance)) = written.and_then(|it| Some((it.clone(), it.text()?))) {
                    let own = format!("{name}/{instance}");
                    claimed.link(&attached, INSTANCE, &own, "Trait");
                    let role = Role::Name(claimed.named(INSTANCE, &own, ""));
                    claimed.claims.extend(written.claim_text(document, 0..instance.len(), role));
                }
                claimed.reference(attached, "Trait");
            }
            claimed.workflow(&spec, kind);
        }
        "WorkflowRun" | "ComponentWorkflowRun" => claimed.workflow(&spec, kind),
        "Resource" | "Project" => {
            let default = if kind == "Resource" { "ResourceType" } else { "ProjectType" };
            if let Some(reference) = key("type") {
                claimed.typed(&spec, reference, kind, &name, default);
            }
        }
        "ReleaseBinding" => {
            for key in ["componentTypeEnvironmentConfigs", "componentTypeEnvOverrides"] {
                claimed.owned(&spec, "Component", "componentName", key);
            }
            let owner = spec.key("owner").and_then(|owner| owner.key("componentName")?.text()).unwrap_or_default();
            for key in ["traitEnvironmentConfigs", "traitOverrides"] {
                let Some(traits) = spec.key(key) else { continue };
                for instance in traits.keys() {
                    let Some(values) = traits.key(&instance) else { continue };
                    let own = format!("{owner}/{instance}");
                    let role = Role::Reference(claimed.named(INSTANCE, &own, ""), &[INSTANCE]);
                    claimed.claims.push(values.clone().claim(document, role));
                    let name = claimed.named(INSTANCE, &own, ENVIRONMENT);
                    claimed.claims.push(values.claim(document, Role::Linked(name)));
                }
            }
        }
        "ResourceReleaseBinding" => {
            claimed.owned(&spec, "Resource", "resourceName", "resourceTypeEnvironmentConfigs");
        }
        "ProjectReleaseBinding" => claimed.owned(&spec, "Project", "projectName", ENVIRONMENT),
        _ => {}
    }
}

impl Claimed<'_> {
    /// A name in the namespace of the document; cluster-wide kinds have no namespace.
    fn named(&self, kind: &str, name: &str, slot: &'static str) -> SchemaName {
        let namespace = self.namespace.clone().filter(|_| !kind.starts_with("Cluster"));
        SchemaName { kind: kind.into(), name: name.into(), namespace, slot }
    }

    /// The schema of the document that a reference names.
    fn referred(&self, reference: &WrittenSteps<'_>, default: &str, slot: &'static str) -> Option<SchemaName> {
        let (kind, name, _) = referent(reference, default)?;
        Some(self.named(&kind, &name, slot))
    }

    /// Values below a key, governed by the schema of the document that a reference names.
    fn governed(
        &mut self,
        holder: &WrittenSteps<'_>,
        reference: &WrittenSteps<'_>,
        key: &str,
        slot: &'static str,
        default: &str,
        role: fn(SchemaName) -> Role,
    ) {
        let (Some(values), Some(name)) = (holder.key(key), self.referred(reference, default, slot)) else { return };
        self.claims.push(values.claim(self.document, role(name)));
    }

    /// Parameters, which are an empty map if nothing is written. What is missing in them is then reported at the
    /// reference.
    fn parameters(
        &mut self,
        holder: &WrittenSteps<'_>,
        reference: &WrittenSteps<'_>,
        default: &str,
        role: fn(SchemaName) -> Role,
    ) {
        if holder.key(PARAMETERS).is_some() {
            return self.governed(holder, reference, PARAMETERS, PARAMETERS, default, role);
        }
        let Some(name) = self.referred(reference, default, PARAMETERS) else { return };
        let key = reference.key("name").map_or(reference.key_range(), |name| name.value().content_range());
        self.claims.push(holder.claim_missing(self.document, PARAMETERS, key, role(name)));
    }

    /// The parameters of a document with a type, and a link from its name to the type's other schema.
    fn typed(&mut self, spec: &WrittenSteps<'_>, reference: WrittenSteps<'_>, kind: &str, name: &str, default: &str) {
        self.parameters(spec, &reference, default, Role::Instance);
        self.link(&reference, kind, name, default);
        self.reference(reference, default);
    }

    /// A link under which bindings find the schema of the values per environment.
    fn link(&mut self, reference: &WrittenSteps<'_>, kind: &str, name: &str, default: &str) {
        let Some(to) = self.referred(reference, default, ENVIRONMENT) else { return };
        let role = Role::Link(self.named(kind, name, ENVIRONMENT), to);
        self.claims.push(reference.clone().claim(self.document, role));
    }

    /// Values per environment, below a key of a binding that names its owner.
    fn owned(&mut self, spec: &WrittenSteps<'_>, kind: &str, owner: &str, key: &str) {
        let owner = spec.key("owner").and_then(|it| it.key(owner)?.text());
        let (Some(values), Some(owner)) = (spec.key(key), owner) else { return };
        let name = self.named(kind, &owner, ENVIRONMENT);
        self.claims.push(values.claim(self.document, Role::Linked(name)));
    }

    fn workflow(&mut self, spec: &WrittenSteps<'_>, kind: &str) {
        let Some(workflow) = spec.key("workflow") else { return };
        let is_older = spec.key("componentType").is_some_and(|reference| reference.text().is_some());
        // Only workflows of the older kind get values from the platform.
        let default = if kind == "ComponentWorkflowRun" || workflow.key(SYSTEM).is_some() {
            "ComponentWorkflow"
        } else if is_older && workflow.key("kind").is_none() {
            // Components with a plain string as type are older than the kind that is the default today.
            return;
        } else {
            "ClusterWorkflow"
        };
        for slot in [PARAMETERS, SYSTEM] {
            self.governed(&workflow, &workflow, slot, slot, default, Role::Instance);
        }
        self.reference(workflow, default);
    }

    /// Claims the name in a reference, to a document of this kind unless the reference states another one.
    fn reference(&mut self, reference: WrittenSteps<'_>, default: &str) {
        let Some((kind, name, range)) = referent(&reference, default) else { return };
        let alternatives = ALTERNATIVES.iter().find(|kinds| kinds.contains(&default)).copied().unwrap_or_default();
        // A kind that cannot be meant is wrong itself, which its schema says.
        if !alternatives.contains(&kind.as_str()) {
            return;
        }
        let role = Role::Reference(self.named(&kind, &name, ""), alternatives);
        let place = if reference.text().is_some() { Some(reference) } else { reference.key("name") };
        self.claims.extend(place.and_then(|place| place.claim_text(self.document, range, role)));
    }
}

/// The kind and name in a reference, and the range of the name in its text: the reference is a string, or a map with
/// both. Component types have the kind of their workload before their name.
pub(super) fn referent(reference: &WrittenSteps<'_>, default: &str) -> Option<(SmolStr, SmolStr, Range<usize>)> {
    let (kind, text) = match reference.text() {
        Some(text) => (None, text),
        None => (reference.key("kind").and_then(|kind| kind.text()), reference.key("name")?.text()?),
    };
    let start = text.rfind('/').map_or(0, |at| at + 1);
    let name = SmolStr::from(text.get(start..).unwrap_or_default());
    Some((kind.unwrap_or_else(|| default.into()), name, start..text.len()))
}
