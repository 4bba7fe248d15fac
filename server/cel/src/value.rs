//! Values, when they are equal, and how they are ordered.

use crate::library::address::Cidr;
use crate::library::names::NamedFormat;
use crate::library::quantity::Quantity;
use crate::library::semver::Semver;
use crate::library::url::Url;
use crate::structural::escaped_word;
use crate::time::{Span, Timestamp};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use std::cmp::Ordering;
use std::net::IpAddr;
use std::sync::Arc;

/// A value. Clones share what is large.
#[derive(Debug, Clone)]
pub enum Value {
    /// `null`
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// An unsigned integer.
    Uint(u64),
    /// A floating-point number.
    Double(f64),
    /// A string.
    Text(Arc<str>),
    /// Bytes.
    Bytes(Arc<[u8]>),
    /// An array.
    List(Arc<List>),
    /// A map or an object.
    Map(Arc<Map>),
    /// A length of time.
    Duration(Span),
    /// A point in time.
    Timestamp(Timestamp),
    /// A type, by its name.
    Type(Arc<str>),
    /// A value that may be absent.
    Optional(Option<Arc<Value>>),
    /// An IP address.
    Ip(IpAddr),
    /// A range of IP addresses.
    Cidr(Cidr),
    /// A URL.
    Url(Arc<Url>),
    /// A quantity with its unit.
    Quantity(Arc<Quantity>),
    /// A version.
    Semver(Arc<Semver>),
    /// A named format of strings.
    Format(&'static NamedFormat),
}

/// An array.
#[derive(Debug, Clone, Default)]
pub struct List {
    /// Its items.
    pub items: Vec<Value>,
    /// What makes two of them equal.
    pub kind: ListKind,
}

/// What makes two arrays equal, and what their sum is (`x-kubernetes-list-type`).
#[derive(Debug, Clone, Default)]
pub enum ListKind {
    /// Equal items in equal order.
    #[default]
    Atomic,
    /// Equal items in any order.
    Set,
    /// Equal objects with the same values of these fields, in any order.
    Map(Arc<[Arc<str>]>),
}

/// A map or an object.
#[derive(Debug, Clone, Default)]
pub struct Map {
    /// The keys as they are written and the values.
    pub entries: IndexMap<Key, (Value, Value), FxBuildHasher>,
}

/// What makes two keys the same: numbers of different types may be.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Key {
    /// A boolean.
    Bool(bool),
    /// An integer of either type.
    Int(i64),
    /// An integer that is larger.
    Large(u64),
    /// A string.
    Text(Arc<str>),
}

impl Key {
    /// The key for a value; None if it cannot be one.
    pub fn of(value: &Value) -> Option<Key> {
        Some(match value {
            Value::Bool(value) => Key::Bool(*value),
            Value::Int(value) => Key::Int(*value),
            Value::Uint(value) => i64::try_from(*value).map_or(Key::Large(*value), Key::Int),
            Value::Text(value) => Key::Text(value.clone()),
            Value::Double(value) => whole(*value)?,
            _ => return None,
        })
    }
}

/// The integer that equals a number.
fn whole(value: f64) -> Option<Key> {
    #[allow(clippy::cast_possible_truncation, reason = "it has just been looked at")]
    if value.fract() != 0.0 {
        None
    } else if (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&value) {
        Some(Key::Int(value as i64))
    } else if (0.0..18_446_744_073_709_551_616.0).contains(&value) {
        Some(Key::Large(value as u64))
    } else {
        None
    }
}

impl Map {
    /// The value of a key.
    pub fn get(&self, key: &Value) -> Option<&Value> {
        self.entries.get(&Key::of(key)?).map(|(_, value)| value)
    }

    /// The value of a field.
    pub fn field(&self, name: &str) -> Option<&Value> {
        self.entries.get(&Key::Text(name.into())).map(|(_, value)| value)
    }

    /// The value of a field that is selected. Names that are words of the language are escaped, but can also be written
    /// as they are.
    pub fn selected(&self, key: &Key) -> Option<&Value> {
        let escaped = || match key {
            Key::Text(name) => self.field(&escaped_word(name)?),
            _ => None,
        };
        self.entries.get(key).map(|(_, value)| value).or_else(escaped)
    }

    /// Adds an entry or replaces the value; false if the key cannot be one.
    pub fn insert(&mut self, key: Value, value: Value) -> bool {
        let Some(own) = Key::of(&key).filter(|_| !matches!(key, Value::Double(_))) else { return false };
        self.entries.insert(own, (key, value));
        true
    }
}

impl Value {
    /// A string.
    pub fn text(text: impl Into<Arc<str>>) -> Value {
        Value::Text(text.into())
    }

    /// An array.
    pub fn list(items: Vec<Value>) -> Value {
        Value::List(Arc::new(List { items, kind: ListKind::Atomic }))
    }

    /// A value that is there.
    pub fn present(value: Value) -> Value {
        Value::Optional(Some(Arc::new(value)))
    }

    /// The name of its type.
    pub fn type_name(&self) -> &'static str {
        match self {
            Value::Null => "null_type",
            Value::Bool(_) => "bool",
            Value::Int(_) => "int",
            Value::Uint(_) => "uint",
            Value::Double(_) => "double",
            Value::Text(_) => "string",
            Value::Bytes(_) => "bytes",
            Value::List(_) => "list",
            Value::Map(_) => "map",
            Value::Duration(_) => "google.protobuf.Duration",
            Value::Timestamp(_) => "google.protobuf.Timestamp",
            Value::Type(_) => "type",
            Value::Optional(_) => "optional_type",
            Value::Ip(_) => "net.IP",
            Value::Cidr(_) => "net.CIDR",
            Value::Url(_) => "kubernetes.URL",
            Value::Quantity(_) => "kubernetes.Quantity",
            Value::Semver(_) => "kubernetes.Semver",
            Value::Format(_) => "kubernetes.NamedFormat",
        }
    }

    /// Its type in words, with an article.
    pub fn type_words(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Int(_) => "an integer",
            Value::Uint(_) => "an unsigned integer",
            Value::Double(_) => "a floating-point number",
            Value::Text(_) => "a string",
            Value::Bytes(_) => "bytes",
            Value::List(_) => "an array",
            Value::Map(_) => "a map",
            Value::Duration(_) => "a duration",
            Value::Timestamp(_) => "a timestamp",
            Value::Type(_) => "a type",
            Value::Optional(_) => "an optional value",
            Value::Ip(_) => "an IP address",
            Value::Cidr(_) => "a CIDR",
            Value::Url(_) => "a URL",
            Value::Quantity(_) => "a quantity",
            Value::Semver(_) => "a version",
            Value::Format(_) => "a format",
        }
    }

    /// Whether it is `0`, `""`, `[]` or the like.
    pub fn is_zero(&self) -> bool {
        match self {
            Value::Null => true,
            Value::Bool(value) => !value,
            Value::Int(value) => *value == 0,
            Value::Uint(value) => *value == 0,
            Value::Double(value) => *value == 0.0,
            Value::Text(value) => value.is_empty(),
            Value::Bytes(value) => value.is_empty(),
            Value::List(list) => list.items.is_empty(),
            Value::Map(map) => map.entries.is_empty(),
            Value::Duration(value) => value.nanoseconds == 0,
            Value::Timestamp(value) => value.is_zero(),
            Value::Optional(value) => value.as_ref().is_none_or(|value| value.is_zero()),
            _ => false,
        }
    }

    /// The number of its characters, bytes, items or entries; 1 for everything else.
    pub fn size(&self) -> usize {
        match self {
            Value::Text(text) => text.chars().count(),
            Value::Bytes(bytes) => bytes.len(),
            Value::List(list) => list.items.len(),
            Value::Map(map) => map.entries.len(),
            Value::Url(url) => url.as_written().len(),
            Value::Ip(ip) => {
                if ip.is_ipv4() {
                    4
                } else {
                    16
                }
            }
            Value::Cidr(cidr) => {
                if cidr.address.is_ipv4() {
                    4
                } else {
                    16
                }
            }
            Value::Optional(Some(value)) => value.size(),
            _ => 1,
        }
    }
}

/// Whether two values are equal: values of different types are not, except numbers.
pub fn equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Null, Value::Null) => true,
        (Value::Bool(left), Value::Bool(right)) => left == right,
        (Value::Text(left), Value::Text(right)) => left == right,
        (Value::Bytes(left), Value::Bytes(right)) => left == right,
        (Value::List(left), Value::List(right)) => lists_equal(left, right),
        (Value::Map(left), Value::Map(right)) => {
            left.entries.len() == right.entries.len()
                && left
                    .entries
                    .iter()
                    .all(|(key, (_, value))| right.entries.get(key).is_some_and(|(_, other)| equal(value, other)))
        }
        (Value::Duration(left), Value::Duration(right)) => left == right,
        (Value::Timestamp(left), Value::Timestamp(right)) => left.instant() == right.instant(),
        (Value::Type(left), Value::Type(right)) => left == right,
        (Value::Optional(None), Value::Optional(None)) => true,
        (Value::Optional(Some(left)), Value::Optional(Some(right))) => equal(left, right),
        (Value::Ip(left), Value::Ip(right)) => left == right,
        (Value::Cidr(left), Value::Cidr(right)) => left == right,
        (Value::Url(left), Value::Url(right)) => left.as_written() == right.as_written(),
        (Value::Quantity(left), Value::Quantity(right)) => left.compare(right) == Ordering::Equal,
        (Value::Semver(left), Value::Semver(right)) => left.compare(right) == Ordering::Equal,
        (Value::Format(left), Value::Format(right)) => std::ptr::eq(*left, *right),
        _ => numbers(left, right) == Some(Ordering::Equal),
    }
}

fn lists_equal(left: &List, right: &List) -> bool {
    if left.items.len() != right.items.len() {
        return false;
    }
    match &left.kind {
        ListKind::Atomic => left.items.iter().zip(&right.items).all(|(left, right)| equal(left, right)),
        ListKind::Set => {
            let own = Members::of(&left.items);
            right.items.iter().all(|item| own.find(item).is_some())
        }
        ListKind::Map(keys) => {
            let own = keyed(&left.items, keys);
            right.items.iter().all(|item| {
                own.get(&identity(item, keys)).and_then(|at| left.items.get(*at)).is_some_and(|own| equal(own, item))
            })
        }
    }
}

/// The values of an array by their keys, so that one is found without a look at all others.
#[derive(Debug, Default)]
pub struct Members<'v> {
    keys: rustc_hash::FxHashMap<Key, usize>,
    /// Values that cannot be keys.
    others: Vec<(usize, &'v Value)>,
}

impl<'v> Members<'v> {
    /// An index of these values.
    pub fn of(values: &'v [Value]) -> Self {
        let mut members = Members::default();
        for (at, value) in values.iter().enumerate() {
            members.add(at, value);
        }
        members
    }

    /// Adds a value; false if an equal one is there.
    pub fn add(&mut self, at: usize, value: &'v Value) -> bool {
        if self.find(value).is_some() {
            return false;
        }
        match Key::of(value) {
            Some(key) => drop(self.keys.insert(key, at)),
            None => self.others.push((at, value)),
        }
        true
    }

    /// The place of an equal value.
    pub fn find(&self, value: &Value) -> Option<usize> {
        match Key::of(value) {
            Some(key) => self.keys.get(&key).copied(),
            None => self.others.iter().find(|(_, other)| equal(other, value)).map(|(at, _)| *at),
        }
    }

    /// How many values are compared one by one.
    pub fn compared(&self) -> usize {
        self.others.len()
    }
}

/// What identifies an item of an array of objects.
fn identity(item: &Value, keys: &[Arc<str>]) -> Vec<Option<Key>> {
    let Value::Map(map) = item else { return Vec::new() };
    keys.iter().map(|key| map.field(key).and_then(Key::of)).collect()
}

fn keyed(items: &[Value], keys: &[Arc<str>]) -> rustc_hash::FxHashMap<Vec<Option<Key>>, usize> {
    items.iter().enumerate().map(|(at, item)| (identity(item, keys), at)).collect()
}

/// The sum of two arrays: sets and arrays of objects keep one of what is the same.
pub fn sum_of_lists(left: &List, right: &List) -> List {
    let mut items = left.items.clone();
    match &left.kind {
        ListKind::Atomic => items.extend(right.items.iter().cloned()),
        ListKind::Set => {
            let mut own = Members::of(&left.items);
            for (at, item) in right.items.iter().enumerate() {
                if own.add(left.items.len() + at, item) {
                    items.push(item.clone());
                }
            }
        }
        ListKind::Map(keys) => {
            let mut places = keyed(&left.items, keys);
            for item in &right.items {
                let at = *places.entry(identity(item, keys)).or_insert(items.len());
                match items.get_mut(at) {
                    Some(place) => *place = item.clone(),
                    None => items.push(item.clone()),
                }
            }
        }
    }
    List { items, kind: left.kind.clone() }
}

/// How two numbers of any types are ordered; None for values that are not numbers, and for NaN.
pub fn numbers(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::Double(left), Value::Double(right)) => left.partial_cmp(right),
        (Value::Double(left), _) => double_and(*left, right),
        (_, Value::Double(right)) => double_and(*right, left).map(Ordering::reverse),
        _ => Some(integer(left)?.cmp(&integer(right)?)),
    }
}

fn integer(value: &Value) -> Option<i128> {
    match value {
        Value::Int(value) => Some(i128::from(*value)),
        Value::Uint(value) => Some(i128::from(*value)),
        _ => None,
    }
}

/// As the API server compares them, by what the integer is as a floating-point number.
fn double_and(double: f64, other: &Value) -> Option<Ordering> {
    #[allow(clippy::cast_precision_loss, reason = "that is what is compared")]
    let other = integer(other)? as f64;
    double.partial_cmp(&other)
}

/// How two values are ordered: Err if they have no order, None if neither is less, as with NaN.
#[allow(clippy::result_unit_err, reason = "there is nothing to say")]
pub fn order(left: &Value, right: &Value) -> Result<Option<Ordering>, ()> {
    Ok(Some(match (left, right) {
        (Value::Bool(left), Value::Bool(right)) => left.cmp(right),
        (Value::Text(left), Value::Text(right)) => left.cmp(right),
        (Value::Bytes(left), Value::Bytes(right)) => left.cmp(right),
        (Value::Duration(left), Value::Duration(right)) => left.cmp(right),
        (Value::Timestamp(left), Value::Timestamp(right)) => left.instant().cmp(&right.instant()),
        (Value::Int(_) | Value::Uint(_) | Value::Double(_), Value::Int(_) | Value::Uint(_) | Value::Double(_)) => {
            return Ok(numbers(left, right));
        }
        _ => return Err(()),
    }))
}

#[cfg(test)]
mod tests {
    use super::{List, ListKind, Map, Value, equal, numbers, order, sum_of_lists};
    use std::cmp::Ordering;
    use std::sync::Arc;

    #[test]
    fn numbers_of_different_types_are_compared() {
        for (left, right, expected) in [
            (Value::Int(1), Value::Uint(1), Some(Ordering::Equal)),
            (Value::Int(-1), Value::Uint(u64::MAX), Some(Ordering::Less)),
            (Value::Double(1.5), Value::Int(1), Some(Ordering::Greater)),
            (Value::Double(-1.5), Value::Int(-1), Some(Ordering::Less)),
            (Value::Int(i64::MAX), Value::Double(9.3e18), Some(Ordering::Less)),
            (Value::Int(i64::MAX), Value::Double(9_223_372_036_854_775_808.0), Some(Ordering::Equal)),
            (Value::Double(f64::INFINITY), Value::Uint(u64::MAX), Some(Ordering::Greater)),
            (Value::Double(f64::NAN), Value::Int(0), None),
            (Value::Null, Value::Int(0), None),
        ] {
            assert_eq!(numbers(&left, &right), expected, "{left:?} {right:?}");
        }
        assert!(order(&Value::text("a"), &Value::Int(1)).is_err());
    }

    fn object(name: &str, value: i64) -> Value {
        let mut map = Map::default();
        map.insert(Value::text("name"), Value::text(name));
        map.insert(Value::text("value"), Value::Int(value));
        Value::Map(Arc::new(map))
    }

    #[test]
    fn arrays_are_equal_by_their_kind() {
        let list = |items: &[Value], kind: &ListKind| List { items: items.to_vec(), kind: kind.clone() };
        let (a, b, c) = (object("a", 1), object("b", 2), object("a", 3));
        let keyed = ListKind::Map([Arc::from("name")].into());
        let swapped = |kind: &ListKind| {
            let (left, right) = (list(&[a.clone(), b.clone()], kind), list(&[b.clone(), a.clone()], kind));
            equal(&Value::List(Arc::new(left)), &Value::List(Arc::new(right)))
        };
        assert!(!swapped(&ListKind::Atomic) && swapped(&ListKind::Set) && swapped(&keyed));
        let sum = |kind: &ListKind| {
            let sum = sum_of_lists(&list(&[a.clone(), b.clone()], kind), &list(&[c.clone(), b.clone()], kind));
            sum.items.len()
        };
        assert_eq!([sum(&ListKind::Atomic), sum(&ListKind::Set), sum(&keyed)], [4, 3, 2]);
    }
}
