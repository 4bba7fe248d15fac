//! Which keys and items of a value were evaluated by nodes, for the rules about all others.

use super::score::Scorer;
use crate::view::{Kind, View};
use lofting_document::Key;
use lofting_schema::{Clause, KeyChild, Rest, SchemaId};
use rustc_hash::FxHashSet;

/// The evaluated keys and items.
#[derive(Debug, Default)]
pub(super) struct Seen {
    all_keys: bool,
    keys: FxHashSet<Key>,
    all_items: bool,
    items: FxHashSet<usize>,
    /// More may have been evaluated than is known.
    pub unsure: bool,
}

impl Seen {
    pub fn has_key(&self, key: &Key) -> bool {
        self.all_keys || self.keys.contains(key)
    }

    pub fn has_item(&self, index: usize) -> bool {
        self.all_items || self.items.contains(&index)
    }
}

/// How nodes are reached from the clauses of other nodes.
struct Follow<'f> {
    depth: usize,
    /// The clause belongs to the node that was asked about.
    is_own: bool,
    seen: &'f mut Seen,
    todo: &'f mut Vec<SchemaId>,
}

impl<V: View> Scorer<'_, '_, V> {
    /// What a node and the nodes of its clauses have evaluated, without its own rules for all others.
    pub fn seen(&mut self, value: V, id: SchemaId, depth: usize) -> Seen {
        let mut seen = Seen { unsure: self.is_partial(value), ..Seen::default() };
        // Clauses about the same value have no cycles.
        let mut todo = vec![id];
        let mut known = FxHashSet::default();
        while let Some(at) = todo.pop() {
            if !known.insert(at) || seen.unsure {
                continue;
            }
            self.own(value, at, &mut seen);
            for clause in &self.schema.node(at).clauses {
                let mut follow = Follow { depth, is_own: at == id, seen: &mut seen, todo: &mut todo };
                self.follow(value, clause, &mut follow);
            }
        }
        seen
    }

    /// What a node itself has evaluated.
    fn own(&mut self, value: V, id: SchemaId, seen: &mut Seen) {
        let node = self.schema.node(id);
        seen.unsure |= !node.known;
        if let (Kind::Map, Some(map)) = (value.kind(), &node.map) {
            seen.all_keys |= !matches!(map.rest, Rest::Open | Rest::Unread);
            let is_child = |key: &Key| matches!(map.child(key), KeyChild::Child(_));
            match self.indexes.declared(value, map) {
                Some(declared) => seen.keys.extend(declared.entries.into_iter().map(|entry| entry.key)),
                None => seen.keys.extend(self.check.entries(value).map(|entry| entry.key).filter(is_child)),
            }
        }
        if let (Kind::Array, Some(array)) = (value.kind(), &node.array) {
            seen.all_items |= !array.open;
            seen.items.extend(0..array.prefix.len());
        }
    }

    /// What a clause has evaluated: further nodes that accept the value, or parts of it.
    fn follow(&mut self, value: V, clause: &Clause, follow: &mut Follow<'_>) {
        let Follow { depth, is_own, seen, todo } = follow;
        match clause {
            Clause::All(members) => todo.extend(members),
            Clause::Any(members) | Clause::One(members) => {
                let scores = self.alternatives(value, members, *depth + 1);
                seen.unsure |= scores.iter().any(|(score, _)| score.unsure);
                if scores.iter().any(|(score, _)| score.fits) {
                    todo.extend(scores.iter().filter(|(score, _)| score.fits).map(|(_, member)| *member));
                } else {
                    // What keeps the closest one from fitting is reported: its keys are not further mistakes.
                    todo.extend(scores.iter().rev().max_by_key(|(score, _)| *score).map(|(_, member)| *member));
                }
            }
            Clause::If { condition, then, otherwise } => {
                let score = self.score(value, *condition, *depth + 1);
                seen.unsure |= score.unsure;
                if score.fits { todo.extend(std::iter::once(condition).chain(then)) } else { todo.extend(otherwise) }
            }
            Clause::Dependent { key, schema } => {
                if self.has(value, key) {
                    todo.push(*schema);
                }
            }
            Clause::Contains { schema, evaluates: true, .. } => {
                for (index, item) in value.items().enumerate() {
                    let score = self.score(item.value, *schema, *depth + 1);
                    seen.unsure |= score.unsure;
                    if score.fits {
                        seen.items.insert(index);
                    }
                }
            }
            Clause::OtherKeys(_) => seen.all_keys |= !*is_own,
            Clause::OtherItems(_) => seen.all_items |= !*is_own,
            Clause::Not(_) | Clause::Names(_) | Clause::Contains { .. } => {}
        }
    }
}
