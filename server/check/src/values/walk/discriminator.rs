//! Which key tells the alternatives of a map apart, and what it may be.

use super::score::allowed;
use super::{Place, Visit, Walk};
use crate::rules;
use crate::view::{Entry, Kind, View};
use lofting_document::{Key, Node, NodeValue};
use lofting_schema::{Clause, ConstraintKind, KeyChild, Schema, SchemaId, Via};

/// How many values are listed; each is compared with those before it.
pub(super) const NAMED: usize = 100;
/// How many nodes are looked at that hold together with another one.
const JOINED: usize = 50;

/// A node and those that hold together with it.
fn joined(schema: &Schema, id: SchemaId) -> Vec<SchemaId> {
    let mut found = vec![id];
    let mut next = 0;
    while let Some(id) = found.get(next).copied().filter(|_| found.len() < JOINED) {
        next += 1;
        let members = schema.node(id).clauses.iter().filter_map(|clause| match clause {
            Clause::All(members) => Some(members),
            _ => None,
        });
        let new: Vec<SchemaId> = members.flatten().copied().filter(|id| !found.contains(id)).collect();
        found.extend(new);
    }
    found
}

/// The values that an alternative lists for a key.
fn listed_for<'s>(schema: &'s Schema, id: SchemaId, key: &Key) -> Option<&'s [Node]> {
    let declared = |id: &SchemaId| schema.node(*id).map.as_deref()?.get(key).map(|declared| declared.schema);
    let below = joined(schema, id).iter().filter_map(declared).collect::<Vec<_>>();
    below.into_iter().flat_map(|id| joined(schema, id)).find_map(|id| allowed(schema, id))
}

impl<'a, V: View> Walk<'_, 'a, V> {
    /// A key for which every alternative has its own values, while the value has none of those.
    pub(super) fn discriminator(
        &mut self,
        visit: &Visit<'a, V>,
        members: &[SchemaId],
    ) -> Option<(Place, V, Vec<Node>)> {
        let members = self.all_alternatives(members);
        let (first, others) = members.split_first()?;
        let first_of_all = joined(self.schema, *first);
        let maps = first_of_all.iter().filter_map(|id| self.schema.node(*id).map.as_deref());
        let keys = maps.flat_map(|map| &map.keys);
        let tells = |node: &Node| !matches!(node.value, NodeValue::Bool(_));
        let mut telling = keys.map(|declared| &declared.key).filter(|key| {
            listed_for(self.schema, *first, key).is_some_and(|values| values.iter().any(tells))
                && others.iter().all(|other| listed_for(self.schema, *other, key).is_some())
        });
        let (key, entry) = telling.find_map(|key| {
            let entry = self.check.entries(visit.value).find(|entry| entry.key == *key)?;
            let given = entry.value.scalar().map(NodeValue::from);
            let has_it = |values: &[Node]| values.iter().any(|known| given.as_ref() == Some(&known.value));
            let is_known = members.iter().filter_map(|member| listed_for(self.schema, *member, key)).any(has_it);
            (!is_known).then_some((key, entry))
        })?;
        let mut allowed: Vec<Node> = Vec::new();
        for value in members.iter().filter_map(|member| listed_for(self.schema, *member, key)).flatten() {
            if allowed.len() >= NAMED {
                break;
            }
            if !allowed.iter().any(|known| known.value == value.value) {
                allowed.push(value.clone());
            }
        }
        Some((self.place_of_entry(visit, entry.key_span, key), entry.value, allowed))
    }

    /// Whether the text of a key tells all alternatives apart, by patterns or lists, and is that of none of them. Reports it,
    /// unless the map's own node refuses it as well.
    pub(super) fn is_of_none(&mut self, visit: &Visit<'a, V>, members: &[SchemaId]) -> bool {
        let schema = self.schema;
        let [first, others @ ..] = members else { return false };
        let Some(map) = schema.node(*first).map.as_deref().filter(|_| !others.is_empty()) else { return false };
        let asked = |member: SchemaId, key: &Key| schema.node(member).map.as_deref()?.get(key).map(|key| key.schema);
        let tells = |id: SchemaId| {
            let tells = |kind: &ConstraintKind| matches!(kind, ConstraintKind::Pattern(_) | ConstraintKind::OneOf(_));
            schema.node(id).constraints.iter().any(|constraint| tells(&constraint.kind))
        };
        let is_told = |member: SchemaId, key: &Key| asked(member, key).is_some_and(tells);
        let keys = map.keys.iter().map(|declared| &declared.key);
        let keys = keys.filter(|key| is_told(*first, key) && others.iter().all(|other| is_told(*other, key)));
        let told: Vec<Entry<V>> =
            keys.filter_map(|key| self.check.entries(visit.value).find(|entry| entry.key == *key)).collect();
        for entry in told {
            let takes = |walk: &mut Self, id: SchemaId| {
                let score = walk.score(entry.value, id);
                score.fits || score.unsure
            };
            let is_text = entry.value.kind() == Kind::String;
            if !is_text || members.iter().filter_map(|member| asked(*member, &entry.key)).any(|id| takes(self, id)) {
                continue;
            }
            let own = asked(visit.base(), &entry.key);
            if own.is_none_or(|own| takes(self, own)) {
                let place = self.place_of_entry(visit, entry.key_span, &entry.key);
                let declared = schema.node(visit.id).declared.name;
                self.report(&rules::schema_no_branch::RULE, place, |at| {
                    rules::schema_no_branch::finding(at, entry.value, declared)
                });
            }
            return true;
        }
        false
    }

    /// Whether the node that the clauses of a map began at declares all keys of the map.
    pub(super) fn declares_all(&self, visit: &Visit<'a, V>) -> bool {
        let schema = self.schema;
        let declares = |key: &Key| {
            let maps = [visit.base(), visit.id].into_iter().filter_map(|id| schema.node(id).map.as_deref());
            let mut children = maps.map(|map| map.child(key));
            children.any(|child| matches!(child, KeyChild::Child(child) if child.via != Via::Rest))
        };
        self.check.entries(visit.value).all(|entry| declares(&entry.key))
    }
}
