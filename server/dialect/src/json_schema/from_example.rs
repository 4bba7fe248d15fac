//! JSON Schemas for values, made from an example.

use crate::NewKey;
use lofting_document::{Key, MapItem, Node, NodeValue, Notes, Span};
use rustc_hash::FxHashMap;

/// Deeper values get no schema of their own.
const DEPTH: usize = 32;

/// The declaration of a key with a value like this one.
pub fn new_key(value: &Node) -> NewKey {
    NewKey { below: Some("properties"), schema: schema_of_example(value, false) }
}

/// The schema of values like this one; with `defaults`, each scalar is the default of its place, and collections are
/// empty by default.
pub fn schema_of_example(value: &Node, defaults: bool) -> Node {
    schema_within(value, defaults, DEPTH)
}

fn schema_within(value: &Node, defaults: bool, depth: usize) -> Node {
    let span = value.span;
    let Some(depth) = depth.checked_sub(1) else { return map(Vec::new(), span) };
    let empty = |value| Node::new(value, span);
    let (name, keywords, default) = match &value.value {
        NodeValue::Bool(_) => ("boolean", Vec::new(), value.clone()),
        NodeValue::Int(_) => ("integer", Vec::new(), value.clone()),
        NodeValue::Float(_) => ("number", Vec::new(), value.clone()),
        NodeValue::String(_) => ("string", Vec::new(), value.clone()),
        NodeValue::Array(items) => {
            let schemas = items.iter().map(|item| schema_within(&item.value, false, depth));
            let items = schemas.reduce(|one, other| either(one, other, depth));
            let items =
                items.filter(|items| !matches!(&items.value, NodeValue::Map(items) if items.iter().next().is_none()));
            let keywords = items.into_iter().map(|items| ("items", items)).collect();
            ("array", keywords, empty(NodeValue::Array(Vec::new())))
        }
        NodeValue::Map(items) => {
            let property = |item: &MapItem| entry(item.key.clone(), schema_within(&item.value, defaults, depth));
            let properties: Vec<MapItem> = items.iter().map(property).collect();
            let properties = (!properties.is_empty()).then(|| ("properties", map(properties, span)));
            ("object", properties.into_iter().collect(), map(Vec::new(), span))
        }
        // Of null nothing follows.
        NodeValue::Null | NodeValue::Unknown => return map(Vec::new(), span),
    };
    let kind = ("type", Node::new(NodeValue::String(name.into()), span));
    let default = defaults.then_some(("default", default));
    let keywords = std::iter::once(kind).chain(keywords).chain(default);
    map(keywords.map(|(name, value)| entry(Key::from(name), value)).collect(), span)
}

/// The schema of what either of two schemas describes; without keywords where they have nothing in common.
fn either(one: Node, other: Node, depth: usize) -> Node {
    let Some(depth) = depth.checked_sub(1) else { return map(Vec::new(), one.span) };
    let word = |schema: &Node| match schema.get(&Key::from("type")).map(|kind| &kind.value) {
        Some(NodeValue::String(word)) => word.to_string(),
        _ => String::new(),
    };
    match (word(&one).as_str(), word(&other).as_str()) {
        ("integer", "number") => other,
        ("number", "integer") => one,
        ("object" | "array", _) if word(&one) == word(&other) => together(one, other, depth),
        (a, b) if a == b => one,
        _ => map(Vec::new(), one.span),
    }
}

/// Two schemas of objects, or of arrays, as one.
fn together(one: Node, other: Node, depth: usize) -> Node {
    joined(one, other, &|keyword, one, other| match keyword.as_str() {
        Some("type") => one,
        Some("properties") => joined(one, other, &|_, one, other| either(one, other, depth)),
        _ => either(one, other, depth),
    })
}

/// The entries of two maps; `both` makes the value of a key that is in both.
fn joined(one: Node, other: Node, both: &dyn Fn(&Key, Node, Node) -> Node) -> Node {
    let (NodeValue::Map(first), NodeValue::Map(second)) = (&one.value, &other.value) else { return one };
    let mut items: Vec<MapItem> = first.iter().cloned().collect();
    let mut places: FxHashMap<&Key, usize> = FxHashMap::default();
    for (place, item) in first.iter().enumerate() {
        places.entry(&item.key).or_insert(place);
    }
    for item in second {
        let place = *places.entry(&item.key).or_insert(items.len());
        match items.get_mut(place) {
            Some(known) => known.value = both(&item.key, known.value.clone(), item.value.clone()),
            None => items.push(item.clone()),
        }
    }
    map(items, one.span)
}

fn map(items: Vec<MapItem>, span: Span) -> Node {
    Node::new(NodeValue::Map(items.into()), span)
}

fn entry(key: Key, value: Node) -> MapItem {
    let span = value.span;
    MapItem { key, key_span: span, span, value, notes: Notes::default(), merged: false, conditional: false }
}
