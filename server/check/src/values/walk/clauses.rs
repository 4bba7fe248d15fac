//! What other nodes say about the same value: all of them, one of several, none.
//!
//! Alternatives are scored first, silently, and only the closest is explained: nobody reads what is wrong with the
//! others. A score never reports, is never remembered, and what is not known counts as fitting.

use super::{Layers, Place, Task, Visit, Walk, takes};
use crate::rules;
use crate::values::ValuesCheck;
use crate::values::bounds::Given;
use crate::values::left::Left;
use crate::view::{Kind, NodeView, View, to_node};
use lofting_document::{Key, Node, Span};
use lofting_schema::{Child, Clause, ConstraintKind, KeyChild, Schema, SchemaId};

/// Clauses lead to further nodes about one value no deeper than this: references may go round in circles.
pub(super) const NESTING: u8 = 32;

/// Values deeper than this below an alternative count as fitting.
const DEPTH: usize = 60;

/// Values and nodes looked at to score the alternatives of one value. Beyond it they count as fitting.
const BUDGET: usize = 20_000;

/// Values of a discriminator that are named; each is compared with those before it.
const NAMED: usize = 100;

/// How well a value fits a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Score {
    /// Nothing is wrong.
    fits: bool,
    /// The value is of a kind that the node takes.
    kind: bool,
    /// Keys whose value picks this node among the others.
    picked: usize,
    /// Keys of the value that the node declares.
    known: usize,
    /// Mistakes, negated.
    right: isize,
    /// Something was not known, so that `fits` may be wrong.
    unsure: bool,
}

impl<'a, V: View> Walk<'_, 'a, V> {
    /// Looks at the clauses of a node, for a value of a kind that the node itself takes.
    pub(super) fn clauses(&mut self, visit: &Visit<'a, V>, kind: Kind) {
        let schema = self.schema;
        if visit.nesting >= NESTING || !self.check.checks.types {
            return;
        }
        for clause in &schema.node(visit.id).clauses {
            match clause {
                Clause::All(members) => members.iter().for_each(|member| self.also(visit, *member)),
                Clause::Any(members) => drop(self.closest(visit, kind, members)),
                Clause::One(members) => {
                    let fitting = self.closest(visit, kind, members);
                    if fitting.len() > 1 {
                        let spans: Vec<Span> = fitting.iter().map(|id| schema.node(*id).declared.name).collect();
                        self.report(visit.place, |at| rules::schema_several_branches::finding(at, visit.value, &spans));
                    }
                }
                Clause::Not(member) => {
                    let score = self.score(visit.value, *member);
                    if score.fits && !score.unsure {
                        let declared = schema.node(*member).declared.name;
                        self.report(visit.place, |at| rules::schema_not::finding(at, visit.value, declared));
                    }
                }
                Clause::If { condition, then, otherwise } => {
                    let score = self.score(visit.value, *condition);
                    let follows = if score.fits { then } else { otherwise };
                    if let (Some(follows), false) = (follows, score.unsure) {
                        self.also(visit, *follows);
                    }
                }
                Clause::Dependent { key, schema } => {
                    if visit.value.entries().any(|entry| entry.key == *key) {
                        self.also(visit, *schema);
                    }
                }
            }
        }
    }

    /// Looks at the same value with another node.
    fn also(&mut self, visit: &Visit<'a, V>, id: SchemaId) {
        let visit = Visit { id, nesting: visit.nesting + 1, left: Left::Fresh, ..*visit };
        if visit.value.kind().is_collection() {
            self.stack.push(Task::Visit(visit));
        } else {
            self.visit(visit);
        }
    }

    /// Explains the alternative that is nearest to the value, unless one fits: then those that certainly do.
    fn closest(&mut self, visit: &Visit<'a, V>, kind: Kind, members: &[SchemaId]) -> Vec<SchemaId> {
        let schema = self.schema;
        let mut budget = BUDGET;
        let mut scores: Vec<(Score, SchemaId)> = Vec::with_capacity(members.len());
        for id in members {
            let mut scorer = Scorer { check: self.check, schema, budget: &mut budget };
            scores.push((scorer.score(visit.value, *id, 0), *id));
        }
        let best = scores.iter().rev().max_by_key(|(score, _)| *score);
        let Some((best, closest)) = best.copied() else { return Vec::new() };
        if best.fits {
            let certain = scores.iter().filter(|(score, _)| score.fits && !score.unsure);
            return certain.map(|(_, id)| *id).collect();
        }
        if !best.kind {
            // No alternative is for such a value: all their kinds are named together.
            self.mismatch(visit, kind);
            return Vec::new();
        }
        if best.picked == 0
            && let Some((place, value, allowed)) = self.discriminator(visit, members)
        {
            let suggest = self.suggests(true);
            self.report(place, |at| rules::ytt_one_of::finding(at, value, &allowed, suggest));
            return Vec::new();
        }
        let explains = |id: SchemaId| !schema.node(id).clauses.iter().all(|clause| matches!(clause, Clause::Not(_)));
        if explains(closest) || !schema.node(closest).says_only_clauses() {
            self.also(visit, closest);
        } else {
            let declared = schema.node(visit.id).declared.name;
            self.report(visit.place, |at| rules::schema_no_branch::finding(at, visit.value, declared));
        }
        Vec::new()
    }

    /// A key that every alternative gives values of its own, and the value has with none of them.
    fn discriminator(&mut self, visit: &Visit<'a, V>, members: &[SchemaId]) -> Option<(Place, V, Vec<Node>)> {
        let (first, others) = members.split_first()?;
        let keys = &self.schema.node(*first).map.as_ref()?.keys;
        let key = keys.iter().map(|declared| &declared.key).find(|key| {
            picks(self.schema, *first, key).is_some()
                && others.iter().all(|other| picks(self.schema, *other, key).is_some())
        })?;
        let entry = visit.value.entries().find(|entry| entry.key == *key)?;
        let mut allowed: Vec<Node> = Vec::new();
        for value in members.iter().filter_map(|member| picks(self.schema, *member, key)).flatten() {
            if allowed.len() >= NAMED {
                break;
            }
            if !allowed.iter().any(|known| known.value == value.value) {
                allowed.push(value.clone());
            }
        }
        let parent = self.path(visit.place, None);
        let place = Place { name: entry.key_span, parent, path: None };
        let place = self.settle(place, super::Last::Key(key));
        Some((place, entry.value, allowed))
    }

    /// Whether the default of a node breaks its own bounds.
    pub(super) fn is_default_wrong(&self, id: SchemaId) -> bool {
        let Some(default) = &self.schema.node(id).default else { return false };
        let mut scorer = Scorer { check: self.check, schema: self.schema, budget: &mut { BUDGET } };
        let score = scorer.score(NodeView(&default.value), id, 0);
        !score.fits && !score.unsure
    }

    fn score(&self, value: V, id: SchemaId) -> Score {
        Scorer { check: self.check, schema: self.schema, budget: &mut { BUDGET } }.score(value, id, 0)
    }
}

/// The values that a node allows for a key.
fn picks<'s>(schema: &'s Schema, id: SchemaId, key: &Key) -> Option<&'s [Node]> {
    let declared = schema.node(id).map.as_ref()?.get(key)?;
    schema.node(declared.schema).constraints.iter().find_map(|constraint| match &constraint.kind {
        ConstraintKind::OneOf(values) if !constraint.conditional => Some(values.as_slice()),
        _ => None,
    })
}

struct Scorer<'s, 'a> {
    check: &'s ValuesCheck<'a>,
    schema: &'a Schema,
    budget: &'s mut usize,
}

impl<'a> Scorer<'_, 'a> {
    fn score<V: View>(&mut self, value: V, id: SchemaId, depth: usize) -> Score {
        let fitting = Score { fits: true, kind: true, ..Score::default() };
        let unsure = Score { unsure: true, ..fitting };
        let kind = value.kind();
        let Some(left) = self.budget.checked_sub(1) else { return unsure };
        *self.budget = left;
        let node = self.schema.node(id);
        if depth > DEPTH || kind == Kind::Unknown || !node.known {
            return unsure;
        }
        if kind == Kind::Null && node.nullable {
            return fitting;
        }
        if !takes(node, self.schema, value, kind) {
            return Score { right: -1, ..Score::default() };
        }
        let check = ValuesCheck { layers: Layers::Alone, ..*self.check };
        let given = Given { value, left: Left::Fresh, check: &check, id, conditional: false };
        let mut wrong = given.broken().len();
        let mut score = Score { unsure: value.is_partial() || node.has_code(), ..fitting };
        if let (Kind::Map, Some(map)) = (kind, &node.map) {
            let mut missing: Vec<&Key> = map.required.iter().collect();
            for entry in value.entries() {
                missing.retain(|key| **key != entry.key);
                match map.child(&entry.key) {
                    KeyChild::Undeclared => wrong += 1,
                    KeyChild::Free | KeyChild::Unread => {}
                    KeyChild::Child(Child { schema, .. }) => {
                        score.known += 1;
                        let below = self.score(entry.value, schema, depth + 1);
                        score.picked += usize::from(below.fits && picks(self.schema, id, &entry.key).is_some());
                        score.unsure |= below.unsure;
                        wrong += usize::from(!below.fits);
                    }
                }
            }
            missing.retain(|key| !has_default(self.schema, map.get(key).map(|declared| declared.schema)));
            wrong += missing.len();
        }
        if let (Kind::Array, Some(array)) = (kind, &node.array) {
            for (index, item) in value.items().enumerate() {
                let below = self.score(item.value, array.child(index).schema, depth + 1);
                score.unsure |= below.unsure;
                wrong += usize::from(!below.fits);
            }
        }
        for clause in &node.clauses {
            let (fits, unsure) = self.clause(value, clause, depth, &mut score);
            wrong += usize::from(!fits);
            score.unsure |= unsure;
        }
        Score { fits: wrong == 0, right: -isize::try_from(wrong).unwrap_or(isize::MAX), ..score }
    }

    /// Whether a clause holds, and whether that is not certain.
    fn clause<V: View>(&mut self, value: V, clause: &Clause, depth: usize, score: &mut Score) -> (bool, bool) {
        let depth = depth + 1;
        match clause {
            Clause::All(members) => {
                let (mut fits, mut unsure) = (true, false);
                for member in members {
                    let one = self.score(value, *member, depth);
                    score.kind &= one.kind;
                    score.picked += one.picked;
                    score.known += one.known;
                    (fits, unsure) = (fits && one.fits, unsure || one.unsure);
                }
                (fits, unsure)
            }
            Clause::Any(members) | Clause::One(members) => {
                let exactly = matches!(clause, Clause::One(_));
                let (mut count, mut unsure, mut kind) = (0, false, false);
                for member in members {
                    let one = self.score(value, *member, depth);
                    count += usize::from(one.fits);
                    unsure |= one.unsure;
                    kind |= one.kind;
                }
                score.kind &= kind;
                (count == 1 || (count > 1 && (!exactly || unsure)), unsure)
            }
            Clause::Not(member) => {
                let one = self.score(value, *member, depth);
                (!one.fits || one.unsure, one.unsure)
            }
            Clause::If { condition, then, otherwise } => {
                let asked = self.score(value, *condition, depth);
                match if asked.fits { then } else { otherwise } {
                    Some(follows) if !asked.unsure => {
                        let one = self.score(value, *follows, depth);
                        (one.fits, one.unsure)
                    }
                    _ => (true, asked.unsure),
                }
            }
            Clause::Dependent { key, schema } => match value.entries().any(|entry| entry.key == *key) {
                true => {
                    let one = self.score(value, *schema, depth);
                    (one.fits, one.unsure)
                }
                false => (true, value.is_partial()),
            },
        }
    }
}

/// Whether a key that is not written has a value all the same.
pub(super) fn has_default(schema: &Schema, id: Option<SchemaId>) -> bool {
    use lofting_schema::semantics::Required;
    schema.semantics().required == Required::AfterDefaults && id.is_some_and(|id| schema.node(id).default.is_some())
}

/// The numbers of two items that are equal; none if all differ, or not all are known.
pub(in crate::values) fn equal_items<V: View>(value: V, budget: usize) -> Option<(usize, usize)> {
    let items = value.all_items()?;
    let mut seen: rustc_hash::FxHashMap<u64, Vec<(usize, Node)>> = rustc_hash::FxHashMap::default();
    let mut left = budget;
    for (index, item) in items.into_iter().enumerate() {
        let node = to_node(item.value, &mut left, 0)?;
        let alike = seen.entry(crate::compare::equality_hash(&node)).or_default();
        if let Some((first, _)) = alike.iter().find(|(_, other)| crate::compare::equal(other, &node) == Some(true)) {
            return Some((*first, index));
        }
        alike.push((index, node));
    }
    None
}
