//! Converts values to node trees and back, for encoders and decoders of text formats.

use lofting_document::{ArrayItem, FileId, Key, MapItem, Node, NodeValue, Notes, Span};
use lofting_eval::FragmentKind;
use lofting_interpreter::{DictKey, HostKind, Value, bytes, integers};

use crate::failure::{Result, fail, limit};
use crate::object::{ObjectKind, Ours};

/// How deeply values may nest.
const MAX_DEPTH: usize = lofting_eval::MAX_NESTING;

/// How many values one tree may have: values that share parts can be much smaller than what they stand for.
const MAX_VALUES: usize = 2_000_000;

/// The nodes of computed values have no place in any file.
const NOWHERE: Span = Span { file: FileId(0), start: 0, end: 0 };

/// The value as a node tree.
pub(crate) fn node(value: &Value) -> Result<Node> {
    Conversion { left: MAX_VALUES }.nested(value, 0)
}

/// The value as a node holds it: a copy, which later changes of lists and dicts do not reach. Structs become dicts, and tuples
/// and sets lists. Nodes are shared, not copied.
///
/// # Errors
/// The value cannot be that of a node: functions, ranges, modules, integers of more than 64 bits, also inside collections
/// (docs/ytt.md 7.3, 16.3).
pub(crate) fn settled(value: &Value) -> Result<Value> {
    Conversion { left: MAX_VALUES }.settled(value, 0)
}

/// A value of a node, for code that reads it: again a copy of its own.
pub(crate) fn read(value: &Value) -> Value {
    settled(value).unwrap_or_else(|_| value.clone())
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

/// The making of one tree.
struct Conversion {
    left: usize,
}

impl Conversion {
    /// Counts a value.
    fn step(&mut self, depth: usize) -> Result<()> {
        self.left = match self.left.checked_sub(1) {
            Some(left) => left,
            None => return limit("evaluation was stopped: too much memory"),
        };
        if depth > MAX_DEPTH { limit("the value is too deeply nested") } else { Ok(()) }
    }

    fn settled(&mut self, value: &Value, depth: usize) -> Result<Value> {
        match value {
            Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_) => return Ok(value.clone()),
            Value::String(text) if !bytes::has_parts(text) => return Ok(value.clone()),
            _ => self.step(depth)?,
        }
        let is_node = |ours: Ours<'_>| matches!(ours.kind, ObjectKind::Fragment(..));
        if Ours::of(value).is_some_and(is_node) {
            return Ok(value.clone());
        }
        if let Some(entries) = mapping(value) {
            let mut own = Vec::with_capacity(entries.len());
            for (key, value) in entries {
                self::key(&key)?;
                own.push((key, self.settled(&value, depth + 1)?));
            }
            return Ok(dict(own.into_iter()));
        }
        if let Some(items) = sequence(value) {
            let own: Result<Vec<_>> = items.iter().map(|item| self.settled(item, depth + 1)).collect();
            return Ok(Value::list(own?));
        }
        // Scalars, and what cannot be the value of a node.
        self.nested(value, depth).map(|_| value.clone())
    }

    fn nested(&mut self, value: &Value, depth: usize) -> Result<Node> {
        self.step(depth)?;
        Ok(computed(match value {
            Value::None => NodeValue::Null,
            Value::Bool(truth) => NodeValue::Bool(*truth),
            Value::String(text) if bytes::has_parts(text) => NodeValue::String(bytes::joined(text.to_string()).into()),
            Value::String(text) => NodeValue::String(text.clone()),
            Value::Int(_) | Value::Big(_) => match integers::to_i128(value) {
                Some(number) if i64::try_from(number).is_ok() || u64::try_from(number).is_ok() => {
                    NodeValue::int(number)
                }
                _ => return fail("an integer of more than 64 bits cannot be a value"),
            },
            Value::Float(number) => NodeValue::Float(*number),
            Value::List(_) | Value::Set(_) => self.array(&value.items()?, depth)?,
            Value::Tuple(items) => self.array(items, depth)?,
            Value::Dict(dict) => self.map(dict.entries().iter().map(|(key, value)| (key, value)), depth)?,
            _ => match Ours::of(value) {
                Some(ours) => self.object(ours, depth)?,
                None => return fail(format!("unknown type {} for conversion to go value", value.type_name())),
            },
        }))
    }

    fn object(&mut self, ours: Ours<'_>, depth: usize) -> Result<NodeValue> {
        let type_name = ours.kind.type_name();
        match ours.kind {
            ObjectKind::Struct(names) => {
                let fields = names.iter().zip(ours.values);
                let items: Result<Vec<_>> = fields
                    .map(|(name, value)| Ok(map_item(name.as_str().into(), self.nested(value, depth + 1)?)))
                    .collect();
                Ok(NodeValue::Map(items?.into()))
            }
            ObjectKind::Fragment(FragmentKind::Map, _) => {
                self.map(ours.items().map(|(_, key, value)| (key, value)), depth)
            }
            ObjectKind::Fragment(FragmentKind::Empty, _) => Ok(NodeValue::Null),
            ObjectKind::Fragment(FragmentKind::DocumentSet, _) => fail("Unexpected docset value within document"),
            ObjectKind::Fragment(..) => {
                let items: Result<Vec<_>> =
                    ours.items().map(|(.., value)| Ok(array_item(self.nested(value, depth + 1)?))).collect();
                Ok(NodeValue::Array(items?))
            }
            ObjectKind::Assertion => {
                fail("Unable to convert value: @ytt:assert.assertion does not encode (did you mean to call check()?)")
            }
            ObjectKind::Address(_) | ObjectKind::Network(..) | ObjectKind::Url(_) | ObjectKind::UserInfo(..) => {
                fail(format!("Unable to convert value: {type_name} does not encode (did you mean to call string()?)"))
            }
            _ => fail(format!("unknown type {type_name} for conversion to go value")),
        }
    }

    fn array(&mut self, values: &[Value], depth: usize) -> Result<NodeValue> {
        let items: Result<Vec<_>> = values.iter().map(|value| Ok(array_item(self.nested(value, depth + 1)?))).collect();
        Ok(NodeValue::Array(items?))
    }

    fn map<'a>(&mut self, entries: impl Iterator<Item = (&'a Value, &'a Value)>, depth: usize) -> Result<NodeValue> {
        let items: Result<Vec<_>> =
            entries.map(|(key, value)| Ok(map_item(self::key(key)?, self.nested(value, depth + 1)?))).collect();
        Ok(NodeValue::Map(items?.into()))
    }
}

/// The entries of a value that is a plain mapping for ytt: a dict or a struct.
pub(crate) fn mapping(value: &Value) -> Option<Vec<(Value, Value)>> {
    let is_struct = |ours: Ours<'_>| matches!(ours.kind, ObjectKind::Struct(_));
    let is_plain = matches!(value, Value::Dict(_)) || Ours::of(value).is_some_and(is_struct);
    if is_plain { value.entries().ok().flatten() } else { None }
}

/// The items of a value that is a plain sequence for ytt: a list, a tuple or a set.
pub(crate) fn sequence(value: &Value) -> Option<Vec<Value>> {
    match value {
        Value::List(_) | Value::Tuple(_) | Value::Set(_) => value.items().ok(),
        _ => None,
    }
}

/// A key of a map.
pub(crate) fn key(value: &Value) -> Result<Key> {
    Ok(match value {
        Value::String(text) => Key::String(text.as_str().into()),
        Value::Bool(truth) => Key::Bool(*truth),
        Value::None => Key::Null,
        Value::Float(number) => Key::Float(number.to_bits()),
        value => match integers::to_i128(value) {
            Some(number) => Key::int(number),
            None => return fail(format!("unknown type {} for conversion to a key", value.type_name())),
        },
    })
}

/// A node tree as plain dicts and lists.
pub(crate) fn value(node: &Node) -> Value {
    match &node.value {
        NodeValue::Null | NodeValue::Unknown => Value::None,
        NodeValue::Bool(truth) => Value::Bool(*truth),
        NodeValue::Int(number) => integers::from_i128(number.get()),
        NodeValue::Float(number) => Value::Float(*number),
        NodeValue::String(text) => Value::text(text),
        NodeValue::Array(items) => Value::list(items.iter().map(|item| value(&item.value)).collect()),
        NodeValue::Map(items) => dict(items.iter().map(|item| (key_value(&item.key), value(&item.value)))),
    }
}

/// A dict whose keys are scalars.
pub(crate) fn dict(entries: impl Iterator<Item = (Value, Value)>) -> Value {
    let usable = entries.filter(|(key, _)| DictKey::new(key.clone()).is_ok());
    Value::dict(usable).unwrap_or_default()
}

/// A key as a value.
pub(crate) fn key_value(key: &Key) -> Value {
    match key {
        Key::Null => Value::None,
        Key::Bool(truth) => Value::Bool(*truth),
        Key::Int(number) => integers::from_i128(number.get()),
        Key::Float(bits) => Value::Float(f64::from_bits(*bits)),
        Key::String(text) => Value::text(text),
        Key::Collection(text) => Value::text(text),
    }
}
