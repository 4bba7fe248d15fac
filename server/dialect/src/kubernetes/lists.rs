//! Arrays whose items are told apart (`x-kubernetes-list-type`), as `listtype` of the API server compares them.

use super::fields::has_slip;
use super::structure::{DEPTH, Structured, data, get, list, text};
use lofting_document::{Key, Node, NodeValue, Span};
use lofting_schema::{Breach, BrokenRule, Judge, Judged, Schema, SchemaId, Step};
use serde_json::Value as Json;
use smol_str::SmolStr;
use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;

/// Adds what tells items apart to the nodes of arrays.
pub(super) fn with_lists(mut schema: Schema, places: &[Structured<'_>]) -> Schema {
    for Structured { node, id, .. } in places {
        let keys = match text(node, "x-kubernetes-list-type") {
            Some((_, kind)) if kind == "set" => Vec::new(),
            Some((_, kind)) if kind == "map" => {
                let names = list(get(node, "x-kubernetes-list-map-keys")).filter_map(|name| match &name.value {
                    NodeValue::String(name) => Some(name.clone()),
                    _ => None,
                });
                let keys: Vec<ItemKey> =
                    names.map(|name| ItemKey { default: default(&schema, *id, &name), name }).collect();
                // Without keys, the definition is wrong.
                if keys.is_empty() {
                    continue;
                }
                keys
            }
            _ => continue,
        };
        schema = schema.judged(*id, Judged(Arc::new(Unique { keys, is_refused: true })));
    }
    schema
}

/// What tells the items of an array apart in the definitions of Kubernetes' own kinds. The server refuses repeated items of
/// some arrays and accepts those of others, of which an apply keeps one.
pub(super) fn merged(schema: &Node) -> Option<Judged> {
    let is_map = text(schema, "x-kubernetes-list-type").is_some_and(|(_, kind)| kind == "map");
    let mut names: Vec<SmolStr> = list(get(schema, "x-kubernetes-list-map-keys").filter(|_| is_map))
        .filter_map(|name| match &name.value {
            NodeValue::String(name) => Some(name.clone()),
            _ => None,
        })
        .collect();
    if names.is_empty() {
        names.extend(text(schema, "x-kubernetes-patch-merge-key").map(|(_, name)| SmolStr::from(name)));
    }
    let key = |name: SmolStr| ItemKey { default: (name == PROTOCOL).then(|| Json::from("TCP")), name };
    let keys: Vec<ItemKey> = names.into_iter().map(key).collect();
    (!keys.is_empty()).then(|| Judged(Arc::new(Unique { keys, is_refused: false })))
}

/// The only key of items that has a default in Kubernetes' own kinds.
const PROTOCOL: &str = "protocol";

/// The default of a key of an array's items.
fn default(schema: &Schema, array: SchemaId, key: &str) -> Option<Json> {
    let item = schema.node(array).array.as_ref()?.item;
    let declared = schema.node(item).map.as_deref()?.get(&Key::from(key))?.schema;
    data(&schema.node(declared).default.as_ref()?.value, DEPTH)
}

/// Items that are unique.
#[derive(Debug)]
struct Unique {
    /// The keys that tell them apart; none if they are compared as a whole.
    keys: Vec<ItemKey>,
    /// The server refuses repeated items.
    is_refused: bool,
}

#[derive(Debug)]
struct ItemKey {
    name: SmolStr,
    default: Option<Json>,
}

impl Unique {
    /// What tells an item from others, as text; None if that is not known, or if it has the wrong type.
    fn identity(&self, item: &Node) -> Option<String> {
        let mut identity = String::new();
        if self.keys.is_empty() {
            canonical(&data(item, DEPTH)?, &mut identity, DEPTH)?;
            return Some(identity);
        }
        if !matches!(item.value, NodeValue::Map(_)) {
            return None;
        }
        for ItemKey { name, default } in &self.keys {
            let own = match get(item, name) {
                Some(node) => Some(data(node, DEPTH)?).filter(|value| !value.is_null()),
                None if item.partial || has_slip(item, name) => return None,
                None => None,
            };
            // What the server accepts otherwise lacks nothing here: a missing key has a finding of its own.
            if !self.is_refused && own.is_none() && default.is_none() {
                return None;
            }
            canonical(own.as_ref().or(default.as_ref()).unwrap_or(&Json::Null), &mut identity, DEPTH)?;
            identity.push(' ');
        }
        Some(identity)
    }

    /// The key that alone tells an item apart, if it is the first one of the item.
    fn first_key(&self, item: &Node) -> Option<Key> {
        let ([key], NodeValue::Map(entries)) = (&self.keys[..], &item.value) else { return None };
        let first = entries.first()?;
        (first.key.as_str() == Some(key.name.as_str())).then(|| first.key.clone())
    }

    fn message(&self, first: usize) -> String {
        let names: Vec<String> = self.keys.iter().map(|key| format!("`{}`", key.name)).collect();
        match &names[..] {
            [] => format!("this is item {} already, and the items of a set are unique", first + 1),
            [name] => format!("item {} has the same {name}, which tells items apart", first + 1),
            _ => format!("item {} has the same {}, which tell items apart", first + 1, names.join(" and ")),
        }
    }
}

impl Judge for Unique {
    fn broken(&self, value: &Node) -> Vec<BrokenRule> {
        let NodeValue::Array(items) = &value.value else { return Vec::new() };
        let mut known: HashMap<String, (usize, Span)> = HashMap::new();
        let mut broken = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let Some(identity) = self.identity(&item.value) else { continue };
            match known.get(&identity) {
                Some((first, span)) => {
                    let mut at = vec![Step::Index(index)];
                    at.extend(self.first_key(&item.value).map(Step::Key));
                    let breach = if self.is_refused { Breach::Repeated(*span) } else { Breach::Merged(*span) };
                    let message = self.message(*first);
                    broken.push(BrokenRule { message, breach, at, is_key: false });
                }
                None => {
                    known.insert(identity, (index, item.span));
                }
            }
        }
        broken
    }
}

/// Writes data so that equal data have equal texts.
fn canonical(data: &Json, text: &mut String, depth: usize) -> Option<()> {
    let depth = depth.checked_sub(1)?;
    match data {
        Json::Object(entries) => {
            let mut entries: Vec<_> = entries.iter().collect();
            entries.sort_by_key(|(name, _)| *name);
            text.push('{');
            for (name, value) in entries {
                let _ = write!(text, "{name:?}:");
                canonical(value, text, depth)?;
                text.push(',');
            }
            text.push('}');
        }
        Json::Array(items) => {
            text.push('[');
            for item in items {
                canonical(item, text, depth)?;
                text.push(',');
            }
            text.push(']');
        }
        // The server reads `2.0` as an integer.
        Json::Number(number) => {
            let whole = number.as_f64().filter(|_| number.is_f64()).filter(|float| float.fract() == 0.0);
            let _ = match whole {
                Some(float) => write!(text, "{float:.0}"),
                None => write!(text, "{number}"),
            };
        }
        Json::String(string) => {
            let _ = write!(text, "{string:?}");
        }
        other => {
            let _ = write!(text, "{other}");
        }
    }
    Some(())
}
