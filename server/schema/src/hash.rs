//! A hash of what a schema means: equal for schemas that differ only in where things are written.

use crate::{Clause, Constraint, ConstraintKind, MapShape, Rest, Schema, SchemaNode, Text};
use lofting_document::{Key, Node, NodeValue};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

impl Schema {
    /// Equal for equal meaning; spans do not count. Values need no new check while it stays the same
    /// (places shown in messages may move).
    pub fn meaning_hash(&self) -> u64 {
        let mut hasher = FxHasher::default();
        self.root().hash(&mut hasher);
        for (_, node) in self.nodes() {
            node_meaning(node, &mut hasher);
        }
        hasher.finish()
    }
}

fn node_meaning(node: &SchemaNode, hasher: &mut FxHasher) {
    (node.kinds, node.known, node.nullable).hash(hasher);
    if let Some(map) = &node.map {
        map_meaning(map, hasher);
    }
    if let Some(array) = &node.array {
        (&array.prefix, array.item).hash(hasher);
    }
    for clause in &node.clauses {
        clause_meaning(clause, hasher);
    }
    if let Some(default) = &node.default {
        value(&default.value, hasher);
    }
    for constraint in &node.constraints {
        constraint_meaning(constraint, hasher);
    }
    for rule in &node.rules {
        rule.description.hash(hasher);
        // The source is not at hand; its length at least changes with most edits.
        rule.span.range().len().hash(hasher);
    }
    for text in [&node.docs.title, &node.docs.description, &node.docs.deprecated, &node.docs.removed] {
        text.as_ref().map(|Text { text, .. }| text).hash(hasher);
    }
    for example in &node.docs.examples {
        example.description.hash(hasher);
        value(&example.value, hasher);
    }
}

fn clause_meaning(clause: &Clause, hasher: &mut FxHasher) {
    std::mem::discriminant(clause).hash(hasher);
    match clause {
        Clause::All(members) | Clause::Any(members) | Clause::One(members) => members.hash(hasher),
        Clause::Not(schema) => schema.hash(hasher),
        Clause::If { condition, then, otherwise } => (condition, then, otherwise).hash(hasher),
        Clause::Dependent { key, schema } => (key, schema).hash(hasher),
    }
}

fn map_meaning(map: &MapShape, hasher: &mut FxHasher) {
    for key in &map.keys {
        (&key.key, key.schema, key.required).hash(hasher);
    }
    map.required.hash(hasher);
    for (pattern, schema) in &map.patterns {
        (&pattern.source, schema).hash(hasher);
    }
    match map.rest {
        Rest::Closed => 0u8.hash(hasher),
        Rest::Open => 1u8.hash(hasher),
        Rest::Unread => 3u8.hash(hasher),
        Rest::Schema(schema) => (2u8, schema).hash(hasher),
    }
}

fn constraint_meaning(constraint: &Constraint, hasher: &mut FxHasher) {
    std::mem::discriminant(&constraint.kind).hash(hasher);
    constraint.conditional.hash(hasher);
    match &constraint.kind {
        ConstraintKind::Min(bound)
        | ConstraintKind::Max(bound)
        | ConstraintKind::ExclusiveMin(bound)
        | ConstraintKind::ExclusiveMax(bound) => value(bound, hasher),
        ConstraintKind::MultipleOf(number) => number.to_bits().hash(hasher),
        ConstraintKind::MinLength(length) | ConstraintKind::MaxLength(length) => length.hash(hasher),
        ConstraintKind::OneOf(values) => values.iter().for_each(|one| value(one, hasher)),
        ConstraintKind::OneNotNull(keys) => keys.hash(hasher),
        ConstraintKind::Pattern(pattern) => pattern.source.hash(hasher),
        ConstraintKind::Format(name) => name.hash(hasher),
        ConstraintKind::NotNull | ConstraintKind::UniqueItems => {}
    }
}

fn value(node: &Node, hasher: &mut FxHasher) {
    std::mem::discriminant(&node.value).hash(hasher);
    node.partial.hash(hasher);
    match &node.value {
        NodeValue::Bool(value) => value.hash(hasher),
        NodeValue::Int(value) => value.hash(hasher),
        NodeValue::Float(value) => value.to_bits().hash(hasher),
        NodeValue::String(text) => text.hash(hasher),
        NodeValue::Map(items) => {
            items.len().hash(hasher);
            for item in items {
                Key::hash(&item.key, hasher);
                value(&item.value, hasher);
            }
        }
        NodeValue::Array(items) => {
            items.len().hash(hasher);
            items.iter().for_each(|item| value(&item.value, hasher));
        }
        NodeValue::Null | NodeValue::Unknown => {}
    }
}
