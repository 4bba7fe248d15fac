//! Nodes that all references to a place share.
//!
//! A schema is read once for each *scope*: what the dynamic anchors mean on the way to it. Without dynamic anchors
//! there is one scope. Nothing recurses: a schema that is met gets its id and waits for its turn.

use super::drafts::Vocabulary;
use super::keywords::{Fault, FaultKind, no_schema};
use super::linked::Extent;
use super::openapi::{Contents, Version};
use super::resources::{ResourceId, Resources, Source, Target, address};
use super::rules::RefSibling;
use super::schema::{JsonSchemaReader, Keywords, NODES};
use super::scopes::{OUTERMOST, ScopeId, Scopes};
use lofting_document::{Key, MapItem, Node, NodeValue, Span};
use lofting_schema::{Clause, Declared, Facet, Kinds, SchemaId, SchemaNode};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

/// How many references may follow each other for the same value.
const CHAIN: usize = 10_000;

/// The places that references lead to, with their nodes.
pub(super) struct Locations<'n> {
    resources: Resources<'n>,
    scopes: Scopes<'n>,
    known: FxHashMap<(usize, ScopeId), SchemaId>,
    todo: Vec<Todo<'n>>,
    /// References with something beside them that were looked at already.
    siblings: FxHashSet<usize>,
    /// References that lead nowhere, which several scopes may share.
    broken: FxHashSet<Span>,
    /// Resource and scope of the schema that is being read.
    here: (ResourceId, ScopeId),
}

/// A schema that has its id but was not read yet.
struct Todo<'n> {
    id: SchemaId,
    node: &'n Node,
    declared: Declared,
    here: (ResourceId, ScopeId),
    /// It is the definition of quantities.
    is_quantity: bool,
}

/// The definition of quantities in Kubernetes' API.
const QUANTITY: &str = ".apimachinery.pkg.api.resource.Quantity";

/// Keywords that affect no verdict. They are read even where a reference makes everything beside it ignored.
const DOCUMENTATION: [&str; 10] = [
    "title",
    "description",
    "default",
    "deprecated",
    "deprecationMessage",
    "markdownDescription",
    "x-intellij-html-description",
    "examples",
    "defaultSnippets",
    "doNotSuggest",
];

/// The keywords that refer to other schemas.
pub(super) const REFERENCES: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];

impl<'n> Locations<'n> {
    pub fn of(sources: &[Source<'n>]) -> Self {
        let resources = Resources::of(sources, super::drafts::USUAL);
        Locations {
            scopes: Scopes::of(&resources),
            resources,
            known: FxHashMap::default(),
            todo: Vec::new(),
            siblings: FxHashSet::default(),
            broken: FxHashSet::default(),
            here: (0, OUTERMOST),
        }
    }

    /// Documents that are referred to and were not provided.
    pub fn wanted(self) -> Vec<String> {
        self.resources.wanted()
    }

    /// The vocabulary of the schema being read.
    pub fn vocabulary(&self) -> super::drafts::Vocabulary {
        self.resources.vocabulary_of(self.here.0)
    }

    /// Where a reference keyword leads.
    fn target(&mut self, keyword: &str, to: &str, here: (ResourceId, ScopeId)) -> Option<Target<'n>> {
        let target = self.resources.resolve(to, here.0)?;
        if keyword == "$ref" {
            return Some(target);
        }
        // A dynamic reference to a dynamic anchor means the outermost one of that name.
        let name = match keyword {
            "$recursiveRef" => "",
            _ => to.rsplit('#').next().unwrap_or_default(),
        };
        if !self.resources.is_dynamic_anchor(target.resource, name, target.node) {
            return Some(target);
        }
        let Some(node) = self.scopes.outermost(here.1, name) else { return Some(target) };
        let declared = Declared { span: node.span, name: node.span };
        let resource = self.resources.begins(node).or_else(|| self.resources.with_dynamic_anchor(node));
        Some(Target { node, resource: resource.unwrap_or(target.resource), declared })
    }
}

/// The reference that a schema consists of, if nothing else in it counts.
fn lone_reference(node: &Node, alone: bool) -> Option<(&'static str, &Node)> {
    let NodeValue::Map(items) = &node.value else { return None };
    let counts = |item: &MapItem| match item.key.as_str() {
        Some("$ref") => false,
        Some(key) => !alone || DOCUMENTATION.contains(&key),
        None => !alone,
    };
    if items.iter().any(counts) {
        return None;
    }
    Some(("$ref", node.get(&Key::from("$ref"))?))
}

impl<'n> JsonSchemaReader<'n> {
    /// Reads the schema that a fragment selects in the document, and everything it leads to.
    pub fn read_document(&mut self, root: &'n Node, fragment: &str, extent: Extent) -> SchemaId {
        let declared = Declared { span: root.span, name: root.span };
        let is_described = Version::of_document(root).is_some();
        let id = match (fragment, is_described) {
            ("", false) => self.shared(root, declared),
            ("", true) => self.all_of(Contents::of(root), declared),
            (fragment, _) => {
                let target = self.locations.as_mut().and_then(|it| it.resources.resolve(&format!("#{fragment}"), 0));
                match target {
                    Some(target) => self.located(target.node, target.declared, (target.resource, 0)),
                    None => self.add(SchemaNode::new(Facet::Unknown, declared)),
                }
            }
        };
        for keyword in ["definitions", "$defs"].into_iter().filter(|_| extent == Extent::Whole && !is_described) {
            if let Some(NodeValue::Map(definitions)) = root.get(&Key::from(keyword)).map(|node| &node.value) {
                for item in definitions {
                    self.shared(&item.value, Declared { span: item.span, name: item.key_span });
                }
            }
        }
        self.read_todo();
        if fragment.is_empty() && is_described {
            // Keywords are checked by the schema of OpenAPI documents.
            let is_of_keyword =
                |kind: &FaultKind| matches!(kind, FaultKind::NotDecodable { .. } | FaultKind::Refused { .. });
            self.faults.retain(|fault| !is_of_keyword(&fault.kind));
        }
        super::cycles::cut(&mut self.nodes);
        id
    }

    /// Reads all schemas of a document that is not a schema itself, and checks its references to other parts of it.
    fn all_of(&mut self, contents: Contents<'n>, declared: Declared) -> SchemaId {
        for (schema, declared) in contents.schemas {
            self.shared(schema, declared);
        }
        for reference in contents.references {
            // Documents of other files that hold, say, a response are not read here.
            if let NodeValue::String(to) = &reference.value
                && to.starts_with('#')
                && let Some(locations) = &mut self.locations
                && locations.resources.resolve(to, 0).is_none()
            {
                self.nowhere(reference, to, 0);
            }
        }
        self.add(SchemaNode::new(Facet::Unknown, declared))
    }

    fn read_todo(&mut self) {
        while let Some(todo) = self.locations.as_mut().and_then(|locations| locations.todo.pop()) {
            if let Some(locations) = &mut self.locations {
                locations.here = todo.here;
            }
            let mut node = self.of_value(todo.node, todo.declared);
            if todo.is_quantity {
                node.kinds = node.kinds | Kinds::NUMBER;
            }
            if let Some(place) = self.nodes.get_mut(todo.id.0 as usize) {
                *place = node;
            }
        }
    }

    /// The id of the schema in a value, within the resource and scope of the schema being read.
    pub(super) fn shared(&mut self, value: &'n Node, declared: Declared) -> SchemaId {
        let here = self.locations.as_ref().map_or((0, 0), |locations| locations.here);
        self.located(value, declared, here)
    }

    fn located(&mut self, value: &'n Node, declared: Declared, within: (ResourceId, ScopeId)) -> SchemaId {
        let (mut node, mut declared, mut here) = (value, declared, within);
        let mut is_quantity = false;
        let mut passed = FxHashSet::default();
        while let Some(locations) = &mut self.locations {
            here.0 = locations.resources.begins(node).unwrap_or(here.0);
            let Some(scope) = locations.scopes.enter(here.1, here.0, &locations.resources) else {
                return self.add(SchemaNode::new(Facet::Unknown, declared));
            };
            here.1 = scope;
            let vocabulary = locations.resources.vocabulary_of(here.0);
            let alone = vocabulary.reference_stands_alone();
            let Some((keyword, reference)) = lone_reference(node, alone) else { break };
            let NodeValue::String(to) = &reference.value else { break };
            let target = locations.target(keyword, to, here);
            if alone {
                self.siblings(node, vocabulary);
            }
            match target {
                Some(target) if passed.len() < CHAIN && passed.insert((address(target.node), here.1)) => {
                    (node, declared) = (target.node, target.declared);
                    here.0 = target.resource;
                    is_quantity = self.flavour.quantities && to.ends_with(QUANTITY);
                }
                // It leads nowhere, or in a cycle.
                found => {
                    if found.is_none() {
                        self.nowhere(reference, to, here.0);
                    }
                    return self.add(SchemaNode::new(Facet::Unknown, declared));
                }
            }
        }
        let Some(locations) = &mut self.locations else { return self.add(SchemaNode::new(Facet::Unknown, declared)) };
        let place = (address(node), here.1);
        if let Some(known) = locations.known.get(&place) {
            return *known;
        }
        let id = SchemaId(self.nodes.len() as u32);
        if self.nodes.len() < NODES {
            locations.known.insert(place, id);
            locations.todo.push(Todo { id, node, declared, here, is_quantity });
        }
        self.add(SchemaNode::new(Facet::Unknown, declared))
    }

    /// Reports keywords that have no effect because of the reference beside them.
    fn siblings(&mut self, node: &'n Node, vocabulary: Vocabulary) {
        let NodeValue::Map(items) = &node.value else { return };
        let named = |name: &str| items.iter().find(|item| item.key.as_str() == Some(name));
        let Some(reference) = named("$ref").filter(|item| matches!(item.value.value, NodeValue::String(_))) else {
            return;
        };
        let Some(locations) = self.locations.as_mut().filter(|_| items.len() > 1) else { return };
        if !locations.siblings.insert(address(node)) {
            return;
        }
        let about = RefSibling {
            draft: vocabulary.draft,
            is_named: vocabulary.is_named,
            is_open_api: vocabulary.nullable.is_some(),
            reference: reference.span,
            can_be_wrapped: named("allOf").is_none(),
        };
        let refuses = |keyword: &&str| VALIDATION.contains(keyword) || APPLICATORS.contains(keyword);
        self.faults.extend(items.iter().filter_map(|item| {
            let keyword =
                item.key.as_str().filter(|keyword| refuses(keyword) || vocabulary.nullable == Some(keyword))?;
            let kind = FaultKind::RefSibling { keyword: keyword.into(), about };
            Some(Fault { span: item.key_span, kind })
        }));
    }

    fn nowhere(&mut self, reference: &Node, to: &SmolStr, within: ResourceId) {
        let is_new = |locations: &mut Locations<'_>| locations.broken.insert(reference.span);
        if self.locations.as_mut().is_none_or(is_new) {
            let uri = self.locations.as_ref().and_then(|locations| locations.resources.document_of(to, within));
            let kind = FaultKind::ReferencePath { to: to.clone(), uri: uri.unwrap_or_default() };
            self.faults.push(Fault { span: reference.span, kind });
        }
    }

    /// The node for a value that is a schema.
    fn of_value(&mut self, value: &'n Node, declared: Declared) -> SchemaNode {
        let items = match &value.value {
            NodeValue::Bool(true) => return SchemaNode::new(Facet::Any, declared),
            NodeValue::Bool(false) => {
                return SchemaNode { kinds: Kinds::NONE, ..SchemaNode::new(Facet::Any, declared) };
            }
            NodeValue::Map(items) => items,
            other => {
                if !value.missing && *other != NodeValue::Unknown {
                    self.faults.push(no_schema(value));
                }
                return SchemaNode::new(Facet::Unknown, declared);
            }
        };
        let vocabulary = self.locations.as_ref().map(Locations::vocabulary);
        let vocabulary = vocabulary.unwrap_or_else(|| super::drafts::USUAL.vocabulary());
        let alone = vocabulary.reference_stands_alone() && value.get(&Key::from("$ref")).is_some();
        let counts = |item: &&MapItem| match item.key.as_str() {
            Some(key) if alone => key == "$ref" || DOCUMENTATION.contains(&key),
            Some(key) if !vocabulary.validation && VALIDATION.contains(&key) => false,
            Some(key) => vocabulary.later(key).is_none(),
            _ => true,
        };
        if alone {
            self.siblings(value, vocabulary);
        }
        // OpenAPI's own schema has a say about the keywords of its versions.
        if self.locations.is_some() && !alone && vocabulary.nullable.is_none() {
            self.faults.extend(items.iter().filter_map(|item| {
                let keyword = item.key.as_str()?;
                let kind = FaultKind::LaterKeyword {
                    keyword: keyword.into(),
                    named: vocabulary.draft,
                    since: vocabulary.later_on_its_own(keyword)?,
                };
                Some(Fault { span: item.key_span, kind })
            }));
        }
        let keywords = Keywords(items.iter().filter(counts).collect());
        let mut node = self.of_keywords(&keywords, declared);
        node.judged = self.flavour.judged.and_then(|judged| judged(value));
        for keyword in REFERENCES {
            let Some(reference) = keywords.get(keyword) else { continue };
            let NodeValue::String(to) = &reference.value else { continue };
            let Some(locations) = &mut self.locations else { continue };
            let here = locations.here;
            match locations.target(keyword, to, here) {
                Some(target) => {
                    let id = self.located(target.node, target.declared, (target.resource, here.1));
                    node.clauses.push(Clause::All(vec![id]));
                }
                None => self.nowhere(reference, to, here.0),
            }
        }
        node
    }
}

/// Keywords by which a schema refuses values with the help of other schemas, and `format`.
const APPLICATORS: &[&str] = &[
    "properties",
    "patternProperties",
    "additionalProperties",
    "propertyNames",
    "items",
    "prefixItems",
    "additionalItems",
    "contains",
    "dependencies",
    "dependentSchemas",
    "unevaluatedProperties",
    "unevaluatedItems",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "format",
];

/// Keywords of the validation vocabulary.
const VALIDATION: &[&str] = &[
    "type",
    "const",
    "enum",
    "multipleOf",
    "maximum",
    "exclusiveMaximum",
    "minimum",
    "exclusiveMinimum",
    "maxLength",
    "minLength",
    "pattern",
    "maxItems",
    "minItems",
    "uniqueItems",
    "maxContains",
    "minContains",
    "maxProperties",
    "minProperties",
    "required",
    "dependentRequired",
];
