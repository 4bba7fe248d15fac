//! The schema resources of all documents that are read together: their URIs, their anchors, and the targets of
//! references.

use super::drafts::{Draft, Vocabulary, meta_schema};
use super::openapi::Version;
use super::uri::{join, pointer};
use lofting_document::{Key, MapItem, Node, NodeValue};
use lofting_schema::Declared;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

/// A document and its URI.
#[derive(Debug, Clone, Copy)]
pub struct Source<'n> {
    /// The URI, without fragment.
    pub uri: &'n str,
    /// Its content.
    pub root: &'n Node,
    /// Keywords beside a `$ref` count in all drafts ([`Documents::joins_references`](super::Documents::joins_references)).
    pub joins_references: bool,
}

/// Identifies a schema resource, which is a schema with a URI of its own.
pub(super) type ResourceId = usize;

/// A schema with a URI.
struct Resource<'n> {
    uri: String,
    root: &'n Node,
    vocabulary: Vocabulary,
    /// Its dynamic anchors in the order found, the outermost first; the empty name stands for `$recursiveAnchor`.
    dynamic: Vec<(SmolStr, &'n Node)>,
}

/// The target of a reference.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target<'n> {
    /// The schema.
    pub node: &'n Node,
    /// The resource it is in.
    pub resource: ResourceId,
    /// Where it is declared.
    pub declared: Declared,
}

/// All resources of the documents.
pub(super) struct Resources<'n> {
    list: Vec<Resource<'n>>,
    by_uri: FxHashMap<String, ResourceId>,
    /// Resources, by the address of their root.
    roots: FxHashMap<usize, ResourceId>,
    anchors: FxHashMap<(ResourceId, SmolStr), Target<'n>>,
    /// The dynamic anchors of all resources, with the addresses of their schemas.
    dynamic: FxHashSet<(ResourceId, SmolStr, usize)>,
    /// The first resource with a dynamic anchor at an address.
    with_dynamic: FxHashMap<usize, ResourceId>,
    /// Documents that are referred to and not available, each once.
    wanted: Vec<String>,
    asked: FxHashSet<String>,
}

/// The role of a value inside a schema.
#[derive(Clone, Copy)]
enum Subschemas {
    Schema,
    /// A list of schemas, or one.
    Schemas,
    /// A map from names to schemas.
    Named,
}

/// The role of a keyword's value, if it contains schemas.
fn subschemas_of(keyword: &str) -> Option<Subschemas> {
    Some(match keyword {
        "additionalProperties"
        | "additionalItems"
        | "contains"
        | "not"
        | "if"
        | "then"
        | "else"
        | "propertyNames"
        | "unevaluatedItems"
        | "unevaluatedProperties"
        | "contentSchema" => Subschemas::Schema,
        "items" | "allOf" | "anyOf" | "oneOf" | "prefixItems" => Subschemas::Schemas,
        "properties" | "patternProperties" | "definitions" | "$defs" | "dependentSchemas" | "dependencies" => {
            Subschemas::Named
        }
        _ => return None,
    })
}

/// The text of a keyword.
fn text<'n>(schema: &'n Node, keyword: &str) -> Option<&'n SmolStr> {
    match &schema.get(&Key::from(keyword))?.value {
        NodeValue::String(text) => Some(text),
        _ => None,
    }
}

/// The identity of a node.
pub(super) fn address(node: &Node) -> usize {
    std::ptr::from_ref(node).addr()
}

impl<'n> Resources<'n> {
    /// Collects the resources of these documents, the first of which is the one to read. Schemas that name no draft use
    /// `usual`.
    pub fn of(sources: &[Source<'n>], usual: Draft) -> Self {
        let mut resources = Resources {
            list: Vec::new(),
            by_uri: FxHashMap::default(),
            roots: FxHashMap::default(),
            anchors: FxHashMap::default(),
            dynamic: FxHashSet::default(),
            with_dynamic: FxHashMap::default(),
            wanted: Vec::new(),
            asked: FxHashSet::default(),
        };
        let metas: FxHashMap<&str, &Node> = sources.iter().map(|source| (source.uri, source.root)).collect();
        let mut usual = Vocabulary { is_named: false, ..usual.vocabulary() };
        for (number, source) in sources.iter().enumerate() {
            let version = Version::of_document(source.root);
            let of_version = version.map(|version| version.vocabulary(source.root));
            let vocabulary = of_version.or_else(|| resources.vocabulary(source.root, &metas)).unwrap_or(usual);
            if number == 0 {
                // Documents that name no draft use that of the document referring to them.
                usual = vocabulary;
            }
            let vocabulary = Vocabulary { joins_references: source.joins_references, ..vocabulary };
            let id = resources.add(source.uri.to_owned(), source.root, vocabulary);
            resources.look_at(id, &metas);
        }
        resources
    }

    fn add(&mut self, uri: String, root: &'n Node, vocabulary: Vocabulary) -> ResourceId {
        let id = self.list.len();
        self.by_uri.entry(uri.clone()).or_insert(id);
        self.roots.insert(address(root), id);
        self.list.push(Resource { uri, root, vocabulary, dynamic: Vec::new() });
        id
    }

    /// The vocabulary of the meta-schema that `$schema` names.
    fn vocabulary(&mut self, schema: &'n Node, metas: &FxHashMap<&str, &'n Node>) -> Option<Vocabulary> {
        let mut uri = text(schema, "$schema")?.trim_end_matches('#');
        if let Some(draft) = Draft::of_meta_schema(uri) {
            return Some(draft.vocabulary());
        }
        // A custom meta-schema, which names a meta-schema itself.
        let named = uri;
        for _ in 0..META {
            let Some(meta) = metas.get(uri) else {
                self.want(uri);
                return None;
            };
            uri = text(meta, "$schema")?.trim_end_matches('#');
            if let Some(draft) = Draft::of_meta_schema(uri) {
                return metas.get(named).map(|meta| Vocabulary::of_meta_schema(meta, draft));
            }
        }
        None
    }

    /// Collects the resources and anchors of a document.
    fn look_at(&mut self, root: ResourceId, metas: &FxHashMap<&str, &'n Node>) {
        let Some(node) = self.list.get(root).map(|resource| resource.root) else { return };
        let declared = Declared { span: node.span, name: node.span };
        let mut todo = vec![(node, Subschemas::Schema, root, declared)];
        while let Some((node, place, resource, declared)) = todo.pop() {
            match (&node.value, place) {
                (NodeValue::Map(items), Subschemas::Named) => {
                    for item in items {
                        todo.push((&item.value, Subschemas::Schema, resource, of_item(item)));
                    }
                }
                (NodeValue::Array(items), Subschemas::Schemas) => {
                    for item in items {
                        todo.push((&item.value, Subschemas::Schema, resource, of_node(&item.value)));
                    }
                }
                (NodeValue::Map(items), Subschemas::Schema | Subschemas::Schemas) => {
                    let resource = self.name(node, resource, declared, metas);
                    for item in items {
                        if let Some(place) = item.key.as_str().and_then(subschemas_of) {
                            todo.push((&item.value, place, resource, of_item(item)));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Notes the URI and anchors of a schema, and returns its resource.
    fn name(
        &mut self,
        node: &'n Node,
        within: ResourceId,
        declared: Declared,
        metas: &FxHashMap<&str, &'n Node>,
    ) -> ResourceId {
        let Some(outer) = self.list.get(within) else { return within };
        let (outer_uri, mut vocabulary) = (outer.uri.clone(), outer.vocabulary);
        let is_root = std::ptr::eq(outer.root, node);
        let mut id = within;
        if vocabulary.reference_stands_alone() && node.get(&Key::from("$ref")).is_some() {
            return id;
        }
        if text(node, vocabulary.draft.id()).is_some() || text(node, "$schema").is_some() {
            let named = self.vocabulary(node, metas).unwrap_or(vocabulary);
            vocabulary = Vocabulary { joins_references: vocabulary.joins_references, ..named };
        }
        if let Some(own) = text(node, vocabulary.draft.id()) {
            let (uri, fragment) = join(&outer_uri, own);
            if is_root {
                self.by_uri.entry(uri.clone()).or_insert(within);
                if let Some(resource) = self.list.get_mut(within) {
                    resource.uri = uri;
                }
            } else if !own.starts_with('#') {
                id = self.add(uri, node, vocabulary);
            }
            if !fragment.is_empty() && vocabulary.draft.names_anchors_by_id() {
                self.anchors.insert((id, fragment.into()), Target { node, resource: id, declared });
            }
        }
        let mut dynamic = Vec::new();
        if let Some(anchor) = text(node, "$anchor") {
            self.anchors.insert((id, anchor.clone()), Target { node, resource: id, declared });
        }
        if let Some(anchor) = text(node, "$dynamicAnchor") {
            self.anchors.insert((id, anchor.clone()), Target { node, resource: id, declared });
            dynamic.push((anchor.clone(), node));
        }
        let recursive = node.get(&Key::from("$recursiveAnchor")).map(|node| &node.value);
        if recursive == Some(&NodeValue::Bool(true)) {
            dynamic.push((SmolStr::default(), node));
        }
        for (anchor, _) in &dynamic {
            self.dynamic.insert((id, anchor.clone(), address(node)));
            self.with_dynamic.entry(address(node)).or_insert(id);
        }
        if let Some(resource) = self.list.get_mut(id) {
            resource.dynamic.append(&mut dynamic);
        }
        id
    }

    /// The resource that begins with this schema; None if it belongs to the enclosing one.
    pub fn begins(&self, node: &Node) -> Option<ResourceId> {
        self.roots.get(&address(node)).copied()
    }

    /// The vocabulary of a resource.
    pub fn vocabulary_of(&self, resource: ResourceId) -> Vocabulary {
        self.list.get(resource).map_or(super::drafts::USUAL.vocabulary(), |resource| resource.vocabulary)
    }

    /// The dynamic anchors of a resource.
    pub fn dynamic(&self, resource: ResourceId) -> &[(SmolStr, &'n Node)] {
        self.list.get(resource).map(|resource| resource.dynamic.as_slice()).unwrap_or_default()
    }

    /// How many dynamic anchors there are.
    pub fn dynamic_anchors(&self) -> usize {
        self.dynamic.len()
    }

    /// Whether a schema has this dynamic anchor in a resource.
    pub fn is_dynamic_anchor(&self, resource: ResourceId, name: &str, node: &Node) -> bool {
        self.dynamic.contains(&(resource, name.into(), address(node)))
    }

    /// The resource in which a schema has a dynamic anchor.
    pub fn with_dynamic_anchor(&self, node: &Node) -> Option<ResourceId> {
        self.with_dynamic.get(&address(node)).copied()
    }

    /// The target of a reference in a resource; None if it does not exist.
    pub fn resolve(&mut self, reference: &str, within: ResourceId) -> Option<Target<'n>> {
        let base = &self.list.get(within)?.uri;
        let (uri, fragment) = join(base, reference);
        let id = if reference.starts_with('#') || reference.is_empty() { Some(within) } else { None };
        let id = id.or_else(|| self.by_uri.get(uri.as_str()).copied());
        let Some(id) = id else {
            self.want(&uri);
            return None;
        };
        if let Some(steps) = pointer(&fragment) {
            return self.at(id, &steps);
        }
        self.anchors.get(&(id, super::uri::decoded(&fragment).into())).copied()
    }

    /// The URI of the document that a reference in a resource names.
    pub fn document_of(&self, reference: &str, within: ResourceId) -> Option<SmolStr> {
        Some(join(&self.list.get(within)?.uri, reference).0.into())
    }

    /// The value at the end of a path from a resource's root.
    fn at(&self, id: ResourceId, steps: &[String]) -> Option<Target<'n>> {
        let root = self.list.get(id)?.root;
        let mut target = Target { node: root, resource: id, declared: of_node(root) };
        for step in steps {
            let (node, declared) = match &target.node.value {
                NodeValue::Map(items) => {
                    let item = items.shown_as(step)?;
                    (&item.value, of_item(item))
                }
                NodeValue::Array(items) => {
                    let item = items.get(step.parse::<usize>().ok()?)?;
                    (&item.value, of_node(&item.value))
                }
                _ => return None,
            };
            target = Target { node, resource: self.begins(node).unwrap_or(target.resource), declared };
        }
        Some(target)
    }

    /// The nearest place to one that a reference names and that is not there, as a reference: its last step is another.
    pub fn nearest(&self, reference: &str, within: ResourceId) -> Option<String> {
        let base = &self.list.get(within)?.uri;
        let (uri, fragment) = join(base, reference);
        let is_here = reference.starts_with('#');
        let id = if is_here { within } else { self.by_uri.get(uri.as_str()).copied()? };
        let (document, _) = reference.split_once('#')?;
        if !fragment.starts_with('/') {
            // A pointer without its first slash.
            let steps = pointer(&format!("/{fragment}")).filter(|_| !fragment.is_empty())?;
            return self.at(id, &steps).map(|_| format!("{document}#/{fragment}"));
        }
        let (above, wrong) = fragment.rsplit_once('/')?;
        let wrong = pointer(&format!("/{wrong}"))?.pop()?;
        let place = self.at(id, &pointer(above)?);
        let names: Vec<&str> = match place.map(|place| &place.node.value) {
            Some(NodeValue::Map(items)) => items.iter().filter_map(|item| item.key.as_str()).collect(),
            _ => Vec::new(),
        };
        let meant = |above: &str, names: &[&str]| {
            let name = lofting_diagnostic::suggest::nearest(&wrong, names.iter().copied())?;
            Some(format!("{document}#{above}/{}", name.replace('~', "~0").replace('/', "~1")))
        };
        if let Some(found) = meant(above, &names) {
            return Some(found);
        }
        // It may be in the other place for definitions.
        let others = ["/definitions", "/$defs"].into_iter().filter(|other| *other != above);
        others.into_iter().find_map(|other| {
            let to = format!("{document}#{other}/{}", wrong.replace('~', "~0").replace('/', "~1"));
            let steps = pointer(to.split_once('#')?.1)?;
            self.at(id, &steps).map(|_| to)
        })
    }

    fn want(&mut self, uri: &str) {
        if self.asked.insert(uri.to_owned()) {
            self.wanted.push(uri.to_owned());
        }
    }

    /// The URIs of documents that are referred to and not available.
    pub fn wanted(self) -> Vec<String> {
        self.wanted
    }
}

/// How many meta-schemas are followed to find a draft.
const META: usize = 8;

/// The text of a built-in document.
pub(super) fn built_in(uri: &str) -> Option<&'static str> {
    meta_schema(uri.trim_end_matches('#'))
}

fn of_item(item: &MapItem) -> Declared {
    Declared { span: item.span, name: item.key_span }
}

fn of_node(node: &Node) -> Declared {
    Declared { span: node.span, name: node.span }
}
