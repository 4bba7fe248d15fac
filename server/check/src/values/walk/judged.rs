//! Rules that only the language of the schema can check.

use super::{Place, Visit, Walk};
use crate::rules;
use crate::view::{View, to_node};
use lofting_document::Key;

/// Larger values are not looked at as a whole.
const NODES: usize = 100_000;

impl<'a, V: View> Walk<'_, 'a, V> {
    /// Checks a value by the rules of its node.
    pub(super) fn judged(&mut self, visit: &Visit<'a, V>) {
        let Some(judged) = &self.schema.node(visit.id).judged else { return };
        if !self.check.checks.rules || visit.within_any {
            return;
        }
        let Some(node) = to_node(visit.value, &mut NODES.clone(), 0) else { return };
        for broken in judged.0.broken(&node) {
            let (place, value) = self.part_of(visit, &broken.field);
            self.report(place, |at| rules::schema_expression::finding(at, value, broken));
        }
    }

    /// The part of a value that these keys lead to, as far as it is there.
    fn part_of(&mut self, visit: &Visit<'a, V>, field: &[smol_str::SmolStr]) -> (Place, V) {
        let (mut place, mut value) = (visit.place, visit.value);
        for name in field {
            let key = Key::String(name.clone());
            let Some(entry) = self.check.entries(value).find(|entry| entry.key == key) else { break };
            let parent = self.path(place, None);
            place = self.settle(Place { name: entry.key_span, parent, path: None }, super::Last::Key(&key));
            value = entry.value;
        }
        (place, value)
    }
}
