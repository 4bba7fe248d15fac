//! Map keys, which keep their YAML type: integer 1 and string "1" are different keys (docs/ytt.md 4.2).

use crate::{Integer, NodeValue};
use smol_str::SmolStr;
use std::fmt;

/// A resolved map key. Floats compare by their bits, as in ytt, which compares decoded keys.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// `~:` or an empty key.
    Null,
    /// `on:`, `true:` and the like.
    Bool(bool),
    /// `1:`
    Int(Integer),
    /// `1.5:`, by its bits.
    Float(u64),
    /// Any other key that is a scalar.
    String(SmolStr),
    /// A map or an array, as ytt prints it: only plain YAML may have such keys.
    Collection(Box<str>),
}

impl Key {
    /// An integer.
    pub fn int(number: impl Into<Integer>) -> Key {
        Key::Int(number.into())
    }

    /// The key that is this scalar; `None` if it is a map or an array, or not known.
    pub(crate) fn of_scalar(value: &NodeValue) -> Option<Key> {
        Some(match value {
            NodeValue::Null => Key::Null,
            NodeValue::Bool(value) => Key::Bool(*value),
            NodeValue::Int(value) => Key::Int(*value),
            NodeValue::Float(value) => Key::Float(value.to_bits()),
            NodeValue::String(text) => Key::String(text.clone()),
            NodeValue::Map(_) | NodeValue::Array(_) | NodeValue::Unknown => return None,
        })
    }

    /// The keys that messages show as this text, as the steps of a JSON pointer name them; the string first.
    pub fn shown_as(text: &str) -> impl Iterator<Item = Key> + '_ {
        let number = text.parse::<i128>().ok().map(Key::int);
        let float = text.parse().ok().map(|value: f64| Key::Float(value.to_bits()));
        let word = match text {
            "null" => Some(Key::Null),
            _ => text.parse().ok().map(Key::Bool),
        };
        let others = [number, float, word].into_iter().flatten();
        std::iter::once(Key::from(text)).chain(others.filter(move |key| key.to_string() == *text))
    }

    /// The text of a string key.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Key::String(text) => Some(text),
            _ => None,
        }
    }
}

impl From<&str> for Key {
    fn from(text: &str) -> Self {
        Key::String(text.into())
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Key::Null => f.write_str("null"),
            Key::Bool(value) => write!(f, "{value}"),
            Key::Int(value) => write!(f, "{value}"),
            Key::Float(bits) => write!(f, "{}", f64::from_bits(*bits)),
            Key::String(text) => f.write_str(text),
            Key::Collection(text) => f.write_str(text),
        }
    }
}
