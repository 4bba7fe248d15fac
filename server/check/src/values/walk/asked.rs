//! Conditions that look at something that is wrong itself. The value is reported already, and what follows from the one that
//! will be there is not known.

use super::{Visit, Walk};
use crate::suggest;
use crate::view::{Entry, Kind, View};
use lofting_document::Key;
use lofting_schema::{Clause, KeyChild, MapShape, Schema, SchemaId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// How many nodes say what a value has to be, or what a condition asks for.
const NODES: usize = 1_000;
/// How many levels of maps below a value are looked at.
const LEVELS: usize = 8;
/// Maps with more keys are not looked at.
const KEYS: usize = 1_000;

/// What nodes say about a map whatever the conditions are.
#[derive(Default)]
pub(super) struct Own<'a> {
    /// The nodes below each key that is declared.
    declared: FxHashMap<&'a Key, Vec<SchemaId>>,
    /// Those that allow no other keys.
    closed: Vec<&'a MapShape>,
}

/// By the nodes that were asked about.
pub(super) type Owns<'a> = FxHashMap<Vec<SchemaId>, Rc<Own<'a>>>;

impl<'a, V: View> Walk<'_, 'a, V> {
    /// Whether a condition looks at a value that the schema refuses whatever the condition says, or at a key that is
    /// misspelt.
    pub(super) fn asks_for_wrong(&mut self, visit: &Visit<'a, V>, condition: SchemaId) -> bool {
        visit.value.kind() == Kind::Map
            && self.is_wrong_where_asked(visit.value, vec![visit.base()], &alternatives(self.schema, &[condition]), 0)
    }

    /// Whether the entries of a map that a condition looks at are as it asks: if it does not hold, it is for a missing key.
    pub(super) fn fits_as_written(&mut self, visit: &Visit<'a, V>, condition: SchemaId) -> bool {
        let node = self.schema.node(condition);
        let Some(asked) = node.map.as_deref().filter(|_| node.clauses.is_empty()) else { return false };
        let entries = self.check.entries(visit.value).take(KEYS);
        let asked = entries.filter_map(|entry| Some((entry.value, asked.get(&entry.key)?.schema)));
        let asked: Vec<(V, SchemaId)> = asked.collect();
        asked.into_iter().all(|(value, id)| self.scorer().score(value, id, 0).fits)
    }

    fn is_wrong_where_asked(&mut self, value: V, own: Vec<SchemaId>, asked: &[SchemaId], level: usize) -> bool {
        let schema = self.schema;
        let asked = asked.iter().filter_map(|id| schema.node(*id).map.as_deref());
        let asked: Vec<&MapShape> = asked.filter(|shape| !shape.keys.is_empty()).collect();
        if asked.is_empty() || level >= LEVELS || value.entries().nth(KEYS).is_some() {
            return false;
        }
        let own = self.owns.entry(own).or_insert_with_key(|ids| Rc::new(Own::of(schema, ids))).clone();
        let is_asked = |entry: &Entry<V>| asked.iter().any(|shape| shape.get(&entry.key).is_some());
        let entries: Vec<Entry<V>> = self.check.entries(value).filter(is_asked).collect();
        for entry in &entries {
            lofting_memo::step();
            let Some(children) = own.declared.get(&entry.key) else { continue };
            let wanted = asked.iter().filter_map(|shape| shape.get(&entry.key)).map(|declared| declared.schema);
            let wanted = alternatives(schema, &wanted.collect::<Vec<_>>());
            let is_wrong = match entry.value.kind() {
                Kind::Map if wanted.iter().any(|id| schema.node(*id).map.is_some()) => {
                    self.is_wrong_where_asked(entry.value, children.clone(), &wanted, level + 1)
                }
                kind => children.iter().any(|id| {
                    let (node, score) = (schema.node(*id), self.scorer().score(entry.value, *id, 0));
                    // Inside a collection may be another mistake.
                    let says_more = kind.is_collection() && (node.map.is_some() || node.array.is_some());
                    !score.kind || !(score.fits || score.unsure || says_more)
                }),
            };
            if is_wrong {
                return true;
            }
        }
        if own.closed.is_empty() {
            return false;
        }
        let names = asked.iter().flat_map(|shape| &shape.keys).filter_map(|declared| declared.key.as_str());
        let present: FxHashSet<&str> = entries.iter().filter_map(|entry| entry.key.as_str()).collect();
        let missing: Vec<&str> = names.filter(|name| !present.contains(name)).collect();
        let is_refused =
            |entry: &Entry<V>| own.closed.iter().any(|shape| shape.child(&entry.key) == KeyChild::Undeclared);
        !missing.is_empty()
            && self.check.entries(value).filter(is_refused).take(suggest::SEARCHES).any(|entry| {
                entry.key.as_str().is_some_and(|key| suggest::nearest(key, missing.iter().copied()).is_some())
            })
    }
}

impl<'a> Own<'a> {
    fn of(schema: &'a Schema, ids: &[SchemaId]) -> Own<'a> {
        let together = follow(schema, ids, |clause| match clause {
            Clause::All(members) => members,
            _ => &[],
        });
        let mut own = Own::default();
        for shape in together.iter().filter_map(|id| schema.node(*id).map.as_deref()) {
            for declared in &shape.keys {
                own.declared.entry(&declared.key).or_default().push(declared.schema);
            }
            if !shape.takes_any_other() {
                own.closed.push(shape);
            }
        }
        own
    }
}

/// Nodes and those that they may hold by.
fn alternatives(schema: &Schema, ids: &[SchemaId]) -> Vec<SchemaId> {
    follow(schema, ids, |clause| match clause {
        Clause::All(members) | Clause::Any(members) | Clause::One(members) => members,
        Clause::Not(member) => std::slice::from_ref(member),
        _ => &[],
    })
}

/// Nodes and those that their clauses lead to, each once.
fn follow(schema: &Schema, ids: &[SchemaId], members: impl Fn(&Clause) -> &[SchemaId]) -> Vec<SchemaId> {
    let mut known: FxHashSet<SchemaId> = FxHashSet::default();
    let mut all: Vec<SchemaId> = Vec::new();
    let mut next: Vec<SchemaId> = ids.iter().rev().copied().collect();
    while let Some(id) = next.pop() {
        if all.len() < NODES && known.insert(id) {
            all.push(id);
            next.extend(schema.node(id).clauses.iter().flat_map(&members).rev());
        }
    }
    all
}
