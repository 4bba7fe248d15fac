//! Changes of bounds: limits, lengths, patterns, lists of allowed values.

use crate::change::{Breaks, Change, Kind};
use crate::language::Texts;
use crate::pattern::{Inclusion, Patterns};
use crate::place::{BoundAt, Described};
use lofting_document::{Node, NodeValue, Span};
use lofting_schema::compare::{Compared, equal, order};
use lofting_schema::words::literal;
use lofting_schema::{ConstraintKind, Kinds, Pattern, SchemaNode};
use std::cmp::Ordering;

/// A limit: the group of those that can replace each other, its keyword, and the number.
struct Limit {
    group: Group,
    keyword: &'static str,
    is_exclusive: bool,
    value: Node,
    /// The number as it is written.
    shown: String,
    span: Span,
}

/// What a limit is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Group {
    /// The least value.
    Least,
    /// The greatest value.
    Most,
    /// The least length of a kind of values.
    Shortest(Kinds),
    /// The greatest length of a kind of values.
    Longest(Kinds),
}

impl Group {
    fn is_lower(self) -> bool {
        matches!(self, Group::Least | Group::Shortest(_))
    }
}

fn limits(place: &Described<'_>) -> Vec<Limit> {
    place.bounds.iter().filter_map(|bound| limit(place, bound)).collect()
}

fn limit(place: &Described<'_>, BoundAt { bound, on }: &BoundAt<'_>) -> Option<Limit> {
    let number = |value: i128| Node::new(NodeValue::int(value), bound.span);
    let of_kind = if on.has(Kinds::STRING) {
        Kinds::STRING
    } else if on.has(Kinds::ARRAY) {
        Kinds::ARRAY
    } else {
        Kinds::MAP
    };
    let (group, keyword, is_exclusive, value) = match &bound.kind {
        ConstraintKind::Min(value) => (Group::Least, "minimum", false, value.clone()),
        ConstraintKind::ExclusiveMin(value) => (Group::Least, "exclusiveMinimum", true, value.clone()),
        ConstraintKind::Max(value) => (Group::Most, "maximum", false, value.clone()),
        ConstraintKind::ExclusiveMax(value) => (Group::Most, "exclusiveMaximum", true, value.clone()),
        // Every length is at least 0.
        ConstraintKind::MinLength(length) if *length <= 0 => return None,
        ConstraintKind::MinLength(length) => {
            let keyword = match of_kind {
                Kinds::STRING => "minLength",
                Kinds::ARRAY => "minItems",
                _ => "minProperties",
            };
            (Group::Shortest(of_kind), keyword, false, number(*length))
        }
        ConstraintKind::MaxLength(length) => {
            let keyword = match of_kind {
                Kinds::STRING => "maxLength",
                Kinds::ARRAY => "maxItems",
                _ => "maxProperties",
            };
            (Group::Longest(of_kind), keyword, false, number(*length))
        }
        _ => return None,
    };
    let shown = literal(&value);
    // Among integers, more than 4 is at least 5.
    let (is_exclusive, value) = match (is_exclusive, &value.value) {
        (true, NodeValue::Int(limit)) if place.kinds == Kinds::INT => {
            let inner = if group.is_lower() { limit.get().saturating_add(1) } else { limit.get().saturating_sub(1) };
            (false, number(inner))
        }
        _ => (is_exclusive, value),
    };
    Some(Limit { group, keyword, is_exclusive, value, shown, span: bound.span })
}

/// Whether `one` refuses more than `other`; None if they cannot be compared.
fn is_stricter(one: &Limit, other: &Limit) -> Option<bool> {
    let Compared::Order(order) = order(&one.value, &other.value) else { return None };
    Some(match (order, one.group.is_lower()) {
        (Ordering::Equal, _) => one.is_exclusive && !other.is_exclusive,
        (Ordering::Greater, is_lower) => is_lower,
        (Ordering::Less, is_lower) => !is_lower,
    })
}

/// Changes of limits.
fn limit_changes(old: &Described<'_>, new: &Described<'_>, found: &mut Vec<Change>) {
    let (mut before, mut after) = (limits(old), limits(new));
    // What stayed says nothing, but it may make another limit idle.
    let kept: Vec<Limit> = limits(old);
    let is_new_strict = |limit: &Limit| {
        let of_group = kept.iter().filter(|other| other.group == limit.group);
        let mut stricter = of_group.map(|other| is_stricter(limit, other) != Some(false));
        stricter.all(|is_stricter| is_stricter)
    };
    let mut pairs: Vec<(Option<Limit>, Option<Limit>)> = Vec::new();
    // A limit is compared with that of its keyword, else with one of another keyword that may have replaced it.
    for same_keyword in [true, false] {
        let mut left = Vec::new();
        for limit in before {
            let fits = |other: &Limit| other.group == limit.group && (!same_keyword || other.keyword == limit.keyword);
            match after.iter().position(fits) {
                Some(at) => pairs.push((Some(limit), Some(after.remove(at)))),
                None => left.push(limit),
            }
        }
        before = left;
    }
    pairs.extend(before.into_iter().map(|limit| (Some(limit), None)));
    pairs.extend(after.into_iter().map(|limit| (None, Some(limit))));
    for (before, after) in pairs {
        let (narrowed, widened) = match (&before, &after) {
            (Some(before), Some(after)) => (is_stricter(after, before), is_stricter(before, after)),
            (None, _) => (Some(true), Some(false)),
            (_, None) => (Some(false), Some(true)),
        };
        let (kind, breaks) = match (narrowed, widened) {
            (Some(false), Some(false)) => continue,
            (Some(false), _) => (Kind::Widened, Breaks::NOTHING),
            _ => (Kind::Narrowed, Breaks::values_if(after.as_ref().is_none_or(is_new_strict))),
        };
        let Some(keyword) = after.as_ref().or(before.as_ref()).map(|limit| limit.keyword) else { continue };
        let said = |limit: &Option<Limit>| limit.as_ref().map(|limit| limit.shown.clone());
        let span = |limit: &Option<Limit>| limit.as_ref().map(|limit| limit.span);
        let change = Change::new(kind).breaking(breaks).by(keyword).saying(said(&before), said(&after));
        found.push(change.at(span(&before).or_else(|| old.span()), span(&after).or_else(|| new.span())));
    }
}

/// The values that a place allows: those that all its lists have.
pub(crate) fn allowed<'s>(place: &Described<'s>) -> Option<(Vec<&'s Node>, Span)> {
    let mut lists = place.bounds.iter().filter_map(|BoundAt { bound, .. }| match &bound.kind {
        ConstraintKind::OneOf(choices) => Some((choices, bound.span)),
        _ => None,
    });
    let (first, span) = lists.next()?;
    let others: Vec<_> = lists.collect();
    let in_all = |value: &&Node| others.iter().all(|(choices, _)| choices.has(value) != Some(false));
    Some((first.iter().filter(in_all).collect(), span))
}

/// Changes of lists of allowed values.
fn choice_changes(old: &Described<'_>, new: &Described<'_>, texts: Texts<'_>, found: &mut Vec<Change>) {
    let keyword = |text: &str, span: Span| {
        let written = text.get(span.range()).unwrap_or_default().trim_start_matches(['"', '\'']);
        if written.starts_with("const") { "const" } else { "enum" }
    };
    let list = |values: &[&Node]| values.iter().map(|value| literal(value)).collect::<Vec<_>>().join(", ");
    match (allowed(old), allowed(new)) {
        (None, None) => {}
        (Some((values, span)), None) => found.push(
            Change::new(Kind::Widened)
                .by(keyword(texts.old, span))
                .saying(Some(list(&values)), None)
                .at(Some(span), new.span()),
        ),
        (None, Some((values, span))) => found.push(
            Change::new(Kind::Narrowed)
                .breaking(Breaks::VALUES)
                .by(keyword(texts.new, span))
                .saying(None, Some(list(&values)))
                .at(old.span(), Some(span)),
        ),
        (Some((before, old_span)), Some((after, new_span))) => {
            let lacks = |choices: &lofting_schema::Choices, value: &Node| choices.has(value) == Some(false);
            let choices = |values: &[&Node]| values.iter().map(|value| (*value).clone()).collect();
            let (had, has): (lofting_schema::Choices, lofting_schema::Choices) = (choices(&before), choices(&after));
            let removed: Vec<&Node> = before.iter().copied().filter(|value| lacks(&has, value)).collect();
            let added: Vec<&Node> = after.iter().copied().filter(|value| lacks(&had, value)).collect();
            let is_const = keyword(texts.old, old_span) == "const" && keyword(texts.new, new_span) == "const";
            let spans = (Some(old_span), Some(new_span));
            if is_const && !removed.is_empty() {
                let change = Change::new(Kind::Narrowed).breaking(Breaks::VALUES).by("const").replacing();
                found.push(change.saying(Some(list(&before)), Some(list(&after))).at(spans.0, spans.1));
                return;
            }
            for (kind, values, breaks) in
                [(Kind::EnumValueRemoved, removed, Breaks::VALUES), (Kind::EnumValueAdded, added, Breaks::NOTHING)]
            {
                if !values.is_empty() {
                    let values = values.into_iter().map(literal).collect();
                    found.push(Change { values, ..Change::new(kind).breaking(breaks).at(spans.0, spans.1) });
                }
            }
        }
    }
}

/// Changes of patterns.
fn pattern_changes(old: &Described<'_>, new: &Described<'_>, patterns: &mut Patterns, found: &mut Vec<Change>) {
    let of = |place: &Described<'_>| -> Vec<(Pattern, Span)> {
        let pattern = |BoundAt { bound, .. }: &BoundAt<'_>| match &bound.kind {
            ConstraintKind::Pattern(pattern) => Some((pattern.clone(), bound.span)),
            _ => None,
        };
        place.bounds.iter().filter_map(pattern).collect()
    };
    let (all_before, all_after) = (of(old), of(new));
    let gone = |from: &[(Pattern, Span)], to: &[(Pattern, Span)]| -> Vec<(Pattern, Span)> {
        from.iter().filter(|(pattern, _)| !to.iter().any(|(other, _)| other == pattern)).cloned().collect()
    };
    let (before, after) = (gone(&all_before, &all_after), gone(&all_after, &all_before));
    for index in 0..before.len().max(after.len()) {
        let (before, after) = (before.get(index), after.get(index));
        let said = |side: Option<&(Pattern, Span)>| side.map(|(pattern, _)| pattern.source.clone());
        let span = |side: Option<&(Pattern, Span)>| side.map(|(_, span)| *span);
        let change = |kind| {
            let places = (span(before).or_else(|| old.span()), span(after).or_else(|| new.span()));
            Change::new(kind).by("pattern").saying(said(before), said(after)).at(places.0, places.1)
        };
        found.push(match (before, after) {
            (Some((before, _)), Some((after, _))) => match patterns.included(before, after) {
                Inclusion::Included => change(Kind::Widened),
                Inclusion::Without(text) => {
                    let witness = lofting_document::write::double_quoted(&text);
                    let change = change(Kind::Narrowed).breaking(Breaks::VALUES).replacing();
                    Change { witness: Some(witness), ..change }
                }
                Inclusion::Unknown => {
                    Change { assumed: true, ..change(Kind::Narrowed).breaking(Breaks::VALUES).replacing() }
                }
            },
            (Some(_), None) => change(Kind::Widened),
            (None, _) => change(Kind::Narrowed).breaking(Breaks::VALUES),
        });
    }
}

/// The keyword of a bound that either holds or does not.
fn other_keyword(kind: &ConstraintKind) -> Option<&'static str> {
    Some(match kind {
        ConstraintKind::UniqueItems => "uniqueItems",
        ConstraintKind::NotNull => "not_null",
        ConstraintKind::OneNotNull(_) => "one_not_null",
        ConstraintKind::StartsWith(_) => "startsWith",
        ConstraintKind::EndsWith(_) => "endsWith",
        ConstraintKind::MultipleOf(_) => "multipleOf",
        _ => return None,
    })
}

/// Changes of bounds without an order.
fn other_changes(old: &Described<'_>, new: &Described<'_>, found: &mut Vec<Change>) {
    let of = |place: &Described<'_>| -> Vec<(ConstraintKind, &'static str, Span)> {
        let other =
            |BoundAt { bound, .. }: &BoundAt<'_>| Some((bound.kind.clone(), other_keyword(&bound.kind)?, bound.span));
        place.bounds.iter().filter_map(other).collect()
    };
    let (before, after) = (of(old), of(new));
    for (kind, keyword, span) in &after {
        if before.iter().any(|(other, ..)| other == kind) {
            continue;
        }
        let same = before.iter().find(|(_, other, _)| other == keyword);
        let factors = match (kind, same) {
            (ConstraintKind::MultipleOf(new), Some((ConstraintKind::MultipleOf(old), ..))) => Some((*old, *new)),
            _ => None,
        };
        // Every multiple of 4 is one of 2.
        let (kind, breaks) = match factors {
            Some((old, new)) if new != 0.0 && (old / new).fract() == 0.0 => (Kind::Widened, Breaks::NOTHING),
            _ => (Kind::Narrowed, Breaks::VALUES),
        };
        let change = Change::new(kind).breaking(breaks).by(keyword);
        let change = if same.is_some() { change.replacing() } else { change };
        let change = match factors {
            Some((old, new)) => change.saying(Some(old.to_string()), Some(new.to_string())),
            None => change,
        };
        found.push(change.at(same.map(|(.., span)| *span).or_else(|| old.span()), Some(*span)));
    }
    for (kind, keyword, span) in &before {
        let is_left = after.iter().any(|(other, known, _)| other == kind || known == keyword);
        if !is_left {
            found.push(Change::new(Kind::Widened).by(keyword).at(Some(*span), new.span()));
        }
    }
}

/// Changes of rules that are code, and of bounds under a condition that is code: they are compared as texts.
fn code_changes(old: &Described<'_>, new: &Described<'_>, texts: Texts<'_>, found: &mut Vec<Change>) {
    let of = |place: &Described<'_>, text: &str| -> Vec<(String, Span)> {
        let written = |span: Span| text.get(span.range()).unwrap_or_default();
        let of_node = |node: &&SchemaNode| {
            let condition = node.condition.as_ref().map(|it| written(it.span)).unwrap_or_default();
            let rules = node.rules.iter().map(|rule| (format!("{condition} {}", written(rule.span)), rule.span));
            let bounds = node.constraints.iter().filter(|bound| bound.conditional);
            let bounds = bounds.map(|bound| (format!("{condition} {}", bound.words()), bound.span));
            rules.chain(bounds).collect::<Vec<_>>()
        };
        place.nodes.iter().flat_map(of_node).collect()
    };
    let (before, after) = (of(old, texts.old), of(new, texts.new));
    let has = |side: &[(String, Span)], text: &str| side.iter().any(|(other, _)| other == text);
    let added: Vec<Span> = after.iter().filter(|(text, _)| !has(&before, text)).map(|(_, span)| *span).collect();
    for span in &added {
        let change = Change::new(Kind::Narrowed).breaking(Breaks::VALUES).by("validation").replacing();
        found.push(Change { assumed: true, ..change.at(old.span(), Some(*span)) });
    }
    // A rule whose text has changed is among the added ones.
    let gone = before.iter().filter(|(text, _)| !has(&after, text)).skip(added.len());
    for (_, span) in gone {
        found.push(Change::new(Kind::Widened).by("validation").at(Some(*span), new.span()));
    }
}

/// All changes of bounds at a place.
pub(crate) fn changes(
    old: &Described<'_>,
    new: &Described<'_>,
    texts: Texts<'_>,
    patterns: &mut Patterns,
    found: &mut Vec<Change>,
) {
    choice_changes(old, new, texts, found);
    limit_changes(old, new, found);
    pattern_changes(old, new, patterns, found);
    other_changes(old, new, found);
    code_changes(old, new, texts, found);
}

/// Whether two defaults certainly differ.
pub(crate) fn differ(old: &Node, new: &Node) -> bool {
    equal(old, new) == Some(false)
}
