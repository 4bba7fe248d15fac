//! Keys that cannot be given together: `not` or `oneOf` about nothing but which keys there are.

use super::{Visit, Walk};
use crate::rules;
use crate::score::Score;
use crate::view::{Entry, Kind, View};
use lofting_document::{Key, Span};
use lofting_schema::{Clause, KeyChild, Kinds, MapShape, Rest, SchemaId};
use rustc_hash::FxHashSet;

/// Maps with more keys are not searched for those that exclude each other.
const WRITTEN: usize = 100;

impl<'a, V: View> Walk<'_, 'a, V> {
    /// Reports a value that a node takes, which it must not. If the node is only about keys, they are named.
    pub(super) fn forbidden(&mut self, visit: &Visit<'a, V>, member: SchemaId) {
        let declared = self.schema.node(member).declared.name;
        let ways: Vec<SchemaId> = match self.schema.node(member).clauses.as_slice() {
            [Clause::Any(ways)] if self.schema.node(member).says_only_clauses() => ways.clone(),
            _ => vec![member],
        };
        let required: Option<Vec<&'a [Key]>> = ways.iter().map(|way| self.required_alone(*way)).collect();
        let is_given = |keys: &&&[Key]| keys.iter().all(|key| self.has_key(visit, key));
        let given = required.as_ref().and_then(|required| required.iter().find(is_given).copied());
        match given.and_then(|keys| Some((keys, self.last_of(visit, keys)?))) {
            Some((keys, last)) => {
                self.report(&rules::schema_not::RULE, visit.place, |_| {
                    rules::schema_not::keys(last.key_span, keys, declared)
                });
            }
            None => self.report(&rules::schema_not::RULE, visit.place, |at| {
                rules::schema_not::finding(at, visit.value, declared)
            }),
        }
    }

    /// Reports a value that several alternatives take, of which only one may. If they are only about keys, these are named.
    pub(super) fn several(&mut self, visit: &Visit<'a, V>, fitting: &[SchemaId]) {
        let spans: Vec<Span> = fitting.iter().map(|id| self.schema.node(*id).declared.name).collect();
        let required: Option<Vec<&'a [Key]>> = fitting.iter().map(|way| self.required_alone(*way)).collect();
        let keys: Option<Vec<Key>> = required.map(|required| required.concat());
        match keys.and_then(|keys| self.last_of(visit, &keys).map(|last| (keys, last))) {
            Some((keys, last)) => {
                self.report(&rules::schema_several_branches::RULE, visit.place, |_| {
                    rules::schema_several_branches::keys(last.key_span, &keys, &spans)
                });
            }
            None => self.report(&rules::schema_several_branches::RULE, visit.place, |at| {
                rules::schema_several_branches::finding(at, visit.value, &spans)
            }),
        }
    }

    /// Whether each of several alternatives has all its keys, and refuses nothing but those that others of them require: then
    /// these keys are reported. All keys of the map are declared by one of them.
    pub(super) fn exclude_each_other(&mut self, visit: &Visit<'a, V>, scores: &[(Score, SchemaId)]) -> bool {
        if visit.value.kind() != Kind::Map || visit.value.entries().nth(WRITTEN).is_some() {
            return false;
        }
        let schema = self.schema;
        let members: Vec<SchemaId> = scores.iter().map(|(_, id)| *id).collect();
        let maps = self.all_alternatives(&members);
        let maps = maps.into_iter().filter_map(|id| Some((id, schema.node(id).map.as_deref()?)));
        let given: Vec<(SchemaId, &'a MapShape)> = maps
            .filter(|(_, map)| !map.required.is_empty() && map.required.iter().all(|key| self.has_key(visit, key)))
            .collect();
        let required_by = |key: &Key| given.iter().filter(|(_, map)| map.required.contains(key)).count();
        // What tells each of them from the others.
        let own = |map: &&'a MapShape| -> Vec<&'a Key> {
            map.required.iter().filter(|key| required_by(key) < given.len()).collect()
        };
        let keys: Vec<Key> = given.iter().flat_map(|(_, map)| own(map)).cloned().collect();
        let written: Vec<Entry<V>> = self.check.entries(visit.value).collect();
        let refuses = |map: &MapShape, key: &Key| map.child(key) == KeyChild::Undeclared;
        let refuses_others = |(_, map): &(SchemaId, &'a MapShape)| {
            let mut refused = written.iter().filter(|entry| refuses(map, &entry.key)).peekable();
            !own(map).is_empty() && refused.peek().is_some()
        };
        let is_known = |entry: &Entry<V>| given.iter().any(|(_, map)| !refuses(map, &entry.key));
        if given.len() < 2 || !given.iter().all(refuses_others) || !written.iter().all(is_known) {
            return false;
        }
        let Some(last) = self.last_of(visit, &keys) else { return false };
        let spans: Vec<Span> = given.iter().map(|(id, _)| schema.node(*id).declared.name).collect();
        let mut keys = keys;
        let mut known = FxHashSet::default();
        keys.retain(|key| known.insert(key.clone()));
        self.report(&rules::schema_several_branches::RULE, visit.place, |_| {
            rules::schema_several_branches::exclusive(last.key_span, &keys, &spans)
        });
        true
    }

    /// The keys that a node requires, if it says nothing else.
    fn required_alone(&self, id: SchemaId) -> Option<&'a [Key]> {
        let node = self.schema.node(id);
        let map = node.map.as_deref()?;
        let is_alone = node.clauses.is_empty()
            && node.constraints.is_empty()
            && node.array.is_none()
            && map
                .keys
                .iter()
                .all(|declared| map.required.contains(&declared.key) && self.takes_anything(declared.schema))
            && map.patterns.is_empty()
            && map.free.is_empty()
            && map.rest == Rest::Open;
        (is_alone && !map.required.is_empty()).then_some(&map.required)
    }

    /// Whether a node says nothing about values.
    fn takes_anything(&self, id: SchemaId) -> bool {
        let node = self.schema.node(id);
        node.kinds == Kinds::ANY
            && node.clauses.is_empty()
            && node.constraints.is_empty()
            && node.map.is_none()
            && node.array.is_none()
    }

    /// Of these keys of a map, the one that is written last.
    fn last_of(&self, visit: &Visit<'a, V>, keys: &[Key]) -> Option<Entry<V>> {
        if visit.value.kind() != Kind::Map {
            return None;
        }
        let written = self.check.entries(visit.value).filter(|entry| keys.contains(&entry.key));
        written.max_by_key(|entry| (entry.key_span.file, entry.key_span.start))
    }
}
