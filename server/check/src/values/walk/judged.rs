//! Rules that only the language of the schema can check.

use super::{Last, Place, Visit, Walk};
use crate::view::{View, to_node};
use crate::{Diagnostic, Severity, rules};
use lofting_schema::{Breach, Step};

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
            let (place, value) = self.part_of(visit, &broken.at);
            self.report(place, |at| {
                let span = if broken.is_key { at.name } else { at.value_span(value) };
                match broken.breach {
                    Breach::Expression(rule) => rules::schema_expression::finding(at, span, &broken.message, rule),
                    Breach::Repeated(first) => rules::schema_repeated_item::finding(at, span, &broken.message, first),
                    Breach::Merged(first) => Diagnostic {
                        severity: Severity::Warning,
                        ..rules::schema_repeated_item::finding(at, span, &broken.message, first)
                    },
                    Breach::Identity(instead) => rules::schema_identity::finding(at, span, &broken.message, instead),
                }
            });
        }
    }

    /// The part of a value that these steps lead to, as far as it is there.
    fn part_of(&mut self, visit: &Visit<'a, V>, at: &[Step]) -> (Place, V) {
        let (mut place, mut value) = (visit.place, visit.value);
        for step in at {
            let parent = self.path(place, None);
            let (name, last, next) = match step {
                Step::Key(key) => {
                    let Some(entry) = self.check.entries(value).find(|entry| entry.key == *key) else { break };
                    (entry.key_span, Last::Key(key), entry.value)
                }
                Step::Index(index) => {
                    let Some(item) = value.items().nth(*index) else { break };
                    (item.span, Last::Index(*index), item.value)
                }
                Step::Item | Step::Nowhere => break,
            };
            place = self.settle(Place { name, parent, path: None }, last);
            value = next;
        }
        (place, value)
    }
}
