//! Rules that only the language of the schema can check.

use super::{Last, Place, Visit, Walk};
use crate::view::{Kind, View, to_node};
use crate::{Diagnostic, Severity, rules};
use lofting_document::{Key, Span};
use lofting_schema::{Breach, Step};
use rustc_hash::FxHashMap;

impl<'a, V: View> Walk<'_, 'a, V> {
    /// Checks a value by the rules of its node.
    pub(super) fn judged(&mut self, visit: &Visit<'a, V>) {
        let Some(judged) = &self.schema.node(visit.id).judged else { return };
        if !self.check.checks.rules || visit.within_any {
            return;
        }
        let Some(node) = to_node(visit.value) else { return };
        let mut inside = Inside::default();
        let is_raw = self.check.checks.is_raw;
        let broken = if is_raw { judged.0.broken_as_written(&node) } else { judged.0.broken(&node) };
        for broken in broken {
            let (place, value, missing) = self.part_of(visit, &broken.at, &mut inside);
            let lack = missing.map(|key| self.lack(&visit.with(value, place), [key])).map(Box::new);
            let beside = lack.as_ref().and_then(|lack| lack.beside);
            let rule = match broken.breach {
                Breach::Expression { .. } => &rules::schema_expression::RULE,
                Breach::Repeated(_) | Breach::Merged(_) => &rules::schema_repeated_item::RULE,
                Breach::Identity(_) => &rules::schema_identity::RULE,
            };
            self.report(rule, place, |at| {
                let span = if broken.is_key { at.name } else { at.value_span(value) };
                // A document begins with its first key.
                let span = beside.filter(|_| span.range().is_empty()).unwrap_or(span);
                let finding = match broken.breach {
                    Breach::Expression { rule, reads } => {
                        Diagnostic { reads, ..rules::schema_expression::finding(at, span, &broken.message, rule) }
                    }
                    Breach::Repeated(first) => rules::schema_repeated_item::finding(at, span, &broken.message, first),
                    Breach::Merged(first) => Diagnostic {
                        severity: Severity::Warning,
                        ..rules::schema_repeated_item::finding(at, span, &broken.message, first)
                    },
                    Breach::Identity(instead) => rules::schema_identity::finding(at, span, &broken.message, instead),
                };
                Diagnostic { lack, ..finding }
            });
        }
    }

    /// The part of a value that these steps lead to, as far as it is there, and the key that it does not have.
    fn part_of<'k>(
        &mut self,
        visit: &Visit<'a, V>,
        at: &'k [Step],
        inside: &mut Inside<V>,
    ) -> (Place, V, Option<&'k Key>) {
        let (mut place, mut value) = (visit.place, visit.value);
        for (depth, step) in at.iter().enumerate() {
            let parent = self.path(place, None);
            let above = at.get(..depth).unwrap_or_default();
            let (last, found) = match step {
                Step::Key(key) => {
                    if !inside.entries.contains_key(above) {
                        let mut entries = FxHashMap::default();
                        for entry in self.check.entries(value) {
                            entries.entry(entry.key).or_insert((entry.key_span, entry.value));
                        }
                        inside.entries.insert(above.to_vec(), entries);
                    }
                    (Last::Key(key), inside.entries.get(above).and_then(|entries| entries.get(key)))
                }
                Step::Index(index) => {
                    if !inside.items.contains_key(above) {
                        let items = value.items().map(|item| (item.span, item.value)).collect();
                        inside.items.insert(above.to_vec(), items);
                    }
                    (Last::Index(*index), inside.items.get(above).and_then(|items| items.get(*index)))
                }
                Step::Item | Step::Nowhere => break,
            };
            let Some((name, next)) = found.copied() else {
                let missing = if let Step::Key(key) = step { Some(key) } else { None };
                return (place, value, missing.filter(|_| value.kind() == Kind::Map));
            };
            place = self.settle(Place { name, parent, path: None }, last);
            value = next;
        }
        (place, value, None)
    }
}

/// What was looked up inside a value, by the steps to it: rules may be broken at many places of a long array.
struct Inside<V> {
    /// The keys of maps, with where they are written and their values.
    entries: FxHashMap<Vec<Step>, FxHashMap<Key, (Span, V)>>,
    /// The items of arrays, with where they begin.
    items: FxHashMap<Vec<Step>, Vec<(Span, V)>>,
}

impl<V> Default for Inside<V> {
    fn default() -> Self {
        Inside { entries: FxHashMap::default(), items: FxHashMap::default() }
    }
}
