//! Which nodes of the left side match a node of the right side.

use crate::annotations::{By, Count, ready_made};
use crate::functions::{Argument, Called, Functions};
use lofting_document::{Key, Node, NodeValue};

/// Answer of a matcher for one candidate.
pub(crate) enum Verdict {
    Yes,
    No,
    Unknown,
    /// `by="name"` on a value without that key.
    NoSuchKey(String),
    /// The function failed.
    Failed(String),
}

impl From<bool> for Verdict {
    fn from(matched: bool) -> Self {
        if matched { Verdict::Yes } else { Verdict::No }
    }
}

/// Whether the candidate (`place` is its key or index) matches `right`.
pub(crate) fn matches(by: &By, place: Argument<'_>, left: &Node, right: &Node, functions: &dyn Functions) -> Verdict {
    match by {
        By::All => Verdict::Yes,
        By::Index(index) => match place {
            Argument::Number(number) => (i128::try_from(number) == Ok(*index)).into(),
            _ => Verdict::No,
        },
        By::MapKey(key) => match (left.get(key), right.get(key)) {
            _ if matches!(left.value, NodeValue::Unknown) || matches!(right.value, NodeValue::Unknown) => {
                Verdict::Unknown
            }
            (Some(left), Some(right)) if left.is_known() && right.is_known() => same_value(left, right).into(),
            (Some(_), Some(_)) => Verdict::Unknown,
            (None, _) if left.partial => Verdict::Unknown,
            (_, None) if right.partial => Verdict::Unknown,
            _ => Verdict::NoSuchKey(key.to_string()),
        },
        By::Subset(expected) if left.is_known() => contains(left, expected).into(),
        By::And(parts) => {
            for part in parts {
                match matches(part, place, left, right, functions) {
                    Verdict::Yes => {}
                    other => return other,
                }
            }
            Verdict::Yes
        }
        By::Or(parts) => {
            for part in parts {
                match matches(part, place, left, right, functions) {
                    Verdict::No => {}
                    other => return other,
                }
            }
            Verdict::No
        }
        By::Not(part) => match matches(part, place, left, right, functions) {
            Verdict::Yes => Verdict::No,
            Verdict::No => Verdict::Yes,
            other => other,
        },
        By::Function(span) => {
            if let Some(known) = functions.source(*span).and_then(|text| ready_made(&text, span.file)) {
                return matches(&known, place, left, right, functions);
            }
            match functions.call(*span, &[place, Argument::Node(left), Argument::Node(right)]) {
                Called::Value(Node { value: NodeValue::Bool(matched), .. }) => matched.into(),
                Called::Value(_) => Verdict::Failed("Expected matcher function to return a boolean".to_owned()),
                Called::Unknown => Verdict::Unknown,
                Called::Failed(message) => Verdict::Failed(message),
            }
        }
        By::Subset(_) | By::Unknown => Verdict::Unknown,
    }
}

/// Whether `count` matches are as expected; `None` if that can not be told.
pub(crate) fn holds(count: &Count, found: usize, functions: &dyn Functions) -> Option<bool> {
    match count {
        Count::Exactly(number) => Some(found == *number),
        Count::AtLeast(number) => Some(found >= *number),
        Count::ZeroOrOne => Some(found <= 1),
        Count::AnyOf(counts) => {
            let answers: Vec<Option<bool>> = counts.iter().map(|count| holds(count, found, functions)).collect();
            if answers.contains(&Some(true)) {
                Some(true)
            } else if answers.contains(&None) {
                None
            } else {
                Some(false)
            }
        }
        Count::Function(span) => match functions.call(*span, &[Argument::Number(found)]) {
            Called::Value(Node { value: NodeValue::Bool(held), .. }) => Some(held),
            _ => None,
        },
        Count::Unknown => None,
    }
}

/// A count in ytt's words.
pub(crate) fn words(count: &Count) -> String {
    match count {
        Count::Exactly(number) => number.to_string(),
        Count::AtLeast(number) => format!(">= {number}"),
        Count::ZeroOrOne => "0 or 1".to_owned(),
        Count::AnyOf(counts) => counts.iter().map(words).collect::<Vec<_>>().join(", or "),
        Count::Function(_) | Count::Unknown => "what the function accepts".to_owned(),
    }
}

/// Equality of values as ytt compares them: maps regardless of order, numbers by value.
pub(crate) fn same_value(a: &Node, b: &Node) -> bool {
    match (&a.value, &b.value) {
        (NodeValue::Map(left), NodeValue::Map(right)) => {
            left.len() == right.len()
                && left.iter().all(|item| b.get(&item.key).is_some_and(|other| same_value(&item.value, other)))
        }
        (NodeValue::Array(left), NodeValue::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(a, b)| same_value(&a.value, &b.value))
        }
        (NodeValue::Int(int), NodeValue::Float(float)) | (NodeValue::Float(float), NodeValue::Int(int)) => {
            *int as f64 == *float
        }
        (left, right) => left == right,
    }
}

/// Whether `whole` has at least what `part` says: keys of maps; items of arrays at the same place.
pub(crate) fn contains(whole: &Node, part: &Node) -> bool {
    match (&whole.value, &part.value) {
        (NodeValue::Map(_), NodeValue::Map(items)) => {
            items.iter().all(|item| whole.get(&item.key).is_some_and(|value| contains(value, &item.value)))
        }
        (NodeValue::Array(left), NodeValue::Array(right)) => {
            left.len() >= right.len() && left.iter().zip(right).all(|(a, b)| contains(&a.value, &b.value))
        }
        _ => same_value(whole, part),
    }
}

/// The key of an item as matchers see it.
pub(crate) fn key_argument(key: &Key) -> Argument<'_> {
    Argument::Key(key)
}
