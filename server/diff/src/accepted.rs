//! What all rules of a place accept together, kind by kind.
//!
//! Two versions may say the same with different keywords: `type: boolean` and `enum: [true, false]`, a length and a pattern.
//! So a rule of one version is compared with everything that the other version says about values of each kind: it is idle
//! there if it refuses nothing that the other version accepts. What is not known to be idle is not.

use crate::listed::{self, Listed};
use crate::pattern::{Inclusion, Patterns};
use crate::place::{BoundAt, Described, Unknown, ids};
use lofting_document::{Node, NodeValue};
use lofting_schema::compare::{Compared, order};
use lofting_schema::semantics::{LengthUnit, Misapplied, Null, Required};
use lofting_schema::{Choices, Clause, ConstraintKind, Kinds, Pattern, PatternDialect, Schema, SchemaId};
use std::cmp::Ordering;

/// Ranges of more integers are not written out.
const RANGE: i128 = 200;

/// Lists of more values, and greater lengths, do not become patterns.
const PATTERN: usize = 100;

/// Each kind of values that bounds may be about.
const KINDS: [Kinds; 7] = [Kinds::NULL, Kinds::BOOL, Kinds::INT, Kinds::FLOAT, Kinds::STRING, Kinds::MAP, Kinds::ARRAY];

/// All values that the kinds, lists and bounds of a place accept, if these are few.
pub(crate) fn values(place: &Described<'_>) -> Option<Vec<Node>> {
    let span = place.span()?;
    let node = |value: NodeValue| Node::new(value, span);
    let has_null = place.accepted.has(Kinds::NULL);
    let mut found: Vec<Node> = match &place.listed {
        Some(listed) if listed.is_complete => listed.values.iter().map(|value| value.clone().into_owned()).collect(),
        Some(_) => return None,
        None => {
            let apart = place.accepted.without(Kinds::NULL);
            let mut found = Vec::new();
            if apart.has(Kinds::BOOL) {
                found.extend([true, false].map(|value| node(NodeValue::Bool(value))));
            }
            if apart.has(Kinds::INT) {
                let (least, most) = range(place)?;
                found.extend((least..=most).map(|value| node(NodeValue::int(value))));
            }
            if apart.without(Kinds::BOOL | Kinds::INT) != Kinds::NONE {
                return None;
            }
            found
        }
    };
    let semantics = place.schema.semantics();
    let keeps = |value: &Node| {
        place.declared().has(listed::kind(value, semantics))
            && place.bounds.iter().all(|at| keeps(at, value, place) != Some(false))
    };
    found.retain(keeps);
    if has_null && !found.iter().any(|value| value.value == NodeValue::Null) {
        found.push(node(NodeValue::Null));
    }
    Some(found)
}

/// The least and the greatest of few integers.
fn range(place: &Described<'_>) -> Option<(i128, i128)> {
    let of = |is_lower: bool| {
        let limits =
            place.bounds.iter().filter_map(|at| limit(at, true)).filter(move |limit| limit.is_lower == is_lower);
        limits.filter_map(|limit| match limit.value.value {
            NodeValue::Int(value) if !limit.is_exclusive => Some(value.get()),
            _ => None,
        })
    };
    let (least, most) = (of(true).max()?, of(false).min()?);
    (most.checked_sub(least)? < RANGE).then_some((least, most))
}

/// Whether a value fits a bound; None if that is not known. A value of a kind that it is not about fits where such bounds
/// are ignored.
fn keeps(at: &BoundAt<'_>, value: &Node, place: &Described<'_>) -> Option<bool> {
    let semantics = place.schema.semantics();
    let kind = listed::kind(value, semantics);
    if kind == Kinds::NULL && semantics.null == Null::Absent && at.bound.kind != ConstraintKind::NotNull {
        return Some(true);
    }
    if !at.is_about().has(kind) {
        return (semantics.misapplied == Misapplied::Ignored || !at.on.has(kind)).then_some(true);
    }
    if let Some(limit) = limit(at, false) {
        let Compared::Order(order) = order(value, &limit.value) else { return None };
        return Some(match order {
            Ordering::Equal => !limit.is_exclusive,
            Ordering::Greater => limit.is_lower,
            Ordering::Less => !limit.is_lower,
        });
    }
    let length = || {
        Some(match &value.value {
            NodeValue::String(text) if semantics.length == LengthUnit::Characters => text.chars().count(),
            // Texts of code may hold parts of characters.
            NodeValue::String(text) if text.is_ascii() => text.len(),
            NodeValue::Array(items) => items.len(),
            NodeValue::Map(items) => items.len(),
            _ => return None,
        })
    };
    let text = || match &value.value {
        NodeValue::String(text) => Some(&**text),
        _ => None,
    };
    match &at.bound.kind {
        ConstraintKind::MinLength(least) => Some(length()? as i128 >= *least),
        ConstraintKind::MaxLength(most) => Some(length()? as i128 <= *most),
        ConstraintKind::OneOf(choices) => choices.has(value),
        ConstraintKind::Pattern(pattern) => pattern.is_in(text()?),
        ConstraintKind::StartsWith(start) => Some(text()?.starts_with(start)),
        ConstraintKind::EndsWith(end) => Some(text()?.ends_with(end)),
        ConstraintKind::MultipleOf(factor) => match &value.value {
            NodeValue::Int(number) if factor.fract() == 0.0 && factor.abs() >= 1.0 && factor.abs() < 1e15 => {
                Some(number.get() % (*factor as i128) == 0)
            }
            _ => None,
        },
        ConstraintKind::NotNull => Some(kind != Kinds::NULL),
        _ => None,
    }
}

/// A limit of numbers.
struct Limit {
    is_lower: bool,
    is_exclusive: bool,
    value: Node,
}

/// The limit that a bound is. Among integers, more than 4 is at least 5, and at most 4.5 is at most 4.
fn limit(BoundAt { bound, .. }: &BoundAt<'_>, is_whole: bool) -> Option<Limit> {
    let (is_lower, is_exclusive, value) = match &bound.kind {
        ConstraintKind::Min(value) => (true, false, value),
        ConstraintKind::ExclusiveMin(value) => (true, true, value),
        ConstraintKind::Max(value) => (false, false, value),
        ConstraintKind::ExclusiveMax(value) => (false, true, value),
        _ => return None,
    };
    let whole = match value.value {
        NodeValue::Int(number) => Some((number.get(), true)),
        NodeValue::Float(number) if number.abs() < 1e15 => {
            let rounded = if is_lower { number.ceil() } else { number.floor() };
            Some((rounded as i128, number.fract() == 0.0))
        }
        _ => None,
    };
    Some(match whole.filter(|_| is_whole) {
        Some((number, is_reached)) => {
            let step = i128::from(is_exclusive && is_reached);
            let number = if is_lower { number.saturating_add(step) } else { number.saturating_sub(step) };
            Limit { is_lower, is_exclusive: false, value: Node::new(NodeValue::int(number), bound.span) }
        }
        None => Limit { is_lower, is_exclusive, value: value.clone() },
    })
}

/// Whether a bound of one version refuses nothing that a place of the other version accepts.
pub(crate) fn is_idle(at: &BoundAt<'_>, place: &Described<'_>, patterns: &mut Patterns) -> bool {
    let semantics = place.schema.semantics();
    let mut on = at.on.and(place.accepted);
    if semantics.null == Null::Absent && at.bound.kind != ConstraintKind::NotNull {
        on = on.without(Kinds::NULL);
    }
    let about = on.and(at.is_about());
    if semantics.misapplied == Misapplied::Ignored {
        on = about;
    }
    if on == Kinds::NONE {
        return true;
    }
    if let Some(values) = values(place)
        && values.iter().all(|value| keeps(at, value, place) == Some(true))
    {
        return true;
    }
    KINDS.iter().filter(|kind| on.has(**kind)).all(|kind| {
        let mut own = place.bounds.iter().filter(|own| own.on.has(*kind));
        own.any(|own| own.bound.kind == at.bound.kind || entails(own, at, *kind, place, patterns))
            || about.has(*kind) && is_idle_without_bounds(at, *kind, place)
    })
}

/// Whether a limit is less strict than another one, apart from what else holds.
pub(crate) fn is_weaker(one: &BoundAt<'_>, other: &BoundAt<'_>) -> bool {
    let (Some(one), Some(other)) = (limit(one, false), limit(other, false)) else { return false };
    match order(&one.value, &other.value) {
        Compared::Order(Ordering::Greater) => !one.is_lower,
        Compared::Order(Ordering::Less) => one.is_lower,
        _ => other.is_exclusive && !one.is_exclusive,
    }
}

/// Whether each value of a kind that fits one bound fits the other.
fn entails(
    own: &BoundAt<'_>,
    other: &BoundAt<'_>,
    kind: Kinds,
    place: &Described<'_>,
    patterns: &mut Patterns,
) -> bool {
    let is_whole = kind == Kinds::INT && place.accepted.and(Kinds::NUMBER) == Kinds::INT;
    // In ytt, limits are for values of any kind that have an order.
    if let (Some(own), Some(other)) = (limit(own, is_whole), limit(other, is_whole)) {
        let Compared::Order(order) = order(&own.value, &other.value) else { return false };
        let is_as_strict = match order {
            Ordering::Equal => own.is_exclusive || !other.is_exclusive,
            Ordering::Greater => own.is_lower,
            Ordering::Less => !own.is_lower,
        };
        return own.is_lower == other.is_lower && is_as_strict;
    }
    match (&own.bound.kind, &other.bound.kind) {
        (ConstraintKind::MultipleOf(own), ConstraintKind::MultipleOf(other)) => is_multiple(*own, *other),
        (ConstraintKind::MinLength(own), ConstraintKind::MinLength(other)) => own >= other,
        (ConstraintKind::MaxLength(own), ConstraintKind::MaxLength(other)) => own <= other,
        (ConstraintKind::MaxLength(most), ConstraintKind::UniqueItems) => *most <= 1,
        (own, other) if kind == Kinds::STRING => {
            let (Some(own), Some(other)) = (pattern(own, place), pattern(other, place)) else { return false };
            patterns.included(&own, &other) == Inclusion::Included
        }
        _ => false,
    }
}

/// Whether what else a place says leaves nothing for a bound to refuse.
fn is_idle_without_bounds(at: &BoundAt<'_>, kind: Kinds, place: &Described<'_>) -> bool {
    let is_at_least = |count: usize, least: i128| i128::try_from(count).is_ok_and(|count| count >= least);
    let contains = |least: i128| {
        let at_least =
            |clause: &&Clause| matches!(clause, Clause::Contains { least: own, .. } if i128::from(*own) >= least);
        place.clauses.iter().copied().any(|clause| at_least(&clause))
    };
    match &at.bound.kind {
        ConstraintKind::MinLength(least) if *least <= 0 => true,
        ConstraintKind::MinLength(least) if kind == Kinds::MAP => {
            place.schema.semantics().required != Required::Never && is_at_least(place.required.len(), *least)
        }
        ConstraintKind::MinLength(least) if kind == Kinds::ARRAY => contains(*least),
        ConstraintKind::MaxLength(most) if kind == Kinds::MAP => {
            let is_closed = place.unknown == Unknown::Refused && place.others.is_empty() && !place.may_take_more();
            // A map without any declared key may be one that keeps all of them.
            is_closed && !place.keys.is_empty() && !is_at_least(place.keys.len(), most.saturating_add(1))
        }
        // Every integer is a multiple of 1, and of 0.5.
        ConstraintKind::MultipleOf(factor) if kind == Kinds::INT => {
            place.accepted.and(Kinds::NUMBER) == Kinds::INT && is_multiple(1.0, *factor)
        }
        _ => false,
    }
}

/// Whether a number as it is written is a multiple of another one: 0.3 is one of 0.1.
fn is_multiple(number: f64, factor: f64) -> bool {
    let times = (number / factor).round();
    times != 0.0 && times.is_finite() && (times * factor - number).abs() <= number.abs() * 1e-12
}

/// What a bound asks of strings, as a pattern.
fn pattern(bound: &ConstraintKind, place: &Described<'_>) -> Option<Pattern> {
    let is_in_characters = place.schema.semantics().length == LengthUnit::Characters;
    let fits = |length: &i128| is_in_characters && (0..=PATTERN as i128).contains(length);
    let source = match bound {
        ConstraintKind::Pattern(pattern) => return Some(pattern.clone()),
        ConstraintKind::MinLength(least) if fits(least) => format!("^[\\s\\S]{{{least},}}"),
        ConstraintKind::MaxLength(most) if fits(most) => format!("^[\\s\\S]{{0,{most}}}$"),
        ConstraintKind::StartsWith(text) => format!("^{}", escaped(text)),
        ConstraintKind::EndsWith(text) => format!("{}$", escaped(text)),
        _ => return None,
    };
    Some(Pattern::new(source, PatternDialect::Ecma))
}

/// A text as a pattern for it.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if "\\.+*?()|[]{}^$/".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// The pattern for a few texts.
pub(crate) fn pattern_of_texts<'t>(texts: impl IntoIterator<Item = &'t str>) -> Option<Pattern> {
    let texts: Vec<String> = texts.into_iter().map(escaped).collect();
    let fits =
        !texts.is_empty() && texts.len() <= PATTERN && texts.iter().map(String::len).sum::<usize>() <= 20 * PATTERN;
    fits.then(|| Pattern::new(format!("^(?:{})$", texts.join("|")), PatternDialect::Ecma))
}

/// Whether a list of one version refuses nothing that a place of the other version accepts.
pub(crate) fn is_idle_list(list: &Listed<'_>, place: &Described<'_>, patterns: &mut Patterns) -> bool {
    let choices: Choices = list.choices();
    if let Some(values) = values(place) {
        return values.iter().all(|value| choices.has(value) == Some(true));
    }
    let null = Node::new(NodeValue::Null, list.span);
    let texts = list.values.iter().filter_map(|value| match &value.value {
        NodeValue::String(text) => Some(&**text),
        _ => None,
    });
    let apart = place.accepted.without(Kinds::NULL);
    let takes_null = !place.accepted.has(Kinds::NULL) || choices.has(&null) == Some(true);
    apart == Kinds::STRING
        && takes_null
        && list.is_complete
        && pattern_of_texts(texts).is_some_and(|all| {
            let mut own = place.bounds.iter().filter(|at| at.on.has(Kinds::STRING));
            own.any(|at| {
                pattern(&at.bound.kind, place).is_some_and(|own| patterns.included(&own, &all) == Inclusion::Included)
            })
        })
}

/// Whether alternatives of one version refuse nothing that a place of the other version accepts: values of each kind fit an
/// alternative that asks no more of them, and of `oneOf` only that one.
pub(crate) fn are_idle_alternatives(
    (schema, members, is_one): (&Schema, &[SchemaId], bool),
    place: &Described<'_>,
    patterns: &mut Patterns,
) -> bool {
    if members.len() > PATTERN {
        return false;
    }
    let members: Vec<Described<'_>> = members.iter().map(|id| Described::of(schema, &ids([*id]))).collect();
    KINDS.iter().filter(|kind| place.accepted.has(**kind)).all(|kind| {
        let mut fitting = members.iter().filter(|member| member.accepted.has(*kind));
        let is_only = !is_one || fitting.clone().count() == 1;
        is_only && fitting.any(|member| asks_no_more(member, *kind, place, patterns))
    })
}

/// Whether an alternative accepts all values of a kind that a place of the other version accepts.
fn asks_no_more(member: &Described<'_>, kind: Kinds, place: &Described<'_>, patterns: &mut Patterns) -> bool {
    let says_nothing_below = match kind {
        Kinds::MAP => {
            let is_open = member.unknown == Unknown::Accepted && member.others.is_empty() && !member.is_for_the_rest;
            is_open && member.keys.is_empty() && member.required.is_empty()
        }
        Kinds::ARRAY => member.items.is_none() && member.first_items.is_empty() && !member.is_for_the_rest,
        _ => true,
    };
    let has_no_more = member.clauses.is_empty()
        && !member.is_unknown
        && member.nodes.iter().all(|node| node.rules.is_empty() && node.judged.is_none() && node.condition.is_none());
    says_nothing_below
        && has_no_more
        && member.listed.as_ref().is_none_or(|list| is_idle_list(list, place, patterns))
        && member.bounds.iter().filter(|at| at.on.has(kind)).all(|at| is_idle(at, place, patterns))
}

/// The values of a list that the kinds and bounds of its place accept.
pub(crate) fn left<'p>(list: &'p Listed<'_>, place: &'p Described<'_>) -> Vec<&'p Node> {
    let declared = place.declared();
    let fits = |value: &&Node| {
        let kind = listed::kind(value, place.schema.semantics());
        (kind == Kinds::ANY || declared.has(kind))
            && place.bounds.iter().all(|at| keeps(at, value, place) != Some(false))
    };
    list.values.iter().map(|value| &**value).filter(fits).collect()
}

/// Whether a text fits all that a place asks of strings, as far as that is known.
pub(crate) fn keeps_text(place: &Described<'_>, text: &Node) -> bool {
    place.bounds.iter().all(|at| keeps(at, text, place) == Some(true))
}
