//! Values as an API server has them before rules are compared: nulls are dropped, and missing keys have their defaults.
//!
//! Only the node that declares a key fills it. Alternatives beside it judge the filled value, so they are compared with a
//! copy. Everything else is compared with the value as it is written, whose places findings need.

use super::{Place, Visit, Walk};
use crate::view::{DEPTH, Kind, NodeView, View, to_node_within};
use lofting_document::{ArrayItem, Key, MapItem, Node, NodeValue, Span};
use lofting_schema::semantics::Filled;
use lofting_schema::{KeyChild, MapShape, Schema, SchemaId};
use rustc_hash::FxHashSet;

/// How many values a filled copy has at most. Larger ones are compared as they are written.
const VALUES: usize = 200_000;

impl<'a, V: View> Walk<'_, 'a, V> {
    /// Whether defaults and dropped nulls change values before they are compared.
    fn fills(&self) -> bool {
        self.check.fills_defaults() && self.schema.semantics().filled.is_before_comparing()
    }

    /// Whether a null below a key is dropped or replaced before the map is compared.
    pub(super) fn drops_null(&self, shape: &MapShape, key: &Key, id: SchemaId) -> bool {
        self.fills() && drops_null(self.schema, shape, key, id)
    }

    /// Compares the filled value with the clauses of a node. Returns whether it may differ from what is written; if it
    /// does not, nothing was compared.
    pub(super) fn filled_clauses(&mut self, visit: &Visit<'a, V>, kind: Kind) -> bool {
        if !self.fills() || self.is_filled || !kind.is_collection() {
            return false;
        }
        if !is_changed(self.schema, visit.value, visit.id, 0) {
            return false;
        }
        let mut filling = Filling { schema: self.schema, left: VALUES };
        let Some(filled) = filling.value(visit.value, visit.id, None, visit.place.name, 0) else { return false };
        let path = self.path(visit.place, None);
        let mut inner = Walk {
            paths: std::mem::take(&mut self.paths),
            suggestions: self.suggestions,
            cut_reported: self.cut_reported,
            is_value: self.is_value,
            is_filled: true,
            root: path,
            ..Walk::new(self.check)
        };
        let place = Place { name: visit.place.name, parent: path, path: Some(path) };
        let value = NodeView(&filled);
        inner.clauses(&visit.with(value, place), kind);
        inner.finish();
        self.paths = inner.paths;
        (self.suggestions, self.cut_reported) = (inner.suggestions, inner.cut_reported);
        self.found.more += inner.found.more;
        for finding in inner.found.findings {
            self.found.add(finding, self.check.limit);
        }
        true
    }
}

/// Whether null under a key of a map stands for a missing key: where null is not allowed. A null instead of a required
/// value stays, so that it can be shown as what is wrong.
fn drops_null(schema: &Schema, shape: &MapShape, key: &Key, id: SchemaId) -> bool {
    let node = schema.node(id);
    let is_dropped = || schema.semantics().filled == Filled::MissingAndNull && !shape.required.contains(key);
    !node.nullable && (node.default.is_some() || is_dropped())
}

/// The number of keys that a map has once nulls are dropped and defaults filled in.
pub(in crate::values) fn filled_count<V: View>(schema: &Schema, shape: &MapShape, value: V) -> usize {
    let keys = schema.semantics().keys;
    let mut given: FxHashSet<Key> = FxHashSet::default();
    for entry in value.entries() {
        let key = keys.named(entry.key);
        let is_dropped = entry.value.kind() == Kind::Null
            && matches!(shape.child(&key), KeyChild::Child(child) if drops_null(schema, shape, &key, child.schema));
        if !is_dropped {
            given.insert(key);
        }
    }
    let has_default = |id: SchemaId| schema.node(id).default.is_some();
    let filled = shape.keys.iter().filter(|declared| has_default(declared.schema) && !given.contains(&declared.key));
    given.len() + filled.count()
}

/// Whether a default is filled in, or a null dropped, somewhere in a value. Most values have all that is asked for, and
/// are not copied.
fn is_changed<V: View>(schema: &Schema, value: V, id: SchemaId, depth: usize) -> bool {
    let node = schema.node(id);
    if depth > DEPTH / 4 {
        return false;
    }
    match (value.kind(), &node.map, &node.array) {
        (Kind::Map, Some(shape), _) => {
            let keys = schema.semantics().keys;
            let mut given: FxHashSet<Key> = FxHashSet::default();
            for entry in value.entries() {
                let key = keys.named(entry.key);
                let KeyChild::Child(child) = shape.child(&key) else { continue };
                let is_dropped = || entry.value.kind() == Kind::Null && drops_null(schema, shape, &key, child.schema);
                if is_dropped() || is_changed(schema, entry.value, child.schema, depth + 1) {
                    return true;
                }
                if schema.node(child.schema).default.is_some() {
                    given.insert(key);
                }
            }
            shape
                .keys
                .iter()
                .any(|declared| schema.node(declared.schema).default.is_some() && !given.contains(&declared.key))
        }
        (Kind::Array, _, Some(array)) => {
            let mut items = value.items().enumerate();
            items.any(|(index, item)| is_changed(schema, item.value, array.child(index).schema, depth + 1))
        }
        _ => false,
    }
}

struct Filling<'s> {
    schema: &'s Schema,
    /// How many more values may be copied.
    left: usize,
}

impl Filling<'_> {
    /// A copy of a value with its defaults. None if it is too large or partly unknown. `given`: the place of everything
    /// in it, if it is itself a default. `name`: the key of the value.
    fn value<V: View>(
        &mut self,
        value: V,
        id: SchemaId,
        given: Option<Span>,
        name: Span,
        depth: usize,
    ) -> Option<Node> {
        if depth > DEPTH / 4 {
            return None;
        }
        let node = self.schema.node(id);
        let content = match (value.kind(), &node.map, &node.array) {
            (Kind::Map, Some(shape), _) => self.map(value, shape, given, name, depth)?,
            (Kind::Array, _, Some(array)) => {
                let mut items = Vec::new();
                for (index, item) in value.all_items()?.into_iter().enumerate() {
                    let span = given.unwrap_or(item.span);
                    let value = self.value(item.value, array.child(index).schema, given, span, depth + 1)?;
                    items.push(ArrayItem { span, value, notes: Default::default(), conditional: false });
                }
                NodeValue::Array(items)
            }
            _ => {
                let copy = to_node_within(value, &mut self.left, depth)?;
                return Some(given.map_or(copy.clone(), |span| Node { span, ..copy }));
            }
        };
        self.left = self.left.checked_sub(1)?;
        Some(Node { missing: value.is_missing(), ..Node::new(content, given.unwrap_or(value.span())) })
    }

    fn map<V: View>(
        &mut self,
        value: V,
        shape: &MapShape,
        given: Option<Span>,
        name: Span,
        depth: usize,
    ) -> Option<NodeValue> {
        let keys = self.schema.semantics().keys;
        let item = |key: Key, span: Span, value: Node| MapItem {
            key,
            key_span: span,
            span,
            value,
            notes: Default::default(),
            merged: false,
            conditional: false,
        };
        let mut items: Vec<MapItem> = Vec::new();
        for entry in value.all_entries()? {
            let (key, span) = (keys.named(entry.key), given.unwrap_or(entry.key_span));
            let value = match shape.child(&key) {
                KeyChild::Child(child) => {
                    let is_null = entry.value.kind() == Kind::Null;
                    if is_null && drops_null(self.schema, shape, &key, child.schema) {
                        continue;
                    }
                    self.value(entry.value, child.schema, given, span, depth + 1)?
                }
                _ => to_node_within(entry.value, &mut self.left, depth)?,
            };
            items.push(item(key, span, value));
        }
        let written: FxHashSet<Key> = items.iter().map(|item| item.key.clone()).collect();
        for declared in &shape.keys {
            let Some(default) = &self.schema.node(declared.schema).default else { continue };
            if written.contains(&declared.key) {
                continue;
            }
            let at = given.unwrap_or(name);
            let value = self.value(NodeView(&default.value), declared.schema, Some(at), at, depth + 1)?;
            items.push(item(declared.key.clone(), at, value));
        }
        Some(NodeValue::Map(items.into()))
    }
}
