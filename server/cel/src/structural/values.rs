//! Data of a resource as the values that rules see.

use super::{DEPTH, escaped, is_set, type_of};
use crate::time::{Span, Timestamp};
use crate::typed::from_base64;
use crate::value::{List, ListKind, Map, Value};
use serde_json::Value as Json;
use std::sync::Arc;

/// The value for data with a schema; None if the data is not what the schema says, which is reported elsewhere, or if
/// it is nested too deep.
pub fn value(data: &Json, schema: &Json) -> Option<Value> {
    convert(data, schema, DEPTH)
}

fn convert(data: &Json, schema: &Json, depth: usize) -> Option<Value> {
    let depth = depth.checked_sub(1)?;
    if data.is_null() {
        return is_set(schema, "nullable").then_some(Value::Null);
    }
    if is_set(schema, "x-kubernetes-int-or-string") {
        return match data {
            Json::String(text) => Some(Value::text(text.as_str())),
            other => other.as_i64().map(Value::Int),
        };
    }
    Some(match type_of(schema) {
        "object" => object(data, schema, depth)?,
        "array" => {
            let items = schema.get("items")?;
            let items = data.as_array()?.iter().map(|item| convert(item, items, depth));
            Value::List(Arc::new(List { items: items.collect::<Option<_>>()?, kind: kind(schema) }))
        }
        "string" => text(data.as_str()?, schema)?,
        "boolean" => Value::Bool(data.as_bool()?),
        "number" => Value::Double(data.as_f64()?),
        "integer" => Value::Int(data.as_i64()?),
        _ => return free(data, depth),
    })
}

fn object(data: &Json, schema: &Json, depth: usize) -> Option<Value> {
    let properties = schema.get("properties");
    let others = schema.get("additionalProperties").filter(|others| others.is_object());
    let is_resource = is_set(schema, "x-kubernetes-embedded-resource");
    let mut map = Map::default();
    for (name, data) in data.as_object()? {
        let own = properties.and_then(|properties| properties.get(name));
        // For rules, a field with null is not there.
        if data.is_null() && own.is_some() {
            continue;
        }
        let (name, value) = match (own, others) {
            (Some(own), _) => (escaped(name), convert(data, own, depth)),
            (None, Some(others)) => (Some(name.clone()), convert(data, others, depth)),
            // What no schema declares is there, but no rule can name it.
            (None, None) => match (name.as_str(), data) {
                ("apiVersion" | "kind" | "metadata", _) => (Some(name.clone()), free(data, depth)),
                _ if is_resource => continue,
                _ => (escaped(name), free(data, depth)),
            },
        };
        let (Some(name), Some(value)) = (name, value) else {
            if own.is_some_and(|own| super::declared(own, false).is_none()) {
                continue;
            }
            return None;
        };
        map.insert(Value::text(name), value);
    }
    Some(Value::Map(Arc::new(map)))
}

fn kind(schema: &Json) -> ListKind {
    match schema.get("x-kubernetes-list-type").and_then(Json::as_str) {
        Some("set") => ListKind::Set,
        Some("map") => {
            let keys = schema.get("x-kubernetes-list-map-keys").and_then(Json::as_array).into_iter().flatten();
            ListKind::Map(keys.filter_map(Json::as_str).filter_map(escaped).map(Arc::from).collect())
        }
        _ => ListKind::Atomic,
    }
}

fn text(text: &str, schema: &Json) -> Option<Value> {
    Some(match schema.get("format").and_then(Json::as_str).unwrap_or("") {
        "byte" => Value::Bytes(from_base64(text)?.into()),
        "duration" => Value::Duration(Span::parse(text)?),
        "date" => Value::Timestamp(Timestamp::parse_date(text)?),
        "date-time" => Value::Timestamp(Timestamp::parse(text)?),
        _ => Value::text(text),
    })
}

/// Data without a schema.
fn free(data: &Json, depth: usize) -> Option<Value> {
    let depth = depth.checked_sub(1)?;
    Some(match data {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => match number.as_i64() {
            Some(number) => Value::Int(number),
            None => Value::Double(number.as_f64()?),
        },
        Json::String(text) => Value::text(text.as_str()),
        Json::Array(items) => Value::list(items.iter().map(|item| free(item, depth)).collect::<Option<_>>()?),
        Json::Object(entries) => {
            let mut map = Map::default();
            for (name, data) in entries {
                map.insert(Value::text(name.as_str()), free(data, depth)?);
            }
            Value::Map(Arc::new(map))
        }
    })
}
