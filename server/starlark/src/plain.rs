//! Converts values to node trees and back, for encoders and decoders of text formats.

use lofting_document::{ArrayItem, FileId, Key, MapItem, Node, NodeValue, Notes, Span};
use lofting_eval::FragmentKind;
use starlark::values::dict::{AllocDict, DictRef};
use starlark::values::float::StarlarkFloat;
use starlark::values::list::{AllocList, ListRef};
use starlark::values::tuple::TupleRef;
use starlark::values::{Heap, Value, ValueLike};

use crate::bytes;
use crate::convert;
use crate::failure::{Result, fail, unsupported};
use crate::format;
use crate::object::{Object, ObjectKind};

/// How deeply values may nest.
const MAX_DEPTH: usize = lofting_eval::MAX_NESTING;

/// The nodes of computed values have no place in any file.
const NOWHERE: Span = Span { file: FileId(0), start: 0, end: 0 };

/// The value as a node tree.
pub(crate) fn node<'v>(value: Value<'v>, heap: Heap<'v>) -> Result<Node> {
    nested(value, heap, 0)
}

/// A node of a computed value.
pub(crate) fn computed(value: NodeValue) -> Node {
    Node::new(value, NOWHERE)
}

pub(crate) fn map_item(key: Key, value: Node) -> MapItem {
    let notes = Notes::default();
    MapItem { key, key_span: NOWHERE, span: NOWHERE, value, notes, merged: false, conditional: false }
}

pub(crate) fn array_item(value: Node) -> ArrayItem {
    ArrayItem { span: NOWHERE, value, notes: Notes::default(), conditional: false }
}

fn nested<'v>(value: Value<'v>, heap: Heap<'v>, depth: usize) -> Result<Node> {
    if depth > MAX_DEPTH {
        return crate::failure::limit("the value is too deeply nested");
    }
    Ok(computed(if value.is_none() {
        NodeValue::Null
    } else if let Some(value) = value.unpack_bool() {
        NodeValue::Bool(value)
    } else if let Some(text) = value.unpack_str() {
        let text = bytes::joined(text.to_owned());
        if bytes::has_parts(&text) {
            return unsupported("text that ends inside a character cannot be written here");
        }
        NodeValue::String(text.into())
    } else if let Some(number) = format::integer(value) {
        if i64::try_from(number).is_err() && u64::try_from(number).is_err() {
            return fail("an integer of more than 64 bits cannot be a value");
        }
        NodeValue::Int(number)
    } else if let Some(float) = value.downcast_ref::<StarlarkFloat>() {
        NodeValue::Float(float.0)
    } else if let Some(list) = ListRef::from_value(value) {
        array(list.iter(), heap, depth)?
    } else if let Some(tuple) = TupleRef::from_value(value) {
        array(tuple.iter(), heap, depth)?
    } else if let Some(dict) = DictRef::from_value(value) {
        map(dict.iter(), heap, depth)?
    } else if let Some(object) = Object::from_value(value) {
        match object.kind() {
            ObjectKind::Struct(names) => {
                let fields = names.iter().zip(object.values());
                let items: Result<Vec<_>> = fields
                    .map(|(name, value)| Ok(map_item(name.as_str().into(), nested(value, heap, depth + 1)?)))
                    .collect();
                NodeValue::Map(items?.into())
            }
            ObjectKind::Fragment(FragmentKind::Map, _) => {
                map(object.items().map(|(_, key, value)| (key, value)), heap, depth)?
            }
            ObjectKind::Fragment(FragmentKind::Empty, _) => NodeValue::Null,
            ObjectKind::Fragment(..) => array(object.items().map(|(.., value)| value), heap, depth)?,
            ObjectKind::Assertion(_) => {
                return fail(
                    "Unable to convert value: @ytt:assert.assertion does not encode (did you mean to call check()?)",
                );
            }
            ObjectKind::Address(_) | ObjectKind::Network(..) | ObjectKind::Url(_) | ObjectKind::UserInfo(..) => {
                return fail(format!(
                    "Unable to convert value: {} does not encode (did you mean to call string()?)",
                    object.type_name()
                ));
            }
            _ => return fail(format!("unknown type {} for conversion to go value", object.type_name())),
        }
    } else if value.get_type() == "set" {
        array(value.iterate(heap)?, heap, depth)?
    } else {
        return fail(format!("unknown type {} for conversion to go value", format::type_name(value)));
    }))
}

/// The entries of a value that is a plain mapping for ytt: a dict or a struct.
pub(crate) fn mapping<'v>(value: Value<'v>, heap: Heap<'v>) -> Option<Vec<(Value<'v>, Value<'v>)>> {
    if let Some(dict) = DictRef::from_value(value) {
        return Some(dict.iter().collect());
    }
    let object = Object::from_value(value)?;
    let ObjectKind::Struct(names) = object.kind() else { return None };
    Some(names.iter().map(|name| heap.alloc_str(name).to_value()).zip(object.values()).collect())
}

/// The items of a value that is a plain sequence for ytt: a list, a tuple or a set.
pub(crate) fn sequence<'v>(value: Value<'v>, heap: Heap<'v>) -> Result<Option<Vec<Value<'v>>>> {
    if !matches!(value.get_type(), "list" | "tuple" | "set") {
        return Ok(None);
    }
    Ok(Some(value.iterate(heap)?.collect()))
}

fn array<'v>(values: impl Iterator<Item = Value<'v>>, heap: Heap<'v>, depth: usize) -> Result<NodeValue> {
    let items: Result<Vec<_>> = values.map(|value| Ok(array_item(nested(value, heap, depth + 1)?))).collect();
    Ok(NodeValue::Array(items?))
}

fn map<'v>(entries: impl Iterator<Item = (Value<'v>, Value<'v>)>, heap: Heap<'v>, depth: usize) -> Result<NodeValue> {
    let items: Result<Vec<_>> =
        entries.map(|(key, value)| Ok(map_item(self::key(key)?, nested(value, heap, depth + 1)?))).collect();
    Ok(NodeValue::Map(items?.into()))
}

/// A key of a map.
pub(crate) fn key(value: Value<'_>) -> Result<Key> {
    Ok(match (value.unpack_str(), value.unpack_bool(), format::integer(value)) {
        (Some(text), ..) => Key::String(text.into()),
        (_, Some(value), _) => Key::Bool(value),
        (.., Some(number)) => Key::Int(number),
        _ if value.is_none() => Key::Null,
        _ => match value.downcast_ref::<StarlarkFloat>() {
            Some(float) => Key::Float(float.0.to_bits()),
            None => return fail(format!("unknown type {} for conversion to a key", format::type_name(value))),
        },
    })
}

/// A node tree as plain dicts and lists.
pub(crate) fn value<'v>(node: &Node, heap: Heap<'v>) -> Value<'v> {
    match &node.value {
        NodeValue::Null | NodeValue::Unknown => Value::new_none(),
        NodeValue::Bool(value) => Value::new_bool(*value),
        NodeValue::Int(number) => convert::integer(*number, heap),
        NodeValue::Float(number) => heap.alloc(*number),
        NodeValue::String(text) => heap.alloc_str(text).to_value(),
        NodeValue::Array(items) => {
            heap.alloc(AllocList(items.iter().map(|item| value(&item.value, heap)).collect::<Vec<_>>()))
        }
        NodeValue::Map(items) => {
            let entries = items.iter().map(|item| (key_value(&item.key, heap), value(&item.value, heap)));
            heap.alloc(AllocDict(entries.collect::<Vec<_>>()))
        }
    }
}

/// A key as a value.
pub(crate) fn key_value<'v>(key: &Key, heap: Heap<'v>) -> Value<'v> {
    match key {
        Key::Null => Value::new_none(),
        Key::Bool(value) => Value::new_bool(*value),
        Key::Int(number) => convert::integer(*number, heap),
        Key::Float(bits) => heap.alloc(f64::from_bits(*bits)),
        Key::String(text) | Key::Collection(text) => heap.alloc_str(text).to_value(),
    }
}
