//! The keys of maps. Many clauses may be about one map: each looks up the keys that it declares, and does not walk the
//! whole map.

use super::{Visit, Walk};
use crate::values::left::Left;
use crate::view::{Entry, Kind, View};
use lofting_document::Key;
use lofting_schema::{Clause, MapShape};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// With more clauses than this, a map gets an index: it is made again at each key, where walking the few parts that have
/// changed costs less for each clause.
const MANY: usize = 64;
/// A clause looks up its keys if the map has so many times more of them.
const WORTH: usize = 4;

/// The entries of a map, by their keys.
pub(super) type Indexed<V> = Rc<FxHashMap<Key, Entry<V>>>;

/// What is written in a map.
#[derive(Clone)]
pub(super) struct WrittenKeys {
    pub keys: Rc<FxHashSet<Key>>,
    /// It may have more keys, which are not known.
    pub is_partial: bool,
}

impl<'a, V: View> Walk<'_, 'a, V> {
    /// The keys of a map: no key is meant to be one that is there already. They are kept until another map is asked
    /// about, because each of many clauses may ask.
    pub(super) fn written_keys(&mut self, visit: &Visit<'a, V>) -> WrittenKeys {
        let of = visit.told_of();
        match &self.written {
            Some((known, written)) if *known == of => written.clone(),
            _ => {
                let keys: FxHashSet<Key> = self.check.entries(visit.value).map(|entry| entry.key).collect();
                let written = WrittenKeys { keys: Rc::new(keys), is_partial: visit.value.is_partial() };
                self.written = Some((of, written.clone()));
                written
            }
        }
    }

    /// The keys of the map of a wrong key, if similar names may still be searched for.
    pub(super) fn other_written(&mut self, visit: &Visit<'a, V>) -> Option<Rc<FxHashSet<Key>>> {
        self.suggests(true).then(|| self.written_keys(visit).keys)
    }

    /// Makes an index of a map whose node has many clauses. A map with repeated keys gets none.
    pub(super) fn index(&mut self, visit: &Visit<'a, V>, kind: Kind) {
        // Of alternatives, at most the closest one is compared.
        let compared = |clause: &Clause| if let Clause::All(members) = clause { members.len() } else { 1 };
        let members: usize = self.schema.node(visit.id).clauses.iter().map(compared).sum();
        if kind != Kind::Map || members <= MANY || self.indexed.contains_key(&visit.told_of()) {
            return;
        }
        let (mut index, mut count) = (FxHashMap::default(), 0);
        for entry in self.check.entries(visit.value) {
            index.insert(entry.key.clone(), entry);
            count += 1;
        }
        if index.len() == count {
            self.indexed.insert(visit.told_of(), Rc::new(index));
        }
    }

    /// The entries of a map that a node says something about, if it is one of many clauses and names them all; None if
    /// the map has to be walked.
    pub(super) fn named_entries(&self, visit: &Visit<'a, V>, shape: &'a MapShape) -> Option<Vec<Entry<V>>> {
        if !shape.takes_any_other() || !matches!(visit.left, Left::Fresh) {
            return None;
        }
        let nothing = shape.keys.is_empty().then(Vec::new);
        nothing.or_else(|| {
            let index = self.indexed.get(&visit.told_of())?;
            let is_worth = index.len() / WORTH > shape.keys.len();
            // Of a key that is declared twice, the last one counts.
            let counts = |at: usize, key: &Key| shape.by_key.get(key).is_some_and(|last| *last as usize == at);
            let named = || shape.keys.iter().enumerate().filter(|(at, declared)| counts(*at, &declared.key));
            is_worth.then(|| named().filter_map(|(_, declared)| index.get(&declared.key).cloned()).collect())
        })
    }
}
