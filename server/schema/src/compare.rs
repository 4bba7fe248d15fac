//! Comparing values as Starlark does (docs/ytt.md 13.5): 1 and 1.0 are equal, `"1"` and 1 are not.

use lofting_document::{Node, NodeValue};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// The relation of two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compared {
    /// They have an order.
    Order(Ordering),
    /// Values of these kinds have no order; in ytt the rule fails.
    Unordered,
    /// One of them is NaN: no comparison holds.
    NotANumber,
    /// One of them is unknown.
    Unknown,
}

/// The order of two values.
pub fn order(left: &Node, right: &Node) -> Compared {
    order_within(left, right, 0)
}

// Values deeper than this are not compared.
const DEPTH: usize = lofting_eval::MAX_NESTING;

fn order_within(left: &Node, right: &Node, depth: usize) -> Compared {
    use NodeValue as V;
    if depth > DEPTH {
        return Compared::Unknown;
    }
    match (&left.value, &right.value) {
        (V::Unknown, _) | (_, V::Unknown) => Compared::Unknown,
        (V::Int(a), V::Int(b)) => Compared::Order(a.cmp(b)),
        (V::Int(_) | V::Float(_), V::Int(_) | V::Float(_)) => match (number(&left.value), number(&right.value)) {
            (Some(a), Some(b)) => a.partial_cmp(&b).map_or(Compared::NotANumber, Compared::Order),
            _ => Compared::Unknown,
        },
        (V::String(a), V::String(b)) => Compared::Order(a.as_bytes().cmp(b.as_bytes())),
        (V::Bool(a), V::Bool(b)) => Compared::Order(a.cmp(b)),
        (V::Array(a), V::Array(b)) => {
            for (a, b) in a.iter().zip(b) {
                match equal_within(&a.value, &b.value, depth + 1) {
                    Some(true) => {}
                    Some(false) => return order_within(&a.value, &b.value, depth + 1),
                    None => return Compared::Unknown,
                }
            }
            Compared::Order(a.len().cmp(&b.len()))
        }
        _ => Compared::Unordered,
    }
}

fn number(value: &NodeValue) -> Option<f64> {
    match value {
        NodeValue::Int(value) => Some(value.get() as f64),
        NodeValue::Float(value) => Some(*value),
        _ => None,
    }
}

/// Whether two values are equal; None if one of them is unknown.
pub fn equal(left: &Node, right: &Node) -> Option<bool> {
    equal_within(left, right, 0)
}

fn equal_within(left: &Node, right: &Node, depth: usize) -> Option<bool> {
    use NodeValue as V;
    if depth > DEPTH {
        return None;
    }
    Some(match (&left.value, &right.value) {
        _ if left.partial || right.partial => return None,
        (V::Unknown, _) | (_, V::Unknown) => return None,
        (V::Null, V::Null) => true,
        (V::Bool(a), V::Bool(b)) => a == b,
        (V::Int(a), V::Int(b)) => a == b,
        (V::Int(_) | V::Float(_), V::Int(_) | V::Float(_)) => number(&left.value) == number(&right.value),
        (V::String(a), V::String(b)) => a == b,
        (V::Array(a), V::Array(b)) => {
            if a.len() != b.len() {
                return Some(false);
            }
            for (a, b) in a.iter().zip(b) {
                if !equal_within(&a.value, &b.value, depth + 1)? {
                    return Some(false);
                }
            }
            true
        }
        (V::Map(a), V::Map(b)) => {
            if a.len() != b.len() {
                return Some(false);
            }
            for item in a {
                let Some(other) = b.value(&item.key) else { return Some(false) };
                if !equal_within(&item.value, other, depth + 1)? {
                    return Some(false);
                }
            }
            true
        }
        _ => false,
    })
}

/// A hash that is the same for equal values.
pub fn equality_hash(node: &Node) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    hash_within(node, &mut hasher, 0);
    hasher.finish()
}

fn hash_within(node: &Node, hasher: &mut rustc_hash::FxHasher, depth: usize) {
    use NodeValue as V;
    if depth > DEPTH {
        return;
    }
    match &node.value {
        V::Int(_) | V::Float(_) => {
            // Zero has two signs.
            let number = number(&node.value).unwrap_or_default();
            (3u8, if number == 0.0 { 0 } else { number.to_bits() }).hash(hasher);
        }
        V::Null => 0u8.hash(hasher),
        V::Bool(value) => (1u8, value).hash(hasher),
        V::String(text) => (2u8, text).hash(hasher),
        V::Array(items) => {
            (4u8, items.len()).hash(hasher);
            items.iter().for_each(|item| hash_within(&item.value, hasher, depth + 1));
        }
        V::Map(items) => {
            // The order of keys does not matter.
            let of_item = |item: &lofting_document::MapItem| {
                let mut own = rustc_hash::FxHasher::default();
                item.key.hash(&mut own);
                hash_within(&item.value, &mut own, depth + 1);
                own.finish()
            };
            (5u8, items.iter().map(of_item).fold(0u64, u64::wrapping_add)).hash(hasher);
        }
        V::Unknown => 6u8.hash(hasher),
    }
}
