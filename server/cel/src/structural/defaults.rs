//! Defaults, which the API server adds before any rule is evaluated.

use super::{DEPTH, is_set};
use serde_json::{Map, Value as Json};

/// The data with the defaults of its schema, and without nulls that the server drops.
pub fn defaulted(data: &Json, schema: &Json) -> Json {
    fill(data, schema, DEPTH)
}

fn fill(data: &Json, schema: &Json, depth: usize) -> Json {
    let Some(depth) = depth.checked_sub(1) else { return data.clone() };
    match data {
        Json::Object(entries) => Json::Object(object(entries, schema, depth)),
        Json::Array(items) => match schema.get("items") {
            Some(own) => items.iter().map(|item| fill(item, own, depth)).collect(),
            None => data.clone(),
        },
        other => other.clone(),
    }
}

fn object(entries: &Map<String, Json>, schema: &Json, depth: usize) -> Map<String, Json> {
    let properties = schema.get("properties").and_then(Json::as_object);
    let others = schema.get("additionalProperties").filter(|others| others.is_object());
    let mut filled = Map::new();
    for (name, value) in entries {
        let declared = properties.and_then(|properties| properties.get(name));
        let Some(own) = declared.or(others) else {
            filled.insert(name.clone(), value.clone());
            continue;
        };
        // A null that is not allowed is as good as nothing, where a default takes its place or may.
        if value.is_null() && !is_set(own, "nullable") && declared.is_some() {
            continue;
        }
        filled.insert(name.clone(), fill(value, own, depth));
    }
    for (name, own) in properties.into_iter().flatten() {
        if let (Some(default), false) = (own.get("default"), filled.contains_key(name)) {
            filled.insert(name.clone(), fill(default, own, depth));
        }
    }
    filled
}
