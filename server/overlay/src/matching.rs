//! Finds the nodes of the left side that match a node of the right side, and checks their number.

use crate::annotations::{By, Count, ready_made};
use crate::functions::{Argument, Called, Fault, Function, Functions, call};
use crate::problem::{ProblemKind, Wrong};
use lofting_document::{Key, Node, NodeValue, Span, from_expression};
use lofting_eval::{Callable, Expr, ExprKind};
use std::borrow::Cow;

/// What a matcher says about one candidate.
enum Verdict {
    Yes,
    No,
    Unknown,
    /// The matcher cannot be applied.
    Wrong(Box<Wrong>),
}

impl Verdict {
    fn wrong(wrong: impl Into<Wrong>, left: &Node) -> Verdict {
        Verdict::Wrong(Box::new(wrong.into().about(left)))
    }

    fn not(self) -> Verdict {
        match self {
            Verdict::Yes => Verdict::No,
            Verdict::No => Verdict::Yes,
            other => other,
        }
    }
}

impl From<bool> for Verdict {
    fn from(matched: bool) -> Self {
        if matched { Verdict::Yes } else { Verdict::No }
    }
}

/// The result for all candidates.
pub(crate) enum Matched {
    /// The indices of the matching candidates.
    At(Vec<usize>),
    /// Any of them may match.
    Unknown,
    /// The matcher fails with this problem.
    Wrong(Box<Wrong>),
}

/// A node of the left side: its key or index, and its value.
pub(crate) type Candidate<'a> = (Argument<'a>, &'a Node);

/// The matcher itself, even if a function turns out to be one of ytt's ready-made matchers.
pub(crate) fn ready<'b>(by: &'b By, functions: &dyn Functions) -> Cow<'b, By> {
    let By::Function(function) = by else { return Cow::Borrowed(by) };
    let written = || functions.source(function.span).and_then(|text| ready_made(&text, function.span.file));
    let made = function.callable.as_ref().and_then(|callable| evaluated(callable, function.span)).or_else(written);
    made.map_or(Cow::Borrowed(by), Cow::Owned)
}

/// Which candidates match `right`. `made` is what [`ready`] says of `by`. A function is called once, for all candidates that no
/// other part of the matcher decides.
pub(crate) fn matching<'a>(
    by: &By,
    made: &By,
    candidates: impl Iterator<Item = Candidate<'a>>,
    right: &'a Node,
    functions: &dyn Functions,
) -> Matched {
    if !made.calls() {
        return collect(candidates.map(|(place, left)| matches(made, place, left, right)));
    }
    let candidates: Vec<Candidate<'a>> = candidates.collect();
    let verdicts = asked(made, &candidates, right, functions);
    let failed = verdicts.iter().any(|verdict| matches!(verdict, Verdict::Wrong(_)));
    match by {
        // Only the whole matcher words why one of its parts fails as ytt does.
        By::Function(whole) if failed && made != by => collect(ask(whole, &candidates, right, functions)),
        _ => collect(verdicts),
    }
}

/// What a matcher with functions says about each candidate. As in ytt, a part is not asked about candidates that the parts
/// before it decide.
fn asked<'a>(by: &By, candidates: &[Candidate<'a>], right: &'a Node, functions: &dyn Functions) -> Vec<Verdict> {
    let (parts, goes_on): (&[By], fn(&Verdict) -> bool) = match by {
        By::Function(function) => return ask(function, candidates, right, functions),
        By::And(parts) => (parts, |verdict| matches!(verdict, Verdict::Yes)),
        By::Or(parts) => (parts, |verdict| matches!(verdict, Verdict::No)),
        By::Not(part) => return asked(part, candidates, right, functions).into_iter().map(Verdict::not).collect(),
        by => return candidates.iter().map(|(place, left)| matches(by, *place, left, right)).collect(),
    };
    let mut verdicts: Vec<Verdict> = candidates.iter().map(|_| matches!(by, By::And(_)).into()).collect();
    let mut open: Vec<usize> = (0..candidates.len()).collect();
    for part in parts {
        let asked_about: Vec<Candidate<'a>> = open.iter().filter_map(|at| candidates.get(*at).copied()).collect();
        let answers = asked(part, &asked_about, right, functions);
        let mut undecided = Vec::new();
        for (at, answer) in std::mem::take(&mut open).into_iter().zip(answers) {
            if goes_on(&answer) {
                undecided.push(at);
            } else if let Some(verdict) = verdicts.get_mut(at) {
                *verdict = answer;
            }
        }
        open = undecided;
    }
    verdicts
}

/// Calls the user's function as `f(key_or_index, left, right)`.
fn ask<'a>(
    function: &Function,
    candidates: &[Candidate<'a>],
    right: &'a Node,
    functions: &dyn Functions,
) -> Vec<Verdict> {
    if candidates.is_empty() {
        return Vec::new();
    }
    if !right.is_known() || candidates.iter().any(|(_, left)| !left.is_known()) {
        return candidates.iter().map(|_| Verdict::Unknown).collect();
    }
    let calls: Vec<Vec<Argument<'_>>> =
        candidates.iter().map(|(place, left)| vec![*place, Argument::Node(left), Argument::Node(right)]).collect();
    let answers = functions.call(function, &calls);
    let verdicts = answers.into_iter().zip(candidates).map(|(answer, (_, left))| match answer {
        Called::Value(returned) => match returned.bool() {
            Some(matched) => matched.into(),
            None => {
                let kind = returned.type_name;
                let message = format!("the function given as `by=` must return a bool, but returned a {kind}");
                Verdict::wrong(Fault::from(message).of(function), left)
            }
        },
        Called::Unknown => Verdict::Unknown,
        Called::Stopped(message) => Verdict::wrong(ProblemKind::NotEvaluated { message }, left),
        Called::Failed(fault) => Verdict::wrong(fault.of(function), left),
    });
    verdicts.collect()
}

fn collect(verdicts: impl IntoIterator<Item = Verdict>) -> Matched {
    let mut matched = Vec::new();
    let mut uncertain = false;
    for (at, verdict) in verdicts.into_iter().enumerate() {
        lofting_memo::step();
        match verdict {
            Verdict::Yes => matched.push(at),
            Verdict::No => {}
            Verdict::Unknown => uncertain = true,
            Verdict::Wrong(wrong) => return Matched::Wrong(wrong),
        }
    }
    if uncertain { Matched::Unknown } else { Matched::At(matched) }
}

/// Whether a candidate matches `right`; `place` is its key or index.
fn matches(by: &By, place: Argument<'_>, left: &Node, right: &Node) -> Verdict {
    match by {
        By::All => Verdict::Yes,
        By::Index(index) => match place {
            Argument::Number(number) => (i128::try_from(number) == Ok(*index)).into(),
            Argument::Key(Key::Int(key)) => (key.get() == *index).into(),
            // The place of a map item is a key, not an index.
            Argument::Key(_) => {
                let message = "overlay.index: expected int value, but the place of a map item is its key".to_owned();
                Verdict::wrong(ProblemKind::Function { message }, left)
            }
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
            (has, _) => {
                let without = if has.is_some() { right } else { left };
                Verdict::wrong(ProblemKind::MissingMatchKey { key: key.to_string() }, without)
            }
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
        By::Not(part) => matches(part, place, left, right).not(),
        By::Function(_) | By::Subset(_) | By::Unknown => Verdict::Unknown,
    }
}

/// Whether the number of matches is the expected one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Held {
    Yes,
    No,
    Unknown,
    /// The function that decides failed.
    Failed(Wrong),
    /// The function that decides was stopped, for this reason.
    Stopped(String),
    /// The argument is not a valid number of matches: the message in ytt's words, and its place.
    Wrong(String, Span),
}

impl From<bool> for Held {
    fn from(held: bool) -> Self {
        if held { Held::Yes } else { Held::No }
    }
}

/// Whether `count` allows `found` matches.
pub(crate) fn holds(count: &Count, found: usize, functions: &dyn Functions) -> Held {
    let number = found as i128;
    match count {
        Count::Exactly(expected) => (number == *expected).into(),
        Count::AtLeast(least) => (number >= *least).into(),
        Count::ZeroOrOne => (found <= 1).into(),
        Count::AnyOf(counts) => {
            // An empty list states no number, so it always holds.
            let mut answer = if counts.is_empty() { Held::Yes } else { Held::No };
            for count in counts {
                match holds(count, found, functions) {
                    Held::Yes => return Held::Yes,
                    Held::No => {}
                    other => answer = other,
                }
            }
            // One entry of a list has to hold; then a failed entry does not matter.
            if matches!(answer, Held::Failed(_)) { Held::No } else { answer }
        }
        Count::Function(function) => match call(functions, function, &[Argument::Number(found)]) {
            Called::Value(returned) => match returned.bool() {
                Some(held) => held.into(),
                None => {
                    let kind = returned.type_name;
                    let message =
                        format!("the function for the number of matches must return a bool, but returned a {kind}");
                    Held::Failed(Fault::from(message).of(function))
                }
            },
            Called::Failed(fault) => Held::Failed(fault.of(function)),
            Called::Stopped(message) => Held::Stopped(message),
            Called::Unknown => Held::Unknown,
        },
        Count::Unknown => Held::Unknown,
        Count::Wrong { message, argument } => Held::Wrong(message.clone(), *argument),
    }
}

/// A count as ytt words it.
pub(crate) fn words(count: &Count) -> String {
    match count {
        Count::Exactly(number) => number.to_string(),
        Count::AtLeast(number) => format!(">= {number}"),
        Count::ZeroOrOne => "0 or 1".to_owned(),
        Count::AnyOf(counts) => counts.iter().map(words).collect::<Vec<_>>().join(", or "),
        Count::Function(_) | Count::Unknown | Count::Wrong { .. } => "a number that the function accepts".to_owned(),
    }
}

/// The matcher that evaluation returned, if it is ready-made and was made with known values or with other matchers.
fn evaluated(callable: &Callable, span: Span) -> Option<By> {
    let parts = || -> Option<Vec<By>> {
        let part = |value: &Expr| match &value.kind {
            ExprKind::Callable(part) => {
                let made = evaluated(part, span);
                Some(made.unwrap_or_else(|| By::Function(Function { span, callable: Some(part.clone()) })))
            }
            _ => None,
        };
        callable.made_with.iter().map(part).collect()
    };
    if callable.type_name != "builtin_function_or_method" {
        return None;
    }
    match (callable.text.as_str(), callable.made_with.as_slice()) {
        ("overlay.all", _) => Some(By::All),
        ("overlay.match.index", [Expr { kind: ExprKind::Int(index), .. }]) => Some(By::Index(*index)),
        ("overlay.match.map_key", [Expr { kind: ExprKind::String(key), .. }]) => Some(By::MapKey(key.as_str().into())),
        ("overlay.match.subset", [value]) if value.is_literal() => Some(By::Subset(from_expression(span.file, value))),
        ("overlay.match.and_op", [_, ..]) => Some(By::And(parts()?)),
        ("overlay.match.or_op", [_, ..]) => Some(By::Or(parts()?)),
        ("overlay.match.not_op", [_]) => Some(By::Not(Box::new(parts()?.pop()?))),
        _ => None,
    }
}

/// Whether two leaves are equal. Numbers are equal only within their type, and collections never are, because ytt
/// compares those including their positions.
pub fn same_leaf(a: &Node, b: &Node) -> bool {
    !matches!(a.value, NodeValue::Map(_) | NodeValue::Array(_)) && a.value == b.value
}

/// Whether `whole` contains at least what `part` has: the keys of maps, and the items of arrays at the same index.
pub fn contains(whole: &Node, part: &Node) -> bool {
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

/// A key as it is passed to matchers.
pub(crate) fn key_argument(key: &Key) -> Argument<'_> {
    Argument::Key(key)
}
