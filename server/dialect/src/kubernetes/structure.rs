//! The structure of a schema: the schemas of the parts of values, without alternatives, which only restrict them.

use lofting_document::{Key, Node, NodeValue};
use lofting_schema::{Schema, SchemaId, Via};
use serde_json::Value as Json;
use smol_str::SmolStr;

/// More deeply nested values are not looked at.
pub(super) const DEPTH: usize = 100;

/// A schema in the structure.
#[derive(Debug)]
pub(super) struct Structured<'n> {
    /// As it is written.
    pub node: &'n Node,
    /// The node that was read from it.
    pub id: SchemaId,
    /// The keywords that lead to it.
    pub path: Vec<SmolStr>,
    /// Whether it is known which value before a change became one of its values.
    pub has_past: bool,
}

/// All of them, the root first.
pub(super) fn structure<'n>(schema: &Schema, written: &'n Node) -> Vec<Structured<'n>> {
    let mut found = Vec::new();
    let mut open = vec![Structured { node: written, id: schema.root(), path: Vec::new(), has_past: true }];
    while let Some(place) = open.pop() {
        if place.path.len() <= 2 * DEPTH {
            open.extend(below(schema, &place));
            found.push(place);
        }
    }
    found
}

/// The schemas of the parts of values.
fn below<'n>(schema: &Schema, around: &Structured<'n>) -> Vec<Structured<'n>> {
    let (own, node) = (schema.node(around.id), around.node);
    let is_one_of = |keyword, allowed: &[&str]| text(node, keyword).is_some_and(|(_, of)| allowed.contains(&&*of));
    let map_type = "x-kubernetes-map-type";
    let is_known_map = get(node, map_type).is_none() || is_one_of(map_type, &["granular", "atomic"]);
    let place = |node, id, more: &[&str], keeps_past: bool| Structured {
        node,
        id,
        path: around.path.iter().cloned().chain(more.iter().map(SmolStr::new)).collect(),
        has_past: around.has_past && keeps_past,
    };
    let mut found = Vec::new();
    let child = |key: &Key, via: Via| {
        let children = own.map.as_deref().map(|map| map.children(key)).unwrap_or_default();
        children.into_iter().find(|child| child.via == via).map(|child| child.schema)
    };
    if let Some(NodeValue::Map(properties)) = get(node, "properties").map(|own| &own.value) {
        for property in properties.iter() {
            let name = property.key.to_string();
            let declared = child(&Key::from(name.as_str()), Via::Declared);
            let value = &property.value;
            found.extend(declared.map(|id| place(value, id, &["properties", &name], is_known_map)));
        }
    }
    if let (Some(array), Some(items)) = (&own.array, get(node, "items")) {
        // Other items cannot be told apart.
        let has_keys = is_one_of("x-kubernetes-list-type", &["map"]);
        found.push(place(items, array.item, &["items"], has_keys));
    }
    // A key that no schema declares leads to the rule for all others.
    if let (Some(rest), Some(others)) = (child(&Key::Null, Via::Rest), get(node, "additionalProperties")) {
        found.push(place(others, rest, &["additionalProperties"], is_known_map));
    }
    found
}

/// Whether a flag is set.
pub(super) fn is_set(node: &Node, keyword: &str) -> bool {
    matches!(get(node, keyword).map(|node| &node.value), Some(NodeValue::Bool(true)))
}

/// The value of a keyword.
pub(super) fn get<'n>(node: &'n Node, keyword: &str) -> Option<&'n Node> {
    let NodeValue::Map(items) = &node.value else { return None };
    items.iter().find(|item| item.key.as_str() == Some(keyword)).map(|item| &item.value)
}

/// The items of an array.
pub(super) fn list(node: Option<&Node>) -> impl Iterator<Item = &Node> {
    let items = match node.map(|node| &node.value) {
        Some(NodeValue::Array(items)) => items.as_slice(),
        _ => &[],
    };
    items.iter().map(|item| &item.value)
}

/// The text of a keyword, with its node.
pub(super) fn text<'n>(node: &'n Node, keyword: &str) -> Option<(&'n Node, String)> {
    let node = get(node, keyword)?;
    match &node.value {
        NodeValue::String(text) => Some((node, text.to_string())),
        _ => None,
    }
}

/// Data in the form in which resources are sent; None if parts of it are unknown.
pub(super) fn data(node: &Node, depth: usize) -> Option<Json> {
    let depth = depth.checked_sub(1)?;
    if node.partial {
        return None;
    }
    Some(match &node.value {
        NodeValue::Null => Json::Null,
        NodeValue::Bool(value) => Json::Bool(*value),
        NodeValue::Int(value) => match i64::try_from(value.get()) {
            Ok(value) => value.into(),
            Err(_) => u64::try_from(value.get()).ok()?.into(),
        },
        NodeValue::Float(value) => serde_json::Number::from_f64(*value)?.into(),
        NodeValue::String(text) => Json::String(text.to_string()),
        NodeValue::Map(items) => {
            let entries = items.iter().map(|item| Some((item.key.to_string(), data(&item.value, depth)?)));
            Json::Object(entries.collect::<Option<_>>()?)
        }
        NodeValue::Array(items) => items.iter().map(|item| data(&item.value, depth)).collect::<Option<_>>()?,
        NodeValue::Unknown => return None,
    })
}
