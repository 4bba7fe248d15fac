//! Changes of bounds: limits, lengths, patterns, lists of allowed values.

use crate::accepted::{is_idle, is_idle_list, is_weaker, keeps_text, left};
use crate::change::{Breaks, Change, Kind};
use crate::language::Texts;
use crate::listed::Listed;
use crate::pattern::{Inclusion, Patterns};
use crate::place::{BoundAt, Described};
use lofting_document::{Node, NodeValue, Span};
use lofting_schema::compare::equal;
use lofting_schema::words::literal;
use lofting_schema::{Choices, ConstraintKind, Kinds, Pattern, SchemaNode};

/// A limit: the group of those that can replace each other, its keyword, and the number.
#[derive(Clone, Copy)]
struct Limit<'s> {
    group: Group,
    keyword: &'static str,
    at: BoundAt<'s>,
}

impl Limit<'_> {
    /// The number as it is written.
    fn shown(&self) -> String {
        match &self.at.bound.kind {
            ConstraintKind::Min(value)
            | ConstraintKind::Max(value)
            | ConstraintKind::ExclusiveMin(value)
            | ConstraintKind::ExclusiveMax(value) => literal(value),
            ConstraintKind::MinLength(length) | ConstraintKind::MaxLength(length) => length.to_string(),
            _ => String::new(),
        }
    }
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

fn limits<'s>(place: &Described<'s>) -> Vec<Limit<'s>> {
    limits_of(place, &place.bounds)
}

fn limits_of<'s>(place: &Described<'s>, bounds: &[BoundAt<'s>]) -> Vec<Limit<'s>> {
    bounds.iter().filter_map(|at| limit(place, *at)).collect()
}

fn limit<'s>(place: &Described<'_>, at: BoundAt<'s>) -> Option<Limit<'s>> {
    let on = at.on.and(place.accepted);
    let of_kind = [Kinds::STRING, Kinds::ARRAY].into_iter().find(|kind| on.has(*kind)).unwrap_or(Kinds::MAP);
    let (group, keyword) = match &at.bound.kind {
        ConstraintKind::Min(_) => (Group::Least, "minimum"),
        ConstraintKind::ExclusiveMin(_) => (Group::Least, "exclusiveMinimum"),
        ConstraintKind::Max(_) => (Group::Most, "maximum"),
        ConstraintKind::ExclusiveMax(_) => (Group::Most, "exclusiveMaximum"),
        // Every length is at least 0.
        ConstraintKind::MinLength(length) if *length <= 0 => return None,
        ConstraintKind::MinLength(_) => match of_kind {
            Kinds::STRING => (Group::Shortest(of_kind), "minLength"),
            Kinds::ARRAY => (Group::Shortest(of_kind), "minItems"),
            _ => (Group::Shortest(of_kind), "minProperties"),
        },
        ConstraintKind::MaxLength(_) => match of_kind {
            Kinds::STRING => (Group::Longest(of_kind), "maxLength"),
            Kinds::ARRAY => (Group::Longest(of_kind), "maxItems"),
            _ => (Group::Longest(of_kind), "maxProperties"),
        },
        _ => return None,
    };
    Some(Limit { group, keyword, at })
}

/// Changes of limits.
fn limit_changes(old: &Described<'_>, new: &Described<'_>, patterns: &mut Patterns, found: &mut Vec<Change>) {
    let (mut before, mut after) = (limits(old), limits(new));
    let mut pairs: Vec<(Option<Limit<'_>>, Option<Limit<'_>>)> = Vec::new();
    // A limit is compared with that of its keyword, else with one of another keyword that may have replaced it.
    for same_keyword in [true, false] {
        let mut left = Vec::new();
        for limit in before {
            let fits =
                |other: &Limit<'_>| other.group == limit.group && (!same_keyword || other.keyword == limit.keyword);
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
        let narrows = after.is_some_and(|limit| !is_idle(&limit.at, old, patterns));
        let widens = before.is_some_and(|limit| !is_idle(&limit.at, new, patterns));
        let (kind, breaks) = match (narrows, widens) {
            (false, false) => continue,
            (false, true) => (Kind::Widened, Breaks::NOTHING),
            (true, _) => (Kind::Narrowed, Breaks::VALUES),
        };
        let Some(keyword) = after.or(before).map(|limit| limit.keyword) else { continue };
        let said = |limit: Option<Limit<'_>>| limit.map(|limit| limit.shown());
        let span = |limit: Option<Limit<'_>>| limit.map(|limit| limit.at.bound.span);
        let mut change = Change::new(kind).breaking(breaks).by(keyword).saying(said(before), said(after));
        change.replaces = narrows && widens;
        change.old_keyword = before.map(|limit| limit.keyword).filter(|old| *old != keyword);
        found.push(change.at(span(before).or_else(|| old.span()), span(after).or_else(|| new.span())));
    }
}

/// Changes of limits that are about no value of the accepted types. Strictly they refuse nothing, but their author expects that
/// they do, and may correct the type next; other tools that compare schemas warn of them, too. So what is stricter is breaking.
fn misapplied_changes(old: &Described<'_>, new: &Described<'_>, found: &mut Vec<Change>) {
    let (mut before, after) = (limits_of(old, &old.misapplied), limits_of(new, &new.misapplied));
    let pairs = after.into_iter().map(|limit| {
        let same = before.iter().position(|other| other.keyword == limit.keyword);
        (same.map(|same| before.remove(same)), Some(limit))
    });
    let pairs: Vec<(Option<Limit<'_>>, Option<Limit<'_>>)> = pairs.collect();
    for (before, after) in pairs.into_iter().chain(before.into_iter().map(|limit| (Some(limit), None))) {
        let Some(keyword) = after.or(before).map(|limit| limit.keyword) else { continue };
        let said = |limit: Option<Limit<'_>>| limit.map(|limit| limit.shown());
        let (kind, applied) = match (before, after) {
            (Some(before), Some(after)) if before.shown() == after.shown() => continue,
            (Some(before), Some(after)) if is_weaker(&after.at, &before.at) => (Kind::Widened, None),
            // What has another type now says so.
            (None, Some(_)) => (Kind::Narrowed, Some(&old.bounds)),
            (Some(_), None) => (Kind::Widened, Some(&new.bounds)),
            _ => (Kind::Narrowed, None),
        };
        let breaks = if kind == Kind::Narrowed { Breaks::VALUES } else { Breaks::NOTHING };
        if applied.is_some_and(|bounds| limits_of(old, bounds).iter().any(|other| other.keyword == keyword)) {
            continue;
        }
        let span = |limit: Option<Limit<'_>>| limit.map(|limit| limit.at.bound.span);
        let change = Change::new(kind).breaking(breaks).by(keyword).saying(said(before), said(after));
        let change = change.at(span(before).or_else(|| old.span()), span(after).or_else(|| new.span()));
        found.push(Change { is_misapplied: true, ..change });
    }
}

/// Changes of lists of allowed values.
fn choice_changes(
    old: &Described<'_>,
    new: &Described<'_>,
    texts: Texts<'_>,
    patterns: &mut Patterns,
    found: &mut Vec<Change>,
) {
    let keyword = |text: &str, listed: &Listed<'_>| {
        let written = text.get(listed.span.range()).unwrap_or_default().trim_start_matches(['"', '\'']);
        listed.keyword.unwrap_or(if written.starts_with("const") { "const" } else { "enum" })
    };
    let list = |listed: &Listed<'_>| listed.values.iter().map(|value| literal(value)).collect::<Vec<_>>().join(", ");
    match (&old.listed, &new.listed) {
        (None, None) => {}
        (Some(listed), None) => {
            if !is_idle_list(listed, new, patterns) {
                let change = Change::new(Kind::Widened).by(keyword(texts.old, listed));
                found.push(change.saying(Some(list(listed)), None).at(Some(listed.span), new.span()));
            }
        }
        (None, Some(listed)) => {
            if !is_idle_list(listed, old, patterns) {
                let change = Change::new(Kind::Narrowed).breaking(Breaks::VALUES).by(keyword(texts.new, listed));
                found.push(change.saying(None, Some(list(listed))).at(old.span(), Some(listed.span)));
            }
        }
        (Some(before), Some(after)) => {
            // What the kinds and bounds of the place refuse anyway is neither lost nor won.
            let lacks = |choices: &Choices, value: &Node| choices.has(value) == Some(false);
            let (had, has) = (before.choices(), after.choices());
            let removed: Vec<&Node> = left(before, old).into_iter().filter(|value| lacks(&has, value)).collect();
            let added: Vec<&Node> = left(after, new).into_iter().filter(|value| lacks(&had, value)).collect();
            let is_const = keyword(texts.old, before) == "const" && keyword(texts.new, after) == "const";
            let spans = (Some(before.span), Some(after.span));
            if is_const && !removed.is_empty() {
                let change = Change::new(Kind::Narrowed).breaking(Breaks::VALUES).by("const").replacing();
                found.push(change.saying(Some(list(before)), Some(list(after))).at(spans.0, spans.1));
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
    type At<'s> = (BoundAt<'s>, &'s Pattern);
    fn of<'s>(place: &Described<'s>) -> Vec<At<'s>> {
        let pattern = |at: &BoundAt<'s>| match &at.bound.kind {
            ConstraintKind::Pattern(pattern) => Some((*at, pattern)),
            _ => None,
        };
        place.bounds.iter().filter_map(pattern).collect()
    }
    let (all_before, all_after) = (of(old), of(new));
    fn gone<'s>(from: &[At<'s>], to: &[At<'_>]) -> Vec<At<'s>> {
        from.iter().filter(|(_, pattern)| !to.iter().any(|(_, other)| other == pattern)).copied().collect()
    }
    let (before, after) = (gone(&all_before, &all_after), gone(&all_after, &all_before));
    for index in 0..before.len().max(after.len()) {
        let (before, after) = (before.get(index), after.get(index));
        let narrows = after.is_some_and(|(at, _)| !is_idle(at, old, patterns));
        let widens = before.is_some_and(|(at, _)| !is_idle(at, new, patterns));
        if !narrows && !widens {
            continue;
        }
        let said = |side: Option<&At<'_>>| side.map(|(_, pattern)| pattern.source.clone());
        let span = |side: Option<&At<'_>>| side.map(|(at, _)| at.bound.span);
        let change = |kind| {
            let places = (span(before).or_else(|| old.span()), span(after).or_else(|| new.span()));
            Change::new(kind).by("pattern").saying(said(before), said(after)).at(places.0, places.1)
        };
        found.push(match (before, after) {
            _ if !narrows => change(Kind::Widened),
            (Some((_, before)), Some((at, after))) => {
                let change = change(Kind::Narrowed).breaking(Breaks::VALUES).replacing();
                match patterns.included(before, after) {
                    Inclusion::Without(text) => {
                        // Another rule may have refused this text before.
                        let node = Node::new(NodeValue::String(text.as_str().into()), at.bound.span);
                        let witness = keeps_text(old, &node).then(|| lofting_document::write::double_quoted(&text));
                        Change { witness, ..change }
                    }
                    _ => Change { assumed: true, ..change },
                }
            }
            _ => change(Kind::Narrowed).breaking(Breaks::VALUES),
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
fn other_changes(old: &Described<'_>, new: &Described<'_>, patterns: &mut Patterns, found: &mut Vec<Change>) {
    fn of<'s>(place: &Described<'s>) -> Vec<(BoundAt<'s>, &'static str)> {
        place.bounds.iter().filter_map(|at| Some((*at, other_keyword(&at.bound.kind)?))).collect()
    }
    let factor = |at: &BoundAt<'_>| match at.bound.kind {
        ConstraintKind::MultipleOf(factor) => Some(factor.to_string()),
        _ => None,
    };
    let (before, after) = (of(old), of(new));
    for (at, keyword) in &after {
        if before.iter().any(|(other, _)| other.bound.kind == at.bound.kind) {
            continue;
        }
        let same = before.iter().find(|(_, other)| other == keyword).map(|(other, _)| other);
        let change = match (is_idle(at, old, patterns), same) {
            (true, Some(same)) if !is_idle(same, new, patterns) => Change::new(Kind::Widened),
            (true, _) => continue,
            (false, Some(_)) => Change::new(Kind::Narrowed).breaking(Breaks::VALUES).replacing(),
            (false, None) => Change::new(Kind::Narrowed).breaking(Breaks::VALUES),
        };
        let change = change.by(keyword).saying(same.and_then(factor), factor(at));
        found.push(change.at(same.map(|same| same.bound.span).or_else(|| old.span()), Some(at.bound.span)));
    }
    for (at, keyword) in &before {
        let is_left = after.iter().any(|(other, known)| other.bound.kind == at.bound.kind || known == keyword);
        if !is_left && !is_idle(at, new, patterns) {
            let change = Change::new(Kind::Widened).by(keyword).saying(factor(at), None);
            found.push(change.at(Some(at.bound.span), new.span()));
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
    choice_changes(old, new, texts, patterns, found);
    limit_changes(old, new, patterns, found);
    misapplied_changes(old, new, found);
    pattern_changes(old, new, patterns, found);
    other_changes(old, new, patterns, found);
    code_changes(old, new, texts, found);
}

/// Whether two defaults certainly differ.
pub(crate) fn differ(old: &Node, new: &Node) -> bool {
    equal(old, new) == Some(false)
}
