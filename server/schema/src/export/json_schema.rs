//! JSON Schema (2020-12), with all that the OpenAPI export leaves out: validations as keywords where
//! they can be said, every example, deprecation texts, defaults of maps.
//!
//! The result never refuses what ytt accepts, with one exception that serves its reader: lengths
//! count characters instead of bytes.

use super::{DEPTH, NOWHERE, Object, known_default, list, text};
use crate::{Constraint, ConstraintKind, MapShape, Rest, Schema, SchemaId, SchemaNode, Shape};
use lofting_document::{Key, Node, NodeValue};

/// The whole schema.
pub fn json_schema(schema: &Schema) -> Node {
    let mut out = Object::default();
    out.text("$schema", "https://json-schema.org/draft/2020-12/schema");
    write_node(schema, schema.root(), 0, &mut out);
    out.finish()
}

fn node(schema: &Schema, id: SchemaId, depth: usize) -> Node {
    let mut out = Object::default();
    write_node(schema, id, depth, &mut out);
    out.finish()
}

fn write_node(schema: &Schema, id: SchemaId, depth: usize, out: &mut Object) {
    let node = schema.node(id);
    if depth > DEPTH {
        return;
    }
    documentation(node, out);
    let not_null = node.constraints.iter().any(|one| matches!(one.kind, ConstraintKind::NotNull) && !one.conditional);
    let null = node.nullable && !not_null;
    match (type_name(node.shape()), null) {
        (Some(name), true) => out.set("type", list([text(name), text("null")])),
        (Some(name), false) => out.text("type", name),
        (None, _) if not_null => {
            let mut is_null = Object::default();
            is_null.text("type", "null");
            out.set("not", is_null.finish());
        }
        (None, _) => {}
    }
    match node.shape() {
        Shape::Map(map) => {
            // A key of JSON is text.
            let mut properties = Object::default();
            for key in &map.keys {
                properties.set(key.key.to_string().as_str(), self::node(schema, key.schema, depth + 1));
            }
            out.set("properties", properties.finish());
            let required = map.keys.iter().filter(|key| key.required).map(|key| text(&key.key.to_string()));
            let required: Vec<Node> = required.collect();
            if !required.is_empty() {
                out.set("required", list(required));
            }
            match map.rest {
                Rest::Closed => out.flag("additionalProperties", false),
                Rest::Open | Rest::Unread => {}
                Rest::Schema(rest) => out.set("additionalProperties", self::node(schema, rest, depth + 1)),
            }
        }
        Shape::Array(array) => out.set("items", self::node(schema, array.item, depth + 1)),
        Shape::Union(members) => {
            out.set("anyOf", list(members.iter().map(|member| self::node(schema, *member, depth + 1))));
        }
        _ => {}
    }
    for constraint in &node.constraints {
        keyword(schema, node, constraint, null, out);
    }
    let rules: Vec<Node> = node.rules.iter().filter_map(|rule| rule.description.as_deref().map(text)).collect();
    if !rules.is_empty() {
        out.set("x-ytt-validation", list(rules));
    }
    if let Some(default) = known_default(schema, id).filter(is_json) {
        out.set("default", default);
    }
}

/// Whether JSON can say the value: it knows no infinity.
fn is_json(value: &Node) -> bool {
    let mut open = vec![value];
    while let Some(node) = open.pop() {
        match &node.value {
            NodeValue::Float(number) if !number.is_finite() => return false,
            NodeValue::Map(items) => open.extend(items.iter().map(|item| &item.value)),
            NodeValue::Array(items) => open.extend(items.iter().map(|item| &item.value)),
            _ => {}
        }
    }
    true
}

fn documentation(node: &SchemaNode, out: &mut Object) {
    let docs = &node.docs;
    if let Some(title) = docs.title.as_ref().filter(|title| !title.text.is_empty()) {
        out.text("title", &title.text);
    }
    if let Some(description) = docs.description.as_ref().filter(|description| !description.text.is_empty()) {
        out.text("description", &description.text);
    }
    if let Some(deprecated) = &docs.deprecated {
        out.flag("deprecated", true);
        if !deprecated.text.is_empty() {
            // Not in the standard, but what YAML and JSON editors show.
            out.text("deprecationMessage", &deprecated.text);
        }
    }
    let examples: Vec<Node> = docs
        .examples
        .iter()
        .map(|example| &example.value)
        .filter(|value| value.is_known() && is_json(value))
        .cloned()
        .collect();
    if !examples.is_empty() {
        out.set("examples", list(examples));
    }
}

/// A validation as a keyword, where JSON Schema has one that means the same.
fn keyword(schema: &Schema, node: &SchemaNode, constraint: &Constraint, null: bool, out: &mut Object) {
    if constraint.conditional {
        return;
    }
    let length = |names: [&'static str; 3]| match node.shape() {
        Shape::String => Some(names[0]),
        Shape::Array(_) => Some(names[1]),
        Shape::Map(_) => Some(names[2]),
        _ => None,
    };
    match &constraint.kind {
        ConstraintKind::Min(bound) => number("minimum", bound, out),
        ConstraintKind::Max(bound) => number("maximum", bound, out),
        ConstraintKind::ExclusiveMin(bound) => number("exclusiveMinimum", bound, out),
        ConstraintKind::ExclusiveMax(bound) => number("exclusiveMaximum", bound, out),
        ConstraintKind::MultipleOf(factor) => out.set("multipleOf", Node::new(NodeValue::Float(*factor), NOWHERE)),
        ConstraintKind::MinLength(bound) => {
            if let Some(name) = length(["minLength", "minItems", "minProperties"]) {
                // Keys that are not written still count in ytt: they have defaults.
                if !matches!(node.shape(), Shape::Map(_)) {
                    out.set(name, Node::new(NodeValue::Int((*bound).max(0)), NOWHERE));
                }
            }
        }
        ConstraintKind::MaxLength(bound) => {
            if let Some(name) = length(["maxLength", "maxItems", "maxProperties"]) {
                out.set(name, Node::new(NodeValue::Int((*bound).max(0)), NOWHERE));
            }
        }
        ConstraintKind::OneOf(values) => {
            if values.iter().all(|value| value.is_known() && is_json(value)) {
                let null = null.then(|| Node::new(NodeValue::Null, NOWHERE));
                out.set("enum", list(values.iter().cloned().chain(null)));
            }
        }
        ConstraintKind::OneNotNull(keys) => {
            if let Shape::Map(map) = node.shape() {
                one_not_null(schema, map, keys.as_deref(), out);
            }
        }
        ConstraintKind::Pattern(pattern) => out.text("pattern", &pattern.source),
        ConstraintKind::Format(name) | ConstraintKind::FormatHint(name) => out.text("format", name),
        ConstraintKind::UniqueItems => out.flag("uniqueItems", true),
        ConstraintKind::NotNull => {}
    }
}

fn number(name: &str, bound: &Node, out: &mut Object) {
    if matches!(bound.value, NodeValue::Int(_) | NodeValue::Float(_)) && is_json(bound) {
        out.set(name, bound.clone());
    }
}

/// Exactly one key set: can be said only where a key that is not written is null.
fn one_not_null(schema: &Schema, map: &MapShape, keys: Option<&[Key]>, out: &mut Object) {
    let names: Vec<Key> = match keys {
        Some(keys) => keys.to_vec(),
        None => map.keys.iter().map(|key| key.key.clone()).collect(),
    };
    let null_by_default = |name: &Key| match map.get(name).and_then(|key| schema.node(key.schema).default.as_ref()) {
        Some(default) => matches!(default.value.value, NodeValue::Null),
        None => false,
    };
    if names.is_empty() || !names.iter().all(null_by_default) {
        return;
    }
    let branches = names.iter().map(|name| {
        let mut is_null = Object::default();
        is_null.text("type", "null");
        let mut not = Object::default();
        not.set("not", is_null.finish());
        let mut property = Object::default();
        property.set(name.to_string().as_str(), not.finish());
        let mut branch = Object::default();
        branch.set("required", list([text(&name.to_string())]));
        branch.set("properties", property.finish());
        branch.finish()
    });
    out.set("oneOf", list(branches));
}

fn type_name(shape: Shape<'_>) -> Option<&'static str> {
    match shape {
        Shape::Map(_) => Some("object"),
        Shape::Array(_) => Some("array"),
        Shape::String => Some("string"),
        Shape::Int => Some("integer"),
        Shape::Float => Some("number"),
        Shape::Bool => Some("boolean"),
        Shape::Null => Some("null"),
        Shape::Any | Shape::Unknown | Shape::Union(_) => None,
    }
}
