//! Excludes alternatives by what is already written.

use crate::{Clause, Constraint, ConstraintKind, KeyChild, Kinds, MapShape, Rest, Schema, SchemaId};
use lofting_document::{Key, Node, NodeValue};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

/// The keys in the maps on the way to a place, outermost map first, with their values if these are scalars. The entry
/// that is being typed is left out.
///
/// They are read once a clause asks for them: most schemas have none that does.
#[derive(Debug, Clone, Default)]
pub struct WrittenPath(Option<Arc<LazyLock<Vec<WrittenKeys>, ReadWritten>>>);

type ReadWritten = Box<dyn FnOnce() -> Vec<WrittenKeys> + Send>;

/// The keys of one map; None for a value that is not a scalar.
pub type WrittenKeys = FxHashMap<Key, Option<NodeValue>>;

/// Which members of clauses are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Which {
    /// Alternatives that the value may still fit.
    Possible,
    /// Alternatives that the value has to fit, whatever is added.
    Certain,
}

/// How many nested nodes are looked at for one value.
const NESTING: usize = 8;

impl WrittenPath {
    /// What a function reads, which is called at most once.
    pub fn new(read: impl FnOnce() -> Vec<WrittenKeys> + Send + 'static) -> Self {
        WrittenPath(Some(Arc::new(LazyLock::new(Box::new(read)))))
    }

    /// The keys of the map at a level.
    pub fn keys(&self, level: usize) -> Option<&WrittenKeys> {
        self.0.as_ref()?.get(level)
    }

    /// The members of a clause that apply to the value at a level.
    pub(crate) fn members<'c>(
        &self,
        schema: &Schema,
        clause: &'c Clause,
        level: usize,
        which: Which,
    ) -> Cow<'c, [SchemaId]> {
        const NONE: Cow<'_, [SchemaId]> = Cow::Borrowed(&[]);
        let is_certain = which == Which::Certain;
        if !clause.is_choice() && !matches!(clause, Clause::Dependent { .. }) {
            return clause.members();
        }
        let Some(keys) = self.keys(level) else {
            return if is_certain { NONE } else { clause.members() };
        };
        match clause {
            Clause::If { condition, then, otherwise } => {
                let holds = holds(schema, *condition, keys, 0);
                let applies = |branch: bool| holds == Some(branch) || (holds.is_none() && !is_certain);
                then.filter(|_| applies(true)).into_iter().chain(otherwise.filter(|_| applies(false))).collect()
            }
            Clause::Dependent { key, .. } if !keys.contains_key(key) => NONE,
            Clause::Any(_) | Clause::One(_) => {
                let members = clause.members();
                let fitting = |id: &SchemaId| !excludes(schema, *id, keys, 0);
                let possible: Cow<'_, [SchemaId]> = members.iter().copied().filter(fitting).collect();
                // The last one that is left has to fit.
                if is_certain {
                    return if possible.len() == 1 { possible } else { NONE };
                }
                // If nothing fits, the written value is wrong, and every alternative may have been meant.
                if possible.is_empty() { members } else { possible }
            }
            _ => clause.members(),
        }
    }
}

/// The values that a node allows for a scalar, directly or through its only clause.
pub(crate) fn allowed(schema: &Schema, id: SchemaId) -> Option<&[Node]> {
    schema.node(id).constraints.iter().find_map(|constraint| match &constraint.kind {
        ConstraintKind::OneOf(values) if !constraint.conditional => Some(&values[..]),
        _ => None,
    })
}

/// Whether a scalar is one of these values.
pub(crate) fn takes(values: &[Node], value: &NodeValue) -> bool {
    values.iter().any(|allowed| allowed.value == *value)
}

/// Whether a node accepts a scalar, by its list of values and its patterns; None if these do not tell.
pub(crate) fn accepts(schema: &Schema, id: SchemaId, value: &NodeValue) -> Option<bool> {
    if let Some(values) = allowed(schema, id) {
        return Some(takes(values, value));
    }
    let node = schema.node(id);
    let NodeValue::String(text) = value else { return None };
    let matched = |constraint: &Constraint| match &constraint.kind {
        ConstraintKind::Pattern(pattern) if !constraint.conditional => pattern.is_in(text),
        _ => None,
    };
    let matched: Vec<_> = node.constraints.iter().map(matched).collect();
    if matched.contains(&Some(false)) {
        return Some(false);
    }
    let says_no_more = node.kinds.has(Kinds::STRING) && node.clauses.is_empty();
    (says_no_more && !matched.is_empty() && !matched.contains(&None)).then_some(true)
}

/// Whether a written key, or its value, certainly makes a map not fit the node.
pub(crate) fn excludes(schema: &Schema, id: SchemaId, keys: &WrittenKeys, depth: usize) -> bool {
    let node = schema.node(id);
    let declared = node.map.iter().flat_map(|map| &map.keys);
    let by_value = declared
        .filter_map(|declared| Some((keys.get(&declared.key)?.as_ref()?, declared.schema)))
        .any(|(value, below)| accepts(schema, below, value) == Some(false));
    let refuses = |map: &MapShape| keys.keys().any(|key| is_refused(schema, map, key));
    let takes_no_map = !keys.is_empty() && !node.kinds.has(Kinds::MAP);
    by_value
        || takes_no_map
        || node.map.as_deref().is_some_and(refuses)
        || depth < NESTING
            && node.clauses.iter().any(|clause| match clause {
                Clause::All(members) => members.iter().any(|member| excludes(schema, *member, keys, depth + 1)),
                Clause::Any(members) | Clause::One(members) => {
                    members.iter().all(|member| excludes(schema, *member, keys, depth + 1))
                }
                _ => false,
            })
}

/// Whether a map with these rules must not have a key.
pub(crate) fn is_refused(schema: &Schema, map: &MapShape, key: &Key) -> bool {
    match map.child(key) {
        KeyChild::Undeclared => true,
        KeyChild::Child(child) => schema.node(child.schema).kinds == Kinds::NONE,
        KeyChild::Free | KeyChild::Unread => false,
    }
}

/// Whether a clause refuses a map with these keys only because another one is added, whatever its value is: `not` with all
/// that it asks for, or a second alternative of those of which one may fit.
pub(crate) fn forbids<'k>(
    schema: &Schema,
    clause: &Clause,
    keys: impl Fn() -> Option<&'k WrittenKeys>,
    added: &Key,
) -> bool {
    let is_there = |key: &Key| keys().is_some_and(|keys| keys.contains_key(key));
    let fits = |asked: &[&Key]| asked.iter().all(|key| *key == added || is_there(key));
    let by_added = |asked: &[&Key]| asked.contains(&added) && !is_there(added) && fits(asked);
    match clause {
        Clause::Not(member) => asked(schema, *member).iter().any(|asked| by_added(asked)),
        Clause::One(members) => {
            let only = |id: &SchemaId| match asked(schema, *id).as_slice() {
                [asked] => Some(asked.clone()),
                _ => None,
            };
            let members: Vec<Vec<&Key>> = members.iter().filter_map(only).collect();
            members.iter().filter(|asked| fits(asked)).count() > 1 && members.iter().any(|asked| by_added(asked))
        }
        _ => false,
    }
}

/// The keys that a map has to have to fit a node that asks for nothing else: one list for each alternative.
fn asked(schema: &Schema, id: SchemaId) -> Vec<Vec<&Key>> {
    let node = schema.node(id);
    let is_open = |map: &MapShape| {
        map.patterns.is_empty() && map.free.is_empty() && matches!(map.rest, Rest::Open | Rest::Unread)
    };
    let says_keys = |map: &MapShape| map.keys.iter().all(|declared| takes_anything(schema, declared.schema));
    let is_bare = node.kinds.has(Kinds::MAP) && node.constraints.is_empty() && node.array.is_none();
    match (node.map.as_deref(), node.clauses.as_slice()) {
        (Some(map), []) if is_bare && is_open(map) && says_keys(map) && !map.required.is_empty() => {
            vec![map.required.iter().collect()]
        }
        (None, [Clause::Any(members)]) if is_bare => {
            let bare = |id: &SchemaId| schema.node(*id).clauses.is_empty();
            members.iter().filter(|id| bare(id)).flat_map(|id| asked(schema, *id)).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a node accepts any value.
fn takes_anything(schema: &Schema, id: SchemaId) -> bool {
    let node = schema.node(id);
    node.says_nothing() && node.constraints.is_empty()
}

/// Whether a condition holds for a map; None if that is not decided yet.
fn holds(schema: &Schema, id: SchemaId, keys: &WrittenKeys, depth: usize) -> Option<bool> {
    let node = schema.node(id);
    if depth >= NESTING {
        return None;
    }
    let mut holds = Some(true);
    let mut and = |one: Option<bool>| {
        holds = match (holds, one) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        };
    };
    if let Some(map) = &node.map {
        for declared in &map.keys {
            let is_required = map.required.contains(&declared.key);
            let written = keys.get(&declared.key);
            match (written, written.and_then(|value| accepts(schema, declared.schema, value.as_ref()?))) {
                (Some(_), Some(accepts)) => and(Some(accepts)),
                (Some(_), None) if takes_anything(schema, declared.schema) => {}
                // The key may still be added.
                (None, _) if is_required => and(None),
                (None, _) => {}
                (Some(_), _) => and(None),
            }
        }
        for key in map.required.iter().filter(|key| map.get(key).is_none()) {
            and(keys.contains_key(key).then_some(true));
        }
    }
    for clause in &node.clauses {
        match clause {
            Clause::All(members) => {
                members.iter().for_each(|member| and(self::holds(schema, *member, keys, depth + 1)))
            }
            Clause::Any(members) => {
                let each: Vec<_> = members.iter().map(|member| self::holds(schema, *member, keys, depth + 1)).collect();
                and(if each.contains(&Some(true)) {
                    Some(true)
                } else if each.contains(&None) {
                    None
                } else {
                    Some(false)
                });
            }
            Clause::Not(member) => and(self::holds(schema, *member, keys, depth + 1).map(|holds| !holds)),
            _ => and(None),
        }
    }
    holds
}
