//! Lists whose items are told apart: in a set by their value, in a map by some of their keys. What is there twice is refused.

use super::places;
use crate::change::{Breaks, Change, Kind, Path};
use lofting_document::{Key, Node, NodeValue, Span};
use rustc_hash::FxHashMap;

/// The keyword for what tells items apart.
const TYPE: &str = "x-kubernetes-list-type";

/// The keyword for the keys that tell items apart.
const KEYS: &str = "x-kubernetes-list-map-keys";

/// How the items of a list are told apart.
struct List {
    /// `atomic`, `set` or `map`.
    kind: String,
    keys: Vec<String>,
    span: Span,
}

fn text(node: &Node) -> Option<String> {
    match &node.value {
        NodeValue::String(text) => Some(text.to_string()),
        _ => None,
    }
}

fn lists(schema: &Node) -> Vec<(Path, List)> {
    let list = |(path, node): (Path, &Node)| {
        node.get(&Key::from("items"))?;
        let said = node.get(&Key::from(TYPE));
        let keys = node.get(&Key::from(KEYS));
        let names = match keys.map(|keys| &keys.value) {
            Some(NodeValue::Array(items)) => items.iter().filter_map(|item| text(&item.value)).collect(),
            _ => Vec::new(),
        };
        let kind = said.and_then(text).unwrap_or_else(|| "atomic".to_owned());
        let span = said.or(keys).unwrap_or(node).span;
        Some((path, List { kind, keys: names, span }))
    };
    places(schema).into_iter().filter_map(list).collect()
}

/// Changes of what tells items apart, in lists that both versions have.
pub(super) fn changes(old: &Node, new: &Node) -> Vec<Change> {
    let after: FxHashMap<Path, List> = lists(new).into_iter().collect();
    let mut found = Vec::new();
    for (path, before) in lists(old) {
        let Some(after) = after.get(&path) else { continue };
        let change = if before.kind != after.kind {
            // Only in a list that is changed as a whole, items may repeat each other.
            let (kind, breaks) = match after.kind.as_str() {
                "atomic" => (Kind::Widened, Breaks::NOTHING),
                _ => (Kind::Narrowed, Breaks::VALUES),
            };
            Change::new(kind).breaking(breaks).by(TYPE).saying(Some(before.kind), Some(after.kind.clone()))
        } else {
            let lacks = |these: &[String], those: &[String]| these.iter().any(|key| !those.contains(key));
            // Items that differ in one of the keys are told apart.
            let (kind, breaks) = match (lacks(&before.keys, &after.keys), lacks(&after.keys, &before.keys)) {
                (false, false) => continue,
                (false, true) => (Kind::Widened, Breaks::NOTHING),
                (true, _) => (Kind::Narrowed, Breaks::VALUES),
            };
            let said = |keys: &[String]| (!keys.is_empty()).then(|| keys.join(", "));
            Change::new(kind).breaking(breaks).by(KEYS).saying(said(&before.keys), said(&after.keys))
        };
        found.push(Change { path, ..change.at(Some(before.span), Some(after.span)) });
    }
    found.sort_by_key(|change| change.path.to_string());
    found
}
