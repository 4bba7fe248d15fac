//! Maps that are strange to all their alternatives: none of these declares any of their keys.

use super::{Visit, Walk};
use crate::score::Score;
use crate::view::{Entry, View};
use lofting_schema::{Clause, KeyChild, Kinds, MapShape, SchemaId};

impl<'a, V: View> Walk<'_, 'a, V> {
    /// Reports the keys of a map if none of its alternatives takes any of them; whether that is so. No alternative is then
    /// closer than another, and the keys that one of them requires are not what is missing.
    pub(super) fn strange_to_all(&mut self, visit: &Visit<'a, V>, scores: &[(Score, SchemaId)]) -> bool {
        let schema = self.schema;
        let maps: Vec<SchemaId> = scores.iter().filter(|(score, _)| score.kind).map(|(_, id)| *id).collect();
        let refuses_all = |id: &SchemaId| {
            let mut speaking = schema.speaking(*id).into_iter().map(|id| schema.node(id));
            speaking.any(|node| {
                let no_others =
                    |clause: &Clause| matches!(clause, Clause::OtherKeys(id) if schema.node(*id).kinds == Kinds::NONE);
                node.clauses.iter().any(no_others)
                    || node.map.as_deref().is_some_and(|map| self.is_strange(visit.value, map))
            })
        };
        if visit.value.entries().next().is_none() || maps.len() < 2 || !maps.iter().all(refuses_all) {
            return false;
        }
        let entries: Vec<Entry<V>> = self.check.entries(visit.value).collect();
        self.refuse(visit, entries, schema.node(visit.id).declared.span);
        true
    }

    /// Whether a node takes none of the keys of a map.
    fn is_strange(&self, value: V, shape: &MapShape) -> bool {
        if shape.child_of_others() != KeyChild::Undeclared {
            return false;
        }
        match self.indexes.declared(value, shape) {
            Some(declared) => declared.entries.is_empty(),
            None => self.check.entries(value).all(|entry| shape.child(&entry.key) == KeyChild::Undeclared),
        }
    }
}
