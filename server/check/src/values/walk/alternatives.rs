//! Alternatives that differ in what they allow for one key: the value of that key says which of them may be meant, and
//! only these are compared with the whole map, as long as the others make no difference.

use super::score::{ONLY, Scorer, allowed};
use crate::score::Score;
use crate::view::{Kind, View};
use lofting_document::{Key, Node, NodeValue};
use lofting_schema::compare::equality_hash;
use lofting_schema::{Clause, ConstraintKind, Kinds, Schema, SchemaId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::rc::Rc;

/// Of fewer alternatives, each is compared with the value. In tests, what the index says is used wherever it can be.
const MANY: usize = if cfg!(test) { 1 } else { 8 };
/// How many keys of a map are looked at to find the one that decides.
const WRITTEN: usize = 256;
/// A map with more keys may fit an alternative in so many of them that this counts as much as the one that decides.
const SHORT: usize = 100;
/// How many nodes that an alternative joins are looked at.
const JOINED: usize = 8;

/// The indexes of clauses, each by where the list of its alternatives is.
pub(super) type KnownAlternatives = FxHashMap<(usize, usize), Option<Rc<ByValue>>>;

/// The alternatives of a clause, by the values that they allow for a key.
pub(super) struct ByValue {
    key: Key,
    /// The numbers of the alternatives that allow a value, by its hash.
    by_value: FxHashMap<u64, Vec<usize>>,
    /// Those that do not list values for the key.
    others: Vec<usize>,
    /// The alternatives that list values have no other key with only one value.
    is_only: bool,
}

/// A key of which an alternative allows only some values.
struct ListedKey<'a> {
    key: &'a Key,
    /// The hashes of the values.
    hashes: Vec<u64>,
    is_single: bool,
}

/// The keys of an alternative that have lists of values.
#[derive(Default)]
struct Listed<'a> {
    keys: Vec<ListedKey<'a>>,
    /// How many nodes say it.
    nodes: usize,
    /// There is more that can tell what is meant.
    is_open: bool,
}

impl<V: View> Scorer<'_, '_, V> {
    /// How well alternatives fit a value, in their order. Some that certainly do not fit are left out, if others fit or
    /// are closer.
    pub fn alternatives(&mut self, value: V, members: &[SchemaId], depth: usize) -> Vec<(Score, SchemaId)> {
        if let Some((index, possible)) = self.possible(value, members) {
            let possible = possible.into_iter().filter_map(|number| members.get(number));
            let scores: Vec<_> = possible.map(|id| (self.score(value, *id, depth), *id)).collect();
            let best = scores.iter().map(|(score, _)| *score).max();
            let is_short = || value.entries().nth(SHORT).is_none();
            if best.is_some_and(|best| best.fits || index.is_only && is_closest(best) && is_short()) {
                return scores;
            }
        }
        members.iter().map(|id| (self.score(value, *id, depth), *id)).collect()
    }

    /// The numbers of the alternatives that a map may fit, if the value of a key says that.
    fn possible(&mut self, value: V, members: &[SchemaId]) -> Option<(Rc<ByValue>, Vec<usize>)> {
        if members.len() <= MANY || value.kind() != Kind::Map {
            return None;
        }
        let at = (members.as_ptr().addr(), members.len());
        let schema = self.schema;
        let known = self.scores.alternatives.entry(at).or_insert_with(|| ByValue::of(schema, members).map(Rc::new));
        let index = Rc::clone(known.as_ref()?);
        let written = match self.indexes.of(value) {
            Some(entries) => entries.get(&index.key)?.value,
            None => self.check.entries(value).take(WRITTEN).find(|entry| entry.key == index.key)?.value,
        };
        let given = written.scalar().map(NodeValue::from).filter(|given| *given != NodeValue::Null)?;
        let with_value = index.by_value.get(&equality_hash(&Node::new(given, written.span())));
        let mut possible: Vec<usize> = with_value.into_iter().flatten().chain(&index.others).copied().collect();
        possible.sort_unstable();
        Some((index, possible))
    }
}

/// Whether no alternative is as close that does not have the value of the key that decides.
fn is_closest(best: Score) -> bool {
    best.kind && best.alike && best.picked >= ONLY
}

impl ByValue {
    /// The index of alternatives by the key that tells most of them apart; None if there is none.
    fn of(schema: &Schema, members: &[SchemaId]) -> Option<ByValue> {
        let listed: Vec<Listed<'_>> = members.iter().map(|member| Listed::of(schema, *member)).collect();
        let mut values: FxHashMap<&Key, (FxHashSet<u64>, usize)> = FxHashMap::default();
        for (number, one) in listed.iter().enumerate() {
            lofting_memo::step();
            for listed in &one.keys {
                let (known, _) = values.entry(listed.key).or_insert_with(|| (FxHashSet::default(), number));
                known.extend(&listed.hashes);
            }
        }
        let telling = values.into_iter().filter(|(_, (values, _))| values.len() > 1);
        let (key, _) = telling.max_by_key(|(key, (values, first))| (values.len(), Reverse(*first), Reverse(*key)))?;
        let mut made = ByValue { key: key.clone(), by_value: FxHashMap::default(), others: Vec::new(), is_only: true };
        for (number, one) in listed.iter().enumerate() {
            lofting_memo::step();
            // Several nodes may list values of a key: each of the lists decides.
            let Some(at) = one.keys.iter().position(|listed| listed.key == key) else {
                made.others.push(number);
                continue;
            };
            let mut others = one.keys.iter().enumerate().filter(|(number, _)| *number != at);
            let is_single = others.any(|(_, listed)| listed.is_single);
            let hashes = one.keys.get(at).into_iter().flat_map(|listed| &listed.hashes);
            for hash in hashes.collect::<FxHashSet<_>>() {
                made.by_value.entry(*hash).or_default().push(number);
            }
            made.is_only &= !is_single && !one.is_open;
        }
        Some(made)
    }
}

impl<'a> Listed<'a> {
    fn of(schema: &'a Schema, member: SchemaId) -> Listed<'a> {
        let mut listed = Listed::default();
        listed.add(schema, member);
        listed
    }

    /// Adds what a node lists, and the nodes that it joins.
    fn add(&mut self, schema: &'a Schema, id: SchemaId) {
        self.nodes += 1;
        let node = schema.node(id);
        if self.nodes > JOINED || !node.known {
            self.is_open = true;
            return;
        }
        for declared in node.map.iter().flat_map(|map| &map.keys) {
            // Of a key that is declared twice, the last one counts.
            let Some(last) = node.map.as_deref().and_then(|map| map.get(&declared.key)) else { continue };
            let Some(values) = allowed(schema, last.schema) else { continue };
            match hashes_of(schema, last.schema) {
                Some(hashes) => self.keys.push(ListedKey { key: &declared.key, hashes, is_single: values.len() == 1 }),
                None => self.is_open = true,
            }
        }
        for clause in &node.clauses {
            match clause {
                Clause::All(members) => members.iter().for_each(|member| self.add(schema, *member)),
                Clause::Any(_) | Clause::One(_) => self.is_open = true,
                _ => {}
            }
        }
    }
}

/// The hashes of the only values that a node accepts, if they are scalars.
fn hashes_of(schema: &Schema, id: SchemaId) -> Option<Vec<u64>> {
    let node = schema.node(id);
    let lists = node.constraints.iter().find_map(|constraint| match &constraint.kind {
        ConstraintKind::OneOf(values) if !constraint.conditional && constraint.on == Kinds::ANY => Some(&values[..]),
        _ => None,
    })?;
    let is_scalar = |value: &NodeValue| !matches!(value, NodeValue::Array(_) | NodeValue::Map(_) | NodeValue::Unknown);
    let is_known = node.known && lists.iter().all(|value| !value.partial && is_scalar(&value.value));
    is_known.then(|| lists.iter().map(equality_hash).collect())
}
