//! A key without a value, and right below it keys that belong in it: their lines are indented too little.

use super::{Last, Place, Visit, Walk, accepts};
use crate::rules;
use crate::rules::ytt_type_mismatch::wanted_kinds;
use crate::view::{Entry, Kind, View};
use lofting_document::Span;
use lofting_schema::{KeyChild, Kinds, MapShape, SchemaId, Via};

/// How many entries of a map are looked at for one key.
const ENTRIES: usize = 200;

impl<'a, V: View> Walk<'_, 'a, V> {
    /// Reports the keys below one without a value that belong in it, as one mistake. Gives whether there are any.
    pub(super) fn is_above_its_keys(
        &mut self,
        visit: &Visit<'a, V>,
        shape: &'a MapShape,
        (holder, id): (&Entry<V>, SchemaId),
    ) -> bool {
        let is_empty = holder.value.kind() == Kind::Null && holder.value.is_missing();
        if !is_empty || !self.check.checks.types {
            return false;
        }
        let inside = self.belonging(visit, shape, (holder, id));
        let (Some(first), Some(name)) = (inside.first(), holder.key.as_str()) else { return false };
        self.dedented.extend(inside.iter().map(|entry| entry.key_span));
        let place = Place { name: first.key_span, parent: self.path(visit.place, None), path: None };
        let place = self.settle(place, Last::Key(&first.key));
        let lines: Vec<Span> = inside
            .iter()
            .map(|entry| Span { end: entry.value.span().end.max(entry.key_span.end), ..entry.key_span })
            .collect();
        let rule = &rules::ytt_undeclared_key::RULE;
        self.report(rule, place, |at| rules::ytt_undeclared_key::dedented(at, name, holder.key_span, &lines));
        true
    }

    /// Whether an entry was reported as one that belongs in the key above it.
    pub(super) fn is_dedented(&self, entry: &Entry<V>) -> bool {
        !self.dedented.is_empty() && self.dedented.contains(&entry.key_span)
    }

    /// The entries right below one without a value that have no place in this map, and one in its value.
    fn belonging(
        &self,
        visit: &Visit<'a, V>,
        shape: &'a MapShape,
        (holder, id): (&Entry<V>, SchemaId),
    ) -> Vec<Entry<V>> {
        let maps: Vec<&MapShape> =
            self.schema.speaking(id).into_iter().filter_map(|id| self.schema.node(id).map.as_deref()).collect();
        if maps.is_empty() {
            return Vec::new();
        }
        let has_no_place = |entry: &Entry<V>| match shape.child(&entry.key) {
            KeyChild::Undeclared => true,
            KeyChild::Child(child) => {
                let wanted = wanted_kinds(self.schema, child.schema);
                child.via != Via::Declared && wanted != Kinds::NONE && !wanted.has(entry.value.kind().kinds())
            }
            KeyChild::Free | KeyChild::Unread => false,
        };
        // In a map with any names, maps are entries.
        let takes = |map: &&MapShape, entry: &Entry<V>| {
            let is_named = map.keys.is_empty() && entry.value.kind() == Kind::Map;
            map.get(&entry.key).is_some_and(|declared| accepts(self.schema, declared.schema, entry.value.kind()))
                || is_named && matches!(map.child(&entry.key), KeyChild::Child(_))
        };
        let all = self.check.entries(visit.value).take(ENTRIES);
        let below = all.skip_while(|entry| entry.key_span != holder.key_span).skip(1);
        below.take_while(|entry| has_no_place(entry) && maps.iter().any(|map| takes(map, entry))).collect()
    }
}
