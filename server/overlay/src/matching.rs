//! Which nodes of the left side match a node of the right side, and whether these are as many as they
//! should be.

use crate::annotations::{By, Count, ready_made};
use crate::functions::{Argument, Called, Function, Functions, call};
use crate::problem::ProblemKind;
use lofting_document::{Key, Node, NodeValue, Span};
use std::borrow::Cow;

/// Answer of a matcher for one candidate.
enum Verdict {
    Yes,
    No,
    Unknown,
    /// It can not be asked.
    Wrong(ProblemKind),
}

impl From<bool> for Verdict {
    fn from(matched: bool) -> Self {
        if matched { Verdict::Yes } else { Verdict::No }
    }
}

/// Answer for all candidates.
pub(crate) enum Matched {
    /// The indices of those that match.
    At(Vec<usize>),
    /// Any of them may match.
    Unknown,
    /// The matcher fails.
    Wrong(ProblemKind),
}

/// A node of the left side: its key or index, and its value.
pub(crate) type Candidate<'a> = (Argument<'a>, &'a Node);

/// The matcher, where it is one of ytt's own also if it came as a function.
pub(crate) fn ready<'b>(by: &'b By, functions: &dyn Functions) -> Cow<'b, By> {
    let By::Function(function) = by else { return Cow::Borrowed(by) };
    let made = functions.source(function.span).and_then(|text| ready_made(&text, function.span.file));
    made.map_or(Cow::Borrowed(by), Cow::Owned)
}

/// Which candidates match `right`. A function is asked about all of them at once.
pub(crate) fn matching<'a>(
    by: &By,
    candidates: impl Iterator<Item = Candidate<'a>>,
    right: &'a Node,
    functions: &dyn Functions,
) -> Matched {
    let by = &*ready(by, functions);
    if let By::Function(function) = by {
        return ask(function, candidates, right, functions);
    }
    collect(candidates.map(|(place, left)| matches(by, place, left, right)))
}

/// Calls the user's function as `f(key_or_index, left, right)`.
fn ask<'a>(
    function: &Function,
    candidates: impl Iterator<Item = Candidate<'a>>,
    right: &'a Node,
    functions: &dyn Functions,
) -> Matched {
    let candidates: Vec<Candidate<'a>> = candidates.collect();
    if candidates.is_empty() {
        return Matched::At(Vec::new());
    }
    if !right.is_known() || candidates.iter().any(|(_, left)| !left.is_known()) {
        return Matched::Unknown;
    }
    let calls: Vec<Vec<Argument<'_>>> =
        candidates.iter().map(|(place, left)| vec![*place, Argument::Node(left), Argument::Node(right)]).collect();
    let answers = functions.call(function, &calls);
    collect(answers.into_iter().map(|answer| match answer {
        Called::Value(returned) => match returned.bool() {
            Some(matched) => matched.into(),
            None => Verdict::Wrong(ProblemKind::Function {
                message: format!(
                    "the function given as `by=` must return a bool, but returned a {}",
                    returned.type_name
                ),
            }),
        },
        Called::Unknown => Verdict::Unknown,
        Called::Stopped(message) => Verdict::Wrong(ProblemKind::NotEvaluated { message }),
        Called::Failed(message) => Verdict::Wrong(ProblemKind::Function { message }),
    }))
}

fn collect(verdicts: impl Iterator<Item = Verdict>) -> Matched {
    let mut matched = Vec::new();
    let mut uncertain = false;
    for (at, verdict) in verdicts.enumerate() {
        match verdict {
            Verdict::Yes => matched.push(at),
            Verdict::No => {}
            Verdict::Unknown => uncertain = true,
            Verdict::Wrong(kind) => return Matched::Wrong(kind),
        }
    }
    if uncertain { Matched::Unknown } else { Matched::At(matched) }
}

/// Whether the candidate (`place` is its key or index) matches `right`.
fn matches(by: &By, place: Argument<'_>, left: &Node, right: &Node) -> Verdict {
    match by {
        By::All => Verdict::Yes,
        By::Index(index) => match place {
            Argument::Number(number) => (i128::try_from(number) == Ok(*index)).into(),
            Argument::Key(Key::Int(key)) => (key == index).into(),
            // The place of a map item is its key, which is no index.
            Argument::Key(_) => Verdict::Wrong(ProblemKind::Function {
                message: "overlay.index: expected int value, but the place of a map item is its key".to_owned(),
            }),
            Argument::Node(_) | Argument::None => Verdict::No,
        },
        By::MapKey(key) => match (left.get(key), right.get(key)) {
            _ if matches!(left.value, NodeValue::Unknown) || matches!(right.value, NodeValue::Unknown) => {
                Verdict::Unknown
            }
            (Some(left), Some(right)) if left.is_known() && right.is_known() => same_leaf(left, right).into(),
            (Some(_), Some(_)) => Verdict::Unknown,
            (None, _) if left.partial => Verdict::Unknown,
            (_, None) if right.partial => Verdict::Unknown,
            _ => Verdict::Wrong(ProblemKind::MissingMatchKey { key: key.to_string() }),
        },
        By::Subset(expected) if left.is_known() => contains(left, expected).into(),
        By::And(parts) => {
            for part in parts {
                match matches(part, place, left, right) {
                    Verdict::Yes => {}
                    other => return other,
                }
            }
            Verdict::Yes
        }
        By::Or(parts) => {
            for part in parts {
                match matches(part, place, left, right) {
                    Verdict::No => {}
                    other => return other,
                }
            }
            Verdict::No
        }
        By::Not(part) => match matches(part, place, left, right) {
            Verdict::Yes => Verdict::No,
            Verdict::No => Verdict::Yes,
            other => other,
        },
        By::Function(_) | By::Subset(_) | By::Unknown => Verdict::Unknown,
    }
}

/// Whether a number of matches is as expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Held {
    Yes,
    No,
    Unknown,
    /// It can not be asked: the function failed with these words.
    Failed(String),
    /// It was asked and did not answer, for this reason.
    Stopped(String),
    /// It is no number of matches, in ytt's words, and the argument that says so.
    Wrong(String, Span),
}

impl From<bool> for Held {
    fn from(held: bool) -> Self {
        if held { Held::Yes } else { Held::No }
    }
}

/// Whether `count` matches are as expected.
pub(crate) fn holds(count: &Count, found: usize, functions: &dyn Functions) -> Held {
    let number = found as i128;
    match count {
        Count::Exactly(expected) => (number == *expected).into(),
        Count::AtLeast(least) => (number >= *least).into(),
        Count::ZeroOrOne => (found <= 1).into(),
        Count::AnyOf(counts) => {
            // An empty list has no number that could be missed.
            let mut answer = if counts.is_empty() { Held::Yes } else { Held::No };
            for count in counts {
                match holds(count, found, functions) {
                    Held::Yes => return Held::Yes,
                    Held::No => {}
                    other => answer = other,
                }
            }
            // Of a list one has to hold; that another could not be asked does not matter.
            if matches!(answer, Held::Failed(_)) { Held::No } else { answer }
        }
        Count::Function(function) => match call(functions, function, &[Argument::Number(found)]) {
            Called::Value(returned) => match returned.bool() {
                Some(held) => held.into(),
                None => Held::Failed(format!(
                    "the function for the number of matches must return a bool, but returned a {}",
                    returned.type_name
                )),
            },
            Called::Failed(message) => Held::Failed(message),
            Called::Stopped(message) => Held::Stopped(message),
            Called::Unknown => Held::Unknown,
        },
        Count::Unknown => Held::Unknown,
        Count::Wrong { message, argument } => Held::Wrong(message.clone(), *argument),
    }
}

/// A count in ytt's words.
pub(crate) fn words(count: &Count) -> String {
    match count {
        Count::Exactly(number) => number.to_string(),
        Count::AtLeast(number) => format!(">= {number}"),
        Count::ZeroOrOne => "0 or 1".to_owned(),
        Count::AnyOf(counts) => counts.iter().map(words).collect::<Vec<_>>().join(", or "),
        Count::Function(_) | Count::Unknown | Count::Wrong { .. } => "a number that the function accepts".to_owned(),
    }
}

/// Equality of what stands at two leaves. Numbers are equal only within their kind, and collections never
/// are: ytt compares the nodes with their places.
fn same_leaf(a: &Node, b: &Node) -> bool {
    !matches!(a.value, NodeValue::Map(_) | NodeValue::Array(_)) && a.value == b.value
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
        _ => same_leaf(whole, part),
    }
}

/// The key of an item as matchers see it.
pub(crate) fn key_argument(key: &Key) -> Argument<'_> {
    Argument::Key(key)
}
