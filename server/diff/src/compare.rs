//! Compares what two schemas say about one place.

use crate::accepted::pattern_of_texts;
use crate::bounds;
use crate::change::{Breaks, Change, Kind, PathStep, Renamed};
use crate::clauses::{self, Clauses};
use crate::evidence::Evidence;
use crate::language::Texts;
use crate::pattern::{Inclusion, Patterns};
use crate::place::{DeclaredAt, Described, Ids, OtherKeys, Unknown};
use crate::renamed::{self, NewName};
use crate::witness;
use crate::words::NOTHING;
use lofting_document::{Key, NodeValue, Span};
use lofting_schema::semantics::{Keys, Required};
use lofting_schema::words::literal;
use lofting_schema::{Kinds, Pattern, Schema, SchemaNode, Text};
use rustc_hash::FxHashMap;

/// The two schemas, and what comparing them needs.
pub(crate) struct Both<'a> {
    pub old: &'a Schema,
    pub new: &'a Schema,
    pub texts: Texts<'a>,
    pub evidence: Evidence,
    pub patterns: Patterns,
}

/// What comparing a place gave.
#[derive(Default)]
pub(crate) struct Own {
    /// Changes here or one step below.
    pub changes: Vec<(Option<PathStep>, Change)>,
    /// The description has changed: the same values are accepted.
    pub documentation: Option<Change>,
    /// What is compared next: at this place (None), or one step below.
    pub below: Vec<(Option<PathStep>, Ids, Ids)>,
    /// A key is no longer declared, but another rule governs it now: the change with this index breaks values if the
    /// rule refuses what was accepted.
    pub governed: Vec<(usize, Ids, Ids)>,
    /// The nodes of the keys that are gone or new, by the index of the change that says so.
    pub declared: Vec<(usize, Ids)>,
    /// Clauses.
    pub clauses: Clauses,
    /// Something is not known before evaluation.
    pub is_unknown: bool,
}

/// Compares a place.
pub(crate) fn compare(both: &mut Both<'_>, old: &Ids, new: &Ids) -> Own {
    let (old, new) = (Described::of(both.old, old), Described::of(both.new, new));
    let mut own = Own::default();
    if old.is_unknown || new.is_unknown {
        own.is_unknown = true;
        return own;
    }
    let mut here = Vec::new();
    let is_other_type = kinds(&old, &new, &mut here);
    defaults(&old, &new, &mut here);
    notices(&old, &new, &mut here);
    own.documentation = documentation(&old, &new);
    bounds::changes(&old, &new, both.texts, &mut both.patterns, &mut here);
    let both_take = |kind: Kinds| old.accepted.has(kind) && new.accepted.has(kind);
    if !is_other_type {
        // What a version says about maps or arrays that it refuses, it says about no value.
        if both_take(Kinds::ARRAY) {
            items(&old, &new, &mut own);
        }
        if both_take(Kinds::MAP) {
            keys(both, &old, &new, &mut own);
            other_keys(both, &old, &new, &mut own);
        }
        own.clauses = clauses::compare(&old, &new, &both.evidence.prints, &mut both.patterns);
    }
    own.changes.extend(here.into_iter().map(|change| (None, change)));
    own
}

/// The type in words.
fn type_words(place: &Described<'_>) -> String {
    if place.takes_any && place.listed.is_none() {
        return "any".to_owned();
    }
    let (apart, words) = (place.accepted.without(Kinds::NULL), &place.schema.semantics().words);
    let said = if apart == Kinds::NONE { place.accepted.words(words) } else { apart.words(words) };
    if said.is_empty() { NOTHING.to_owned() } else { said.join(" or ") }
}

/// Changes of the type. Returns whether values are so different that nothing below can be compared.
fn kinds(old: &Described<'_>, new: &Described<'_>, found: &mut Vec<Change>) -> bool {
    let spans = (old.span(), new.span());
    // Lists of allowed values say themselves what they refuse: of the kinds, those count that values of the other
    // version have.
    let lost = old.accepted.without(new.declared());
    let gained = new.accepted.without(old.declared());
    let is_some = |kinds: Kinds| kinds.without(Kinds::NULL) != Kinds::NONE;
    let mut is_other = false;
    if is_some(lost) || is_some(gained) {
        let (kind, breaks) = match (is_some(lost), is_some(gained)) {
            (false, _) => (Kind::Widened, Breaks::TEMPLATES),
            (_, false) => (Kind::Narrowed, Breaks::VALUES),
            _ => (Kind::TypeChanged, Breaks::BOTH),
        };
        is_other = kind == Kind::TypeChanged;
        let change = Change::new(kind).breaking(breaks).saying(Some(type_words(old)), Some(type_words(new)));
        let change = if is_other { change } else { change.by("type") };
        found.push(change.at(spans.0, spans.1));
    }
    // What takes any value says nothing about null.
    let says_null = |place: &Described<'_>| !place.takes_any || place.listed.is_some();
    if says_null(old) && says_null(new) && (lost.has(Kinds::NULL) || gained.has(Kinds::NULL)) {
        let (kind, breaks) = if gained.has(Kinds::NULL) {
            (Kind::Nullable, Breaks::TEMPLATES)
        } else {
            (Kind::NotNullable, Breaks::VALUES)
        };
        found.push(Change::new(kind).breaking(breaks).at(spans.0, spans.1));
    }
    is_other
}

/// Whether the schemas of a language are values, so that everything has a default, and that of a map is made of those of
/// its keys.
fn are_values(schema: &Schema) -> bool {
    schema.semantics().keys == Keys::Written
}

/// Whether a default makes a required key superfluous.
fn are_filled(place: &Described<'_>) -> bool {
    place.schema.semantics().required == Required::AfterDefaults
}

/// Changes of the default.
fn defaults(old: &Described<'_>, new: &Described<'_>, found: &mut Vec<Change>) {
    let follows = |place: &Described<'_>| {
        are_values(place.schema)
            && place.kinds == Kinds::MAP
            && place.default.is_none_or(|default| default.value.value == NodeValue::Null)
    };
    if follows(old) || follows(new) {
        return;
    }
    let span = |place: &Described<'_>| place.default.map(|default| default.span).or_else(|| place.span());
    let said = |place: &Described<'_>| place.default.map(|default| literal(&default.value));
    let change = |kind| Change::new(kind).saying(said(old), said(new)).at(span(old), span(new));
    match (old.default, new.default) {
        (Some(before), Some(after)) if bounds::differ(&before.value, &after.value) => {
            found.push(change(Kind::DefaultChanged).breaking(Breaks::values_if(is_refused(new))));
        }
        (None, Some(after)) if after.value.is_known() => found.push(change(Kind::DefaultAdded)),
        (Some(before), None) if before.value.is_known() => {
            found.push(change(Kind::DefaultRemoved).breaking(Breaks::TEMPLATES));
        }
        _ => {}
    }
}

/// Whether values that leave out the key are refused because of its default.
fn is_refused(place: &Described<'_>) -> bool {
    are_values(place.schema) && place.ids.iter().any(|id| witness::refuses_own_default(place.schema, *id))
}

/// What only people read, and no program.
fn notices(old: &Described<'_>, new: &Described<'_>, found: &mut Vec<Change>) {
    let said = |place: &Described<'_>| {
        let docs = place.nodes.iter().map(|node| &node.docs);
        docs.flat_map(|docs| [&docs.deprecated, &docs.removed]).flatten().next().cloned()
    };
    if let (None, Some(text)) = (said(old), said(new)) {
        let change = Change::new(Kind::Deprecated).saying(None, Some(text.text));
        found.push(change.at(old.span(), Some(text.span)));
    }
}

/// The change of the description.
fn documentation(old: &Described<'_>, new: &Described<'_>) -> Option<Change> {
    let said = |place: &Described<'_>| place.nodes.iter().find_map(|node| node.docs.description.clone());
    let (before, after) = (said(old), said(new));
    let text = |side: &Option<Text>| side.as_ref().map(|said| said.text.trim().to_owned());
    if text(&before) == text(&after) {
        return None;
    }
    let span = |side: &Option<Text>| side.as_ref().map(|said| said.span);
    let change = Change::new(Kind::DocumentationChanged).saying(text(&before), text(&after));
    Some(change.at(span(&before).or_else(|| old.span()), span(&after).or_else(|| new.span())))
}

/// Changes of declared and required keys.
fn keys(both: &mut Both<'_>, old: &Described<'_>, new: &Described<'_>, own: &mut Own) {
    let removed: Vec<&DeclaredAt> = old.keys.iter().filter(|at| !new.by_key.contains_key(&at.key)).collect();
    let added: Vec<&DeclaredAt> = new.keys.iter().filter(|at| !old.by_key.contains_key(&at.key)).collect();
    let names = if removed.is_empty() || added.is_empty() {
        Vec::new()
    } else {
        renamed::new_names(old, new, &removed, &added, &both.evidence)
    };
    let names: FxHashMap<Key, NewName> = names.into_iter().map(|name| (name.old.clone(), name)).collect();
    for gone in &removed {
        let strictly = new.takes_key(&gone.key);
        // An object without any declared key is written like one that keeps all keys.
        let is_emptied = old.unknown == Unknown::Unread
            && new.keys.is_empty()
            && new.others.is_empty()
            && new.schema.semantics().filled.is_before_comparing();
        let values = strictly != Unknown::Accepted || is_emptied;
        let name = names.get(&gone.key);
        let is_said = name.is_some_and(|name| name.certainty == 100);
        let kind = if is_said { Kind::RenamedTo } else { Kind::Removed };
        let mut change = Change::new(kind).breaking(Breaks { values, templates: true });
        let before = Described::of(old.schema, &gone.below);
        let is_deprecated = |node: &&SchemaNode| node.docs.deprecated.is_some() || node.docs.removed.is_some();
        change.was_deprecated = before.nodes.iter().any(is_deprecated);
        change.renamed = name.map(|name| Renamed {
            // The pairs of places know what is above.
            to: crate::change::Path(vec![PathStep::Key(name.new.clone())]),
            certainty: name.certainty,
        });
        let below = new.below(&gone.key);
        if !values && !below.is_empty() {
            own.governed.push((own.changes.len(), old.below(&gone.key), below));
        }
        own.declared.push((own.changes.len(), gone.below.clone()));
        own.changes.push((Some(PathStep::Key(gone.key.clone())), change.at(Some(gone.span), new.span())));
    }
    for fresh in &added {
        let place = Described::of(new.schema, &fresh.below);
        let before = old.below(&fresh.key);
        let was_free = before.is_empty() || !Described::of(old.schema, &before).is_restricted();
        // All values had it already, but nothing said what it may hold.
        let was_there = old.required.contains(&fresh.key);
        let is_required = new.required.contains(&fresh.key) && !was_there;
        let is_filled = are_filled(&place) && place.default.is_some();
        let is_narrowed = was_there && was_free && place.is_restricted();
        let values = if is_required { !is_filled } else { is_narrowed || is_refused(&place) };
        let kind = if is_required { Kind::AddedRequired } else { Kind::AddedOptional };
        let mut change = Change::new(kind).breaking(Breaks::values_if(values));
        let default = place.default.filter(|default| default.value.is_known() && !is_narrowed);
        change.to = default.map(|default| literal(&default.value));
        let index = own.changes.len();
        own.declared.push((index, fresh.below.clone()));
        own.changes.push((Some(PathStep::Key(fresh.key.clone())), change.at(old.span(), Some(fresh.span))));
        // Until now another rule decided what the key may hold. Where it could hold anything, no reader knew this key.
        if !was_free {
            own.governed.push((index, before, new.below(&fresh.key)));
        }
    }
    for at in &old.keys {
        let Some(other) = new.by_key.get(&at.key).and_then(|index| new.keys.get(*index)) else { continue };
        own.below.push((Some(PathStep::Key(at.key.clone())), at.below.clone(), other.below.clone()));
        // A required key that a default no longer fills in.
        if are_filled(old) && old.required.contains(&at.key) && new.required.contains(&at.key) {
            let (before, after) = (Described::of(old.schema, &at.below), Described::of(new.schema, &other.below));
            if let (Some(default), None) = (before.default, after.default) {
                let change = Change::new(Kind::DefaultRemoved).breaking(Breaks::BOTH);
                let change =
                    change.saying(Some(literal(&default.value)), None).at(Some(default.span), Some(other.span));
                own.changes.push((Some(PathStep::Key(at.key.clone())), change));
            }
        }
    }
    required(old, new, own);
}

/// Keys that became required, or ceased to be.
fn required(old: &Described<'_>, new: &Described<'_>, own: &mut Own) {
    let is_fresh = |key: &Key| new.by_key.contains_key(key) && !old.by_key.contains_key(key);
    let is_gone = |key: &Key| old.by_key.contains_key(key) && !new.by_key.contains_key(key);
    let mut more: Vec<&Key> = new.required.difference(&old.required).filter(|key| !is_fresh(key)).collect();
    let mut fewer: Vec<&Key> = old.required.difference(&new.required).filter(|key| !is_gone(key)).collect();
    more.sort_unstable();
    fewer.sort_unstable();
    let span = |place: &Described<'_>, key: &Key| {
        place.by_key.get(key).and_then(|index| place.keys.get(*index)).map(|at| at.span).or_else(|| place.span())
    };
    let mut add = |key: &Key, kind, breaks| {
        let change = Change::new(kind).breaking(breaks).at(span(old, key), span(new, key));
        own.changes.push((Some(PathStep::Key(key.clone())), change));
    };
    for key in more {
        let below = Described::of(new.schema, &new.below(key));
        let is_filled = are_filled(new) && below.default.is_some();
        add(key, Kind::BecameRequired, Breaks::values_if(!is_filled));
    }
    for key in fewer {
        add(key, Kind::BecameOptional, Breaks::TEMPLATES);
    }
}

/// Whether the place took any value and no longer does, which was reported as a change of its type.
fn is_new_kind(old: &Described<'_>, new: &Described<'_>) -> bool {
    old.takes_any && !new.takes_any
}

/// A new rule for keys that are not declared.
fn add_rule(old: &Described<'_>, new: &Described<'_>, rule: &OtherKeys, own: &mut Own) {
    let place = Described::of(new.schema, &rule.below);
    // Such keys were accepted with any value.
    let values = old.unknown != Unknown::Refused && !is_new_kind(old, new) && place.is_restricted();
    let change = Change::new(Kind::AddedOptional).breaking(Breaks::values_if(values));
    own.changes.push((Some(PathStep::AnyKey), change.at(old.span(), Some(rule.span))));
}

/// Changes of the rules for keys that are not declared.
fn other_keys(both: &mut Both<'_>, old: &Described<'_>, new: &Described<'_>, own: &mut Own) {
    let source = |rule: &OtherKeys| rule.pattern.as_ref().map(|pattern| pattern.source.clone());
    let mut unmatched: FxHashMap<Option<String>, Vec<usize>> = FxHashMap::default();
    for (index, rule) in new.others.iter().enumerate().rev() {
        unmatched.entry(source(rule)).or_default().push(index);
    }
    let mut gone: Vec<&OtherKeys> = Vec::new();
    for rule in &old.others {
        let same = unmatched.get_mut(&source(rule)).and_then(Vec::pop);
        match same.and_then(|index| new.others.get(index)) {
            Some(other) => own.below.push((Some(PathStep::AnyKey), rule.below.clone(), other.below.clone())),
            None => gone.push(rule),
        }
    }
    let mut left: Vec<usize> = unmatched.into_values().flatten().collect();
    left.sort_unstable();
    let after: Vec<&OtherKeys> = left.into_iter().filter_map(|index| new.others.get(index)).collect();
    let strictly = new.unknown != Unknown::Accepted;
    for (index, rule) in gone.iter().enumerate() {
        let Some(other) = after.get(index) else {
            // All keys that it was for may be declared now.
            let declared = new.keys.iter().filter_map(|at| at.key.as_str());
            let are_declared =
                rule.pattern.as_ref().zip(pattern_of_texts(declared)).is_some_and(|(pattern, declared)| {
                    both.patterns.included(pattern, &declared) == Inclusion::Included
                });
            let values = strictly && !are_declared;
            let change = Change::new(Kind::Removed).breaking(Breaks { values, templates: true });
            // The keys are left to the rule for all others.
            let of_all = new.others.iter().filter(|other| other.pattern.is_none() && rule.pattern.is_some());
            let index = own.changes.len();
            own.governed.extend(of_all.map(|other| (index, rule.below.clone(), other.below.clone())));
            own.changes.push((Some(PathStep::AnyKey), change.at(Some(rule.span), new.span())));
            continue;
        };
        // A rule for the rest of all keys is new for those that the pattern did not match.
        if let (Some(pattern), None) = (&rule.pattern, &other.pattern)
            && both.patterns.included(&Pattern::new("", pattern.dialect), pattern) != Inclusion::Included
        {
            add_rule(old, new, other, own);
        }
        // It is for different keys now.
        own.below.push((Some(PathStep::AnyKey), rule.below.clone(), other.below.clone()));
        let inclusion = match (&rule.pattern, &other.pattern) {
            (Some(before), Some(after)) => both.patterns.included(before, after),
            (_, None) => Inclusion::Included,
            (None, Some(_)) => Inclusion::Unknown,
        };
        let is_narrower = inclusion != Inclusion::Included;
        let kind = if is_narrower { Kind::Narrowed } else { Kind::Widened };
        let change = Change::new(kind)
            .breaking(Breaks::values_if(is_narrower && strictly))
            .by("patternProperties")
            .replacing()
            .saying(source(rule), source(other));
        own.changes.push((None, change.at(Some(rule.span), Some(other.span))));
    }
    for rule in after.iter().skip(gone.len()) {
        add_rule(old, new, rule, own);
    }
    // A rule that is gone says who breaks, and one that is new that more is accepted.
    let (is_lost, is_won) = (gone.len() > after.len(), after.len() > gone.len());
    if are_values(old.schema) || !old.kinds.has(Kinds::MAP) || !new.kinds.has(Kinds::MAP) {
        return;
    }
    // A map without declared keys may be one that keeps all of them.
    let has_keys = !old.keys.is_empty() && !new.keys.is_empty();
    let is_other_rule = old.may_take_more() && !new.is_for_the_rest;
    let is_closed = |place: &Described<'_>| match place.unknown {
        Unknown::Refused if std::ptr::eq(place, old) => !is_other_rule,
        Unknown::Refused => true,
        Unknown::Unread => has_keys,
        Unknown::Accepted => false,
    };
    let (kind, breaks) = match (is_closed(old), is_closed(new)) {
        (false, true) if !is_lost => (Kind::Narrowed, Breaks::VALUES),
        (true, false) if !is_won => (Kind::Widened, Breaks::NOTHING),
        _ => return,
    };
    let change = Change::new(kind).breaking(breaks).by("additionalProperties");
    own.changes.push((None, change.at(old.span(), new.span())));
}

/// Changes of items.
fn items(old: &Described<'_>, new: &Described<'_>, own: &mut Own) {
    for index in 0..old.first_items.len().max(new.first_items.len()) {
        let at = |place: &Described<'_>| match place.first_items.get(index) {
            Some(first) => Some((first.clone(), first.first().map(|id| place.schema.node(*id).declared.name))),
            None => place.items.as_ref().map(|(ids, span)| (ids.clone(), Some(*span))),
        };
        items_at(old, new, at(old), at(new), own);
    }
    let others = |place: &Described<'_>| place.items.as_ref().map(|(ids, span)| (ids.clone(), Some(*span)));
    // A rule for the rest, which a clause may have made smaller, says less than one for all.
    let before = others(old).filter(|_| !old.may_take_more() || new.is_for_the_rest || new.items.is_none());
    items_at(old, new, before, others(new), own);
}

/// Changes of what holds for the same items; None if nothing does.
fn items_at(
    old: &Described<'_>,
    new: &Described<'_>,
    before: Option<(Ids, Option<Span>)>,
    after: Option<(Ids, Option<Span>)>,
    own: &mut Own,
) {
    let step = Some(PathStep::Items);
    match (before, after) {
        (Some((before, _)), Some((after, _))) => own.below.push((step, before, after)),
        (Some((_, span)), None) => {
            let change = Change::new(Kind::Removed).breaking(Breaks::TEMPLATES);
            own.changes.push((step, change.at(span, new.span())));
        }
        (None, Some((after, span))) => {
            // Items of every kind were accepted.
            let values = old.kinds.has(Kinds::ARRAY)
                && !is_new_kind(old, new)
                && Described::of(new.schema, &after).is_restricted();
            let change = Change::new(Kind::AddedOptional).breaking(Breaks::values_if(values));
            own.changes.push((step, change.at(old.span(), span)));
        }
        (None, None) => {}
    }
}
