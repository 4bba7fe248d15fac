//! What applies to the values at places that are alike: schema nodes, and the language of texts there. Items of an array
//! are alike, so a long file has few contexts.

use crate::token_kinds::SemanticModifiers;
use lofting_dialect::inside::TextReader;
use lofting_schema::{Joined, KeyChild, Schema, SchemaId, SchemaNode, Step, Via};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A context, by its number among the known ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct ContextId(u32);

impl ContextId {
    /// Nothing is known.
    pub const NONE: ContextId = ContextId(0);
}

/// A node of one of the file's schemas, which are numbered.
pub(super) type Node = (usize, SchemaId);

/// A path from the root of a document, where languages may read texts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub document: usize,
    pub path: Vec<Step>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
struct Context {
    nodes: Vec<Node>,
    place: Option<Place>,
}

/// One step below a context.
#[derive(Debug, Clone, Copy)]
pub(super) struct Below {
    pub context: ContextId,
    /// What the schema says about the key, if it knows it or does not allow it.
    pub key: Option<SemanticModifiers>,
}

/// All contexts that were met.
pub(super) struct Contexts {
    list: Vec<(Context, Option<TextReader>)>,
    ids: FxHashMap<Context, ContextId>,
    below: FxHashMap<(ContextId, Step), Below>,
    /// Nodes with those that their clauses name: every key of a map is looked for in all of them.
    joined: FxHashMap<Node, Joined>,
}

impl Default for Contexts {
    fn default() -> Self {
        Contexts {
            list: vec![(Context::default(), None)],
            ids: FxHashMap::default(),
            below: FxHashMap::default(),
            joined: FxHashMap::default(),
        }
    }
}

/// The maximum number of steps that are remembered; others are taken again.
const STEPS: usize = 100_000;

/// With more contexts than this it is better to start again: most belong to keys that have changed since. A file in
/// which people still type has fewer; in a larger one, each walk would start again.
const MOST: usize = 250_000;

impl Contexts {
    /// Whether so much is remembered that it is better to start again.
    pub fn is_full(&self) -> bool {
        self.list.len() >= MOST
    }

    /// The language of texts at a place.
    pub fn reader(&self, id: ContextId) -> Option<TextReader> {
        self.list.get(id.0 as usize)?.1
    }

    /// The context with these schema nodes at a place.
    pub fn get(
        &mut self,
        nodes: Vec<Node>,
        place: Option<Place>,
        read: &dyn Fn(&Place) -> Option<TextReader>,
    ) -> ContextId {
        if nodes.is_empty() && place.is_none() {
            return ContextId::NONE;
        }
        let context = Context { nodes, place };
        if let Some(id) = self.ids.get(&context) {
            return *id;
        }
        let id = ContextId(u32::try_from(self.list.len()).unwrap_or(0));
        let reader = context.place.as_ref().and_then(read);
        self.ids.insert(context.clone(), id);
        self.list.push((context, reader));
        id
    }

    /// The context one step below. `governed` are the nodes of a schema that governs exactly this part.
    pub fn step(
        &mut self,
        schemas: &[Arc<Schema>],
        from: ContextId,
        step: Step,
        read: &dyn Fn(&Place) -> Option<TextReader>,
    ) -> Below {
        let nothing = Below { context: ContextId::NONE, key: None };
        if from == ContextId::NONE {
            return nothing;
        }
        let key = (from, step);
        if let Some(known) = self.below.get(&key) {
            return *known;
        }
        let Some((context, _)) = self.list.get(from.0 as usize) else { return nothing };
        let (mut nodes, mut meaning) = (Vec::new(), None);
        for (number, node) in &context.nodes {
            let Some(schema) = schemas.get(*number) else { continue };
            let joined = self.joined.entry((*number, *node)).or_insert_with(|| schema.all_joined(*node));
            let found = below(schema, joined, &key.1);
            nodes.extend(found.nodes.into_iter().map(|node| (*number, node)));
            meaning = meaning.or(found.key);
        }
        nodes.dedup();
        let place = context.place.as_ref().map(|place| {
            let path = place.path.iter().chain([&key.1]).cloned().collect();
            Place { document: place.document, path }
        });
        let found = Below { context: self.get(nodes, place, read), key: meaning };
        if self.below.len() < STEPS {
            self.below.insert(key, found);
        }
        found
    }

    /// The context at the same place with other nodes.
    pub fn governed(
        &mut self,
        at: ContextId,
        nodes: Vec<Node>,
        read: &dyn Fn(&Place) -> Option<TextReader>,
    ) -> ContextId {
        let place = self.list.get(at.0 as usize).and_then(|(context, _)| context.place.clone());
        self.get(nodes, place, read)
    }
}

/// What a schema node says about the value one step below.
struct Declarations {
    nodes: Vec<SchemaId>,
    key: Option<SemanticModifiers>,
}

fn below(schema: &Schema, from: &Joined, step: &Step) -> Declarations {
    let step = match step {
        Step::Key(key) => &Step::Key(schema.semantics().keys.named(key.clone())),
        other => other,
    };
    let children = schema.children_among(from, step);
    let nodes: Vec<SchemaId> = children.iter().flat_map(|child| schema.speaking(child.schema)).collect();
    let Step::Key(name) = step else { return Declarations { nodes, key: None } };
    let maps = || schema.speaking_among(from).filter_map(|node| schema.node(node).map.as_deref());
    if children.iter().any(|child| child.via == Via::Declared) {
        let declared = children.iter().filter(|child| child.via == Via::Declared).map(|child| child.schema);
        let is_old = declared.chain(nodes.iter().copied()).any(|node| is_deprecated(schema.node(node)));
        let is_required = maps().any(|map| map.get(name).is_some_and(|key| key.required));
        let modifiers =
            SemanticModifiers::DEPRECATED.only_if(is_old) | SemanticModifiers::REQUIRED.only_if(is_required);
        return Declarations { nodes, key: Some(modifiers) };
    }
    let is_unknown =
        |map: &lofting_schema::MapShape| matches!(map.child(name), KeyChild::Undeclared | KeyChild::Unread);
    let undeclared = maps().next().is_some() && maps().all(is_unknown);
    Declarations { nodes, key: undeclared.then_some(SemanticModifiers::UNDECLARED) }
}

/// Whether a key with this node should not be used any more.
pub(super) fn is_deprecated(node: &SchemaNode) -> bool {
    node.docs.deprecated.is_some() || node.docs.removed.is_some()
}
