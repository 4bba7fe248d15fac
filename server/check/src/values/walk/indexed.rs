//! The keys of maps. Many clauses may be about one map: each looks up the keys that it declares, and does not walk the
//! whole map.

use super::{Visit, Walk};
use crate::values::ValuesCheck;
use crate::values::left::Left;
use crate::view::{Entry, Kind, View};
use lofting_document::{Key, Span};
use lofting_schema::{Clause, KeyChild, MapShape, SchemaNode};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// With more clauses or required keys than this, a map gets an index.
const MANY: usize = 64;
/// A map with more keys for each clause gets none if it is checked again at each key: an index is made anew, where
/// walking the few parts that have changed costs less.
const KEYS: usize = 64;
/// A clause looks up its keys if the map has so many times more of them.
const WORTH: usize = 4;

/// The entries of a map, by their keys.
type Indexed<V> = FxHashMap<Key, Entry<V>>;

/// The maps that many clauses are about.
pub(super) struct Indexes<V> {
    /// By where the map is, and which copy of it that is. None for those that are walked nevertheless.
    maps: FxHashMap<(Span, u64), Option<Indexed<V>>>,
    /// What is in parts that do not change is remembered from one check to the next.
    is_remembered: bool,
}

/// The entries of a map that a node says something of its own about.
pub(super) struct DeclaredEntries<V> {
    pub entries: Vec<Entry<V>>,
    /// How many other entries the map has.
    pub others: usize,
}

impl<V> Indexes<V> {
    /// How many maps are known.
    pub fn len(&self) -> usize {
        self.maps.len()
    }

    /// Forgets the maps whose place and copy are not kept.
    pub fn retain(&mut self, keeps: impl Fn(&Span, u64) -> bool) {
        self.maps.retain(|(place, copy), _| keeps(place, *copy));
    }
}

impl<V: View> Indexes<V> {
    /// None yet. `is_remembered`: what is found in a part that does not change need not be found again.
    pub fn new(is_remembered: bool) -> Self {
        Indexes { maps: FxHashMap::default(), is_remembered }
    }

    /// Makes an index of a map whose node has many clauses, or requires many keys. A map with repeated keys gets none.
    pub fn make(&mut self, check: &ValuesCheck<'_>, value: V, node: &SchemaNode) {
        let compared = |clause: &Clause| clause.about_the_same().len().max(1);
        let required = node.map.as_deref().map_or(0, |map| map.required.len());
        let asking = node.clauses.iter().map(compared).sum::<usize>().max(required);
        let place = (value.span(), value.copy());
        if asking <= MANY || value.kind() != Kind::Map || self.maps.contains_key(&place) {
            return;
        }
        // Walking these few costs no more than looking one up.
        if value.entries().nth(WORTH).is_none() {
            return;
        }
        let most = if self.is_remembered { asking.saturating_mul(KEYS) } else { usize::MAX };
        let mut index = Indexed::default();
        let mut entries = check.entries(value);
        let is_long = entries.by_ref().take(most).any(|entry| index.insert(entry.key.clone(), entry).is_some())
            || entries.next().is_some();
        self.maps.insert(place, (!is_long).then_some(index));
    }

    /// The index of a map.
    pub fn of(&self, value: V) -> Option<&Indexed<V>> {
        self.maps.get(&(value.span(), value.copy()))?.as_ref()
    }

    /// The entries of a map that a node declares, if it says one thing about all others; None if the map has to be walked.
    pub fn declared(&self, value: V, shape: &MapShape) -> Option<DeclaredEntries<V>> {
        let one_for_others = shape.patterns.is_empty() && shape.free.is_empty();
        if !one_for_others || matches!(shape.child_of_others(), KeyChild::Child(_)) {
            return None;
        }
        let index = self.of(value)?;
        // Of a key that is declared twice, the last one counts.
        let counts = |at: usize, key: &Key| shape.by_key.get(key).is_some_and(|last| *last as usize == at);
        let declared = shape.keys.iter().enumerate().filter(|(at, declared)| counts(*at, &declared.key));
        let is_worth = index.len() / WORTH > shape.keys.len();
        let entries = || declared.filter_map(|(_, declared)| index.get(&declared.key).cloned()).collect::<Vec<_>>();
        is_worth.then(entries).map(|entries| DeclaredEntries { others: index.len() - entries.len(), entries })
    }
}

/// The keys that are written in a map.
pub(super) type WrittenKeys = Rc<FxHashSet<Key>>;

impl<'a, V: View> Walk<'_, 'a, V> {
    /// The keys of a map: no key is meant to be one that is there already. They are kept until another map is asked
    /// about, because each of many clauses may ask.
    pub(super) fn written_keys(&mut self, visit: &Visit<'a, V>) -> WrittenKeys {
        let of = visit.told_of();
        match &self.written {
            Some((known, written)) if *known == of => Rc::clone(written),
            _ => {
                let written: WrittenKeys = Rc::new(self.check.entries(visit.value).map(|entry| entry.key).collect());
                self.written = Some((of, Rc::clone(&written)));
                written
            }
        }
    }

    /// The keys of the map of a wrong key, if similar names may still be searched for.
    pub(super) fn other_written(&mut self, visit: &Visit<'a, V>, declared: &MapShape) -> Option<WrittenKeys> {
        self.suggestions.allow(declared.keys.len()).then(|| self.written_keys(visit))
    }

    /// The entries of a map that a node says something about, if it takes any others; None if the map has to be walked.
    pub(super) fn declared_entries(&self, visit: &Visit<'a, V>, shape: &'a MapShape) -> Option<Vec<Entry<V>>> {
        if !shape.takes_any_other() || !matches!(visit.left, Left::Fresh) {
            return None;
        }
        let nothing = shape.keys.is_empty().then(Vec::new);
        nothing.or_else(|| self.indexes.declared(visit.value, shape).map(|declared| declared.entries))
    }
}
