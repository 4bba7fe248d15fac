//! Which parts of manifests are schemas, and which documents they govern.

use super::{SEMANTICS, definition, names};
use crate::openchoreo;
use crate::resources::{API_VERSION, Resource, resources_in, resources_in_item};
use crate::{Claim, Role, SchemaName, WrittenSteps};
use lofting_syntax::resolve::{Resolved, resolve_plain};
use lofting_syntax::{Document, Item, Scalar, ValueKind};
use smol_str::SmolStr;

/// The key of a schema.
pub(super) const SCHEMA: &str = "openAPIV3Schema";

/// The schema of a version that the API server does not serve: no resource can be written in it.
pub const NOT_SERVED: &str = "openAPIV3Schema of a version that is not served";

/// The API group of custom resource definitions.
const DEFINITIONS: &str = "apiextensions.k8s.io/";

/// The kind of resources whose kind is not written yet.
pub(super) const UNWRITTEN: &str = "";

/// All claims in a document.
pub(super) fn claims(document: &Document<'_>, number: usize) -> Vec<Claim> {
    let mut claims = Vec::new();
    if number == 0 {
        names::kustomized(document, &mut claims);
    }
    for resource in resources_in(document, number, SEMANTICS.profile) {
        of_resource(resource, &mut claims);
    }
    claims
}

/// All claims in an item of a list.
pub(super) fn claims_in_item(item: &Item<'_>) -> Vec<Claim> {
    let mut claims = Vec::new();
    for resource in resources_in_item(item, SEMANTICS.profile) {
        of_resource(resource, &mut claims);
    }
    claims
}

fn of_resource(resource: Resource<'_>, claims: &mut Vec<Claim>) {
    if let Some(kind) = &resource.kind {
        names::claims(&resource, kind, claims);
    }
    let Resource { document, root, version, kind } = resource;
    match kind {
        None if !version.contains('/') => {}
        None => claims.push(root.claim(document, Role::Instance(name(UNWRITTEN.into(), version)))),
        Some(kind) if kind == definition::KIND && version.starts_with(DEFINITIONS) => {
            claims.push(root.clone().claim(document, Role::Instance(name(kind, version))));
            of_definition(document, &root, claims);
        }
        Some(kind) => {
            let has_templates = openchoreo::has_expressions(&version, &kind);
            let templates = if has_templates { openchoreo::templates(&root) } else { Vec::new() };
            claims.push(root.claim(document, Role::Instance(name(kind, version))));
            claims.extend(templates.into_iter().filter_map(|template| of_template(document, template)));
        }
    }
}

/// Claims a resource that another document is the template of.
fn of_template(document: usize, template: WrittenSteps<'_>) -> Option<Claim> {
    let written = |key| template.text_at(key).filter(|text| !text.is_empty() && !text.contains("${"));
    let name = name(written("kind")?, written(API_VERSION)?);
    Some(template.claim(document, Role::Patched(name)))
}

/// Claims the schemas of a definition's versions.
fn of_definition(document: usize, root: &WrittenSteps<'_>, claims: &mut Vec<Claim>) {
    let Some(spec) = root.key("spec") else { return };
    let group = spec.key("group").and_then(|group| group.text());
    let kind = spec.key("names").and_then(|names| names.key("kind")).and_then(|kind| kind.text());
    let (Some(group), Some(kind)) = (group, kind) else { return };
    // Before `apiextensions.k8s.io/v1`, one schema could apply to all versions.
    let shared = spec.key("validation").and_then(|validation| validation.key(SCHEMA));
    let versions = spec.key("versions").map(|versions| versions.items()).unwrap_or_default();
    for version in versions {
        let Some(number) = version.key("name").and_then(|name| name.text()) else { continue };
        let own = version.key("schema").and_then(|schema| schema.key(SCHEMA));
        if let Some(schema) = own.or_else(|| shared.clone()) {
            let name = name(kind.clone(), format!("{group}/{number}").into());
            let slot = if is_false(&version, "served") { NOT_SERVED } else { name.slot };
            claims.push(schema.claim(document, Role::Schema(SchemaName { slot, ..name })));
        }
    }
}

/// Whether the value of a key is false.
fn is_false(steps: &WrittenSteps<'_>, key: &str) -> bool {
    let scalar = || steps.key(key)?.value().scalar();
    let is_plain = |scalar: &Scalar<'_>| scalar.style() == ValueKind::Plain;
    let resolved = scalar().filter(is_plain).map(|scalar| resolve_plain(SEMANTICS.profile, &scalar.value()));
    matches!(resolved, Some(Resolved::Bool(false)))
}

/// The name of the schema of a kind: the kind, and the version of its API with the group.
pub fn name(kind: SmolStr, version: SmolStr) -> SchemaName {
    SchemaName { kind, name: version, namespace: None, slot: SCHEMA }
}
