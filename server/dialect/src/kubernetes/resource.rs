//! What the API server knows of every resource, whatever its schema says: that it has an `apiVersion`, a `kind` and
//! `metadata`, and that undeclared keys are refused.

use super::identity::{Identity, Metadata, NameForm};
use super::rules::resource_meta;
use super::structure::{DEPTH, Structured, get, is_set};
use super::{BUNDLED, SEMANTICS};
use crate::claim::below;
use crate::json_schema;
use lofting_diagnostic::Diagnostic;
use lofting_document::{Key, MapItem, Node, NodeValue, Notes};
use lofting_memo::to_the_end;
use lofting_schema::{Clause, Judge, Judged, Schema, SchemaId};
use std::sync::{Arc, LazyLock};

/// What resources have in common.
const RESOURCE: &str = include_str!("metadata.json");

/// The metadata of resources inside others.
const WITHIN: Metadata = Metadata { named: NameForm::Segment, is_required: false };

const EMBEDDED: &str = "x-kubernetes-embedded-resource";
const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";

/// A schema whose maps have only the keys that are declared, unless it says otherwise: strict decoding refuses others.
pub(super) fn pruned(mut schema: Schema, places: &[Structured<'_>]) -> Schema {
    for Structured { node, id, .. } in places {
        let of = get(node, "type").map(|of| &of.value);
        let is_object = matches!(of, Some(NodeValue::String(of)) if of == "object");
        let says_more = |keyword| get(node, keyword).is_some_and(|node| !matches!(node.value, NodeValue::Null));
        let is_open = is_set(node, PRESERVE) || says_more("additionalProperties") || node.partial;
        if is_object && !is_open && get(node, "properties").is_none_or(|node| !node.partial) {
            schema = schema.closed_at(*id);
        }
    }
    schema
}

/// Adds what every resource has, to the root and to resources inside it.
pub(super) fn with_resources(mut schema: Schema, places: &[Structured<'_>]) -> Schema {
    static ROOT: LazyLock<Option<Schema>> =
        LazyLock::new(|| to_the_end(|| resource(Metadata { named: NameForm::Subdomain, is_required: true })));
    static INNER: LazyLock<Option<Schema>> = LazyLock::new(|| to_the_end(|| resource(WITHIN)));
    if let Some(resource) = &*ROOT {
        let with = schema.adopt(resource);
        let root = schema.root();
        schema = schema.with_keys_of(root, with);
    }
    let mut within: Option<SchemaId> = None;
    for place in places.iter().filter(|place| is_set(place.node, EMBEDDED)) {
        let Some(resource) = &*INNER else { continue };
        let with = match within {
            Some(with) => with,
            None => schema.adopt(resource),
        };
        within = Some(with);
        schema = schema.with_keys_of(place.id, with);
    }
    schema
}

/// Defaults inside the metadata of resources inside others that the server refuses: it looks at each in metadata that
/// has nothing else.
pub(super) fn wrong_defaults(places: &[Structured<'_>]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let within = places.iter().filter(|place| is_set(place.node, EMBEDDED));
    let metadata = within.filter_map(|place| get(get(place.node, "properties")?, "metadata"));
    let mut open: Vec<(&Node, Vec<Key>)> = metadata.map(|metadata| (metadata, Vec::new())).collect();
    while let Some((schema, path)) = open.pop() {
        let default = get(schema, "default").filter(|default| default.value != NodeValue::Null);
        // The default of all metadata is a value that has its rules.
        if let Some(default) = default.filter(|_| !path.is_empty()) {
            let whole = path.iter().rev().fold(default.clone(), |value, key| within_map(key, value));
            for broken in Identity::Metadata(WITHIN).broken(&whole) {
                let wrong = broken.at.iter().skip(path.len()).try_fold(default, below).unwrap_or(default);
                found.push(resource_meta::finding(wrong.span, format!("the default does not fit: {}", broken.message)));
            }
        }
        if let Some(NodeValue::Map(properties)) = get(schema, "properties").map(|own| &own.value)
            && path.len() < DEPTH
        {
            let inside = properties
                .iter()
                .map(|item| (&item.value, [path.as_slice(), std::slice::from_ref(&item.key)].concat()));
            open.extend(inside);
        }
    }
    found
}

/// A map with one key.
fn within_map(key: &Key, value: Node) -> Node {
    let span = value.span;
    let item = MapItem {
        key: key.clone(),
        key_span: span,
        span,
        value,
        notes: Notes::default(),
        merged: false,
        conditional: false,
    };
    Node::new(NodeValue::Map(vec![item].into()), span)
}

/// The schema of a custom resource that is known without its definition, with what every resource has.
pub(super) fn of_kind(schema: Schema) -> Schema {
    with_resources(schema, &[])
}

/// The schema of definitions, with the metadata that all resources have. Its rules say what their names are.
pub(super) fn of_definitions(mut schema: Schema) -> Schema {
    if let Some(resource) = resource(Metadata { named: NameForm::Anything, is_required: false }) {
        let with = schema.adopt(&resource);
        let root = schema.root();
        schema = schema.with_keys_of(root, with);
    }
    schema
}

/// The schema of resources with such metadata.
fn resource(metadata: Metadata) -> Option<Schema> {
    let mut schema = json_schema::built_in_schema(RESOURCE, &BUNDLED, &SEMANTICS)?;
    for (key, identity) in
        [("apiVersion", Identity::Version), ("kind", Identity::Kind), ("metadata", Identity::Metadata(metadata))]
    {
        let declared = schema.node(schema.root()).map.as_deref()?.get(&Key::from(key))?.schema;
        schema = schema.judged(declared, Judged(Arc::new(identity)));
    }
    Some(schema)
}

/// The groups of Kubernetes itself, besides those without a domain.
const GROUPS: [&str; 18] = [
    "admissionregistration.k8s.io",
    "apiextensions.k8s.io",
    "apiregistration.k8s.io",
    "authentication.k8s.io",
    "authorization.k8s.io",
    "certificates.k8s.io",
    "coordination.k8s.io",
    "discovery.k8s.io",
    "events.k8s.io",
    "flowcontrol.apiserver.k8s.io",
    "internal.apiserver.k8s.io",
    "networking.k8s.io",
    "node.k8s.io",
    "rbac.authorization.k8s.io",
    "resource.k8s.io",
    "scheduling.k8s.io",
    "storage.k8s.io",
    "storagemigration.k8s.io",
];

/// A schema of a bundle, with what the API server says of names of this kind, and of keys of Kubernetes' own kinds, which
/// it refuses if they are not declared.
pub(super) fn identified(schema: Schema, group: &str, kind: &str) -> Schema {
    let is_own = !group.contains('.') || GROUPS.contains(&group);
    let schema = if is_own { schema.strict() } else { schema };
    let root = schema.root();
    let declared = |id, name: &str| Some(schema.node(id).map.as_deref()?.get(&Key::from(name))?.schema);
    let Some(shared) = declared(referred(&schema, root), "metadata").map(|id| referred(&schema, id)) else {
        return schema;
    };
    // Metadata of lists is other metadata.
    if declared(shared, "labels").is_none() || declared(shared, "name").is_none() {
        return schema;
    }
    // What is asked of the server has no name.
    let is_required = is_own && !QUESTIONS.contains(&group);
    let own = Metadata { named: NameForm::of_kind(group, kind), is_required };
    let within = Metadata { named: NameForm::Anything, is_required: false };
    let schema = schema.judged(root, Judged(Arc::new(Identity::Names(own))));
    // Pods and others are made of templates, whose names nothing reads.
    schema.judged(shared, Judged(Arc::new(Identity::Metadata(within))))
}

/// Groups of kinds that are questions to the server and not stored.
const QUESTIONS: [&str; 2] = ["authentication.k8s.io", "authorization.k8s.io"];

/// How many references may follow each other.
const REFERENCES: usize = 8;

/// The node with the map that a node refers to, or the node itself.
fn referred(schema: &Schema, id: SchemaId) -> SchemaId {
    let mut at = id;
    for _ in 0..REFERENCES {
        let node = schema.node(at);
        match &node.clauses[..] {
            [Clause::All(only)] if node.map.is_none() && only.len() == 1 => at = only[0],
            _ => break,
        }
    }
    at
}
