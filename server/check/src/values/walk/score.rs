//! How well values fit nodes, to find the alternative that is meant.

use super::clauses::has_default;
use super::takes;
use crate::values::bounds::Given;
use crate::values::left::Left;
use crate::values::{Layers, ValuesCheck};
use crate::view::{Kind, NodeView, View};
use lofting_document::{Key, Node, NodeValue, Span};
use lofting_schema::semantics::Required;
use lofting_schema::{Clause, ConstraintKind, KeyChild, Schema, SchemaId, Via};
use rustc_hash::FxHashMap;

/// Values deeper than this below an alternative count as fitting.
const DEPTH: usize = 100;

/// Values and nodes looked at to score the alternatives of one value. Beyond it they count as fitting.
const BUDGET: usize = 200_000;

/// How well a value fits a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(in crate::values) struct Score {
    /// Nothing is wrong.
    pub fits: bool,
    /// The value is of a kind that the node takes.
    pub kind: bool,
    /// Keys whose value picks this node among the others.
    pub picked: usize,
    /// Keys of the value that the node declares and whose values fit.
    right_keys: usize,
    /// Keys of the value that the node declares.
    known: usize,
    /// Mistakes, negated.
    right: isize,
    /// Something was not known, so that `fits` may be wrong.
    pub unsure: bool,
}

/// The values that a node allows for a key.
pub(super) fn picks<'s>(schema: &'s Schema, id: SchemaId, key: &Key) -> Option<&'s [Node]> {
    let declared = schema.node(id).map.as_ref()?.get(key)?;
    schema.node(declared.schema).constraints.iter().find_map(|constraint| match &constraint.kind {
        ConstraintKind::OneOf(values) if !constraint.conditional => Some(values.as_slice()),
        _ => None,
    })
}

/// Scores of values that were made before, by place and node.
pub(in crate::values) type Scores = FxHashMap<(Span, SchemaId), Score>;

/// Scores values. Never reports, and what is not known counts as fitting.
pub(super) struct Scorer<'s, 'a> {
    pub(super) check: &'s ValuesCheck<'a>,
    pub(super) schema: &'a Schema,
    scores: &'s mut Scores,
    budget: usize,
}

impl<'s, 'a> Scorer<'s, 'a> {
    /// For the values of one check.
    pub fn new(check: &'s ValuesCheck<'a>, scores: &'s mut Scores) -> Self {
        Scorer { check, schema: check.schema, scores, budget: BUDGET }
    }

    /// How well a value fits a node; `depth` is how deep below the value that was asked about.
    pub fn score<V: View>(&mut self, value: V, id: SchemaId, depth: usize) -> Score {
        let is_leaf = !value.kind().is_collection();
        let place = (value.span(), id);
        if !is_leaf && let Some(known) = self.scores.get(&place) {
            return *known;
        }
        let score = self.score_anew(value, id, depth);
        // What was not known because of a bound may be known from nearer.
        if !is_leaf && !score.unsure {
            self.scores.insert(place, score);
        }
        score
    }

    /// How many items fit; none: it is not certain.
    pub fn count<V: View>(&mut self, value: V, id: SchemaId, depth: usize) -> Option<u64> {
        if value.is_partial() {
            return None;
        }
        let mut count = 0;
        for item in value.items() {
            let score = self.score(item.value, id, depth + 1);
            if score.unsure {
                return None;
            }
            count += u64::from(score.fits);
        }
        Some(count)
    }

    fn score_anew<V: View>(&mut self, value: V, id: SchemaId, depth: usize) -> Score {
        let fitting = Score { fits: true, kind: true, ..Score::default() };
        let unsure = Score { unsure: true, ..fitting };
        let kind = value.kind();
        let Some(left) = self.budget.checked_sub(1) else { return unsure };
        self.budget = left;
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
        let mut wrong = given.broken().iter().filter(|broken| broken.is_wrong()).count();
        let mut score = Score { unsure: value.is_partial() || node.has_code(), ..fitting };
        if let (Kind::Map, Some(map)) = (kind, &node.map) {
            let never = self.schema.semantics().required == Required::Never;
            let mut missing: Vec<&Key> = map.required.iter().filter(|_| !never).collect();
            for entry in self.check.entries(value) {
                missing.retain(|key| **key != entry.key);
                match map.child(&entry.key) {
                    KeyChild::Undeclared => wrong += 1,
                    KeyChild::Free | KeyChild::Unread => {}
                    KeyChild::Child(first) => {
                        score.known += usize::from(first.via != Via::Rest);
                        let mut fits = true;
                        let more = if map.patterns.is_empty() { Vec::new() } else { map.children(&entry.key) };
                        let others = more.into_iter().skip(1).map(|child| child.schema);
                        for schema in std::iter::once(first.schema).chain(others) {
                            let below = self.score(entry.value, schema, depth + 1);
                            score.unsure |= below.unsure;
                            fits &= below.fits;
                        }
                        score.picked += usize::from(fits && picks(self.schema, id, &entry.key).is_some());
                        score.right_keys += usize::from(fits && first.via != Via::Rest);
                        wrong += usize::from(!fits);
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
            let (fits, unsure) = self.clause((value, id), clause, depth, &mut score);
            wrong += usize::from(!fits);
            score.unsure |= unsure;
        }
        Score { fits: wrong == 0, right: -isize::try_from(wrong).unwrap_or(isize::MAX), ..score }
    }

    /// Whether a clause holds, and whether that is not certain.
    fn clause<V: View>(
        &mut self,
        (value, id): (V, SchemaId),
        clause: &Clause,
        depth: usize,
        score: &mut Score,
    ) -> (bool, bool) {
        let depth = depth + 1;
        match clause {
            Clause::All(members) => {
                let (mut fits, mut unsure) = (true, false);
                for member in members {
                    let one = self.score(value, *member, depth);
                    score.kind &= one.kind;
                    score.picked += one.picked;
                    score.known += one.known;
                    score.right_keys += one.right_keys;
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
            Clause::Names(names) => {
                let (mut fits, mut unsure) = (true, value.is_partial());
                for entry in self.check.entries(value) {
                    let name = Node::new(NodeValue::String(entry.key.to_string().into()), entry.key_span);
                    let one = self.score(NodeView(&name), *names, depth);
                    (fits, unsure) = (fits && one.fits, unsure || one.unsure);
                }
                (fits, unsure)
            }
            Clause::Contains { .. } if value.kind() != Kind::Array => (true, false),
            Clause::Contains { schema, least, most, .. } => match self.count(value, *schema, depth) {
                Some(count) => (count >= *least && most.is_none_or(|most| count <= most), false),
                None => (true, true),
            },
            Clause::OtherKeys(others) => {
                let seen = self.seen(value, id, depth);
                let (mut fits, mut unsure) = (true, seen.unsure);
                for entry in self.check.entries(value).filter(|entry| !seen.has_key(&entry.key)) {
                    let one = self.score(entry.value, *others, depth);
                    (fits, unsure) = (fits && one.fits, unsure || one.unsure);
                }
                (fits || seen.unsure, unsure)
            }
            Clause::OtherItems(others) => {
                let seen = self.seen(value, id, depth);
                let (mut fits, mut unsure) = (true, seen.unsure);
                for (_, item) in value.items().enumerate().filter(|(index, _)| !seen.has_item(*index)) {
                    let one = self.score(item.value, *others, depth);
                    (fits, unsure) = (fits && one.fits, unsure || one.unsure);
                }
                (fits || seen.unsure, unsure)
            }
            Clause::Dependent { key, schema } => match self.check.entries(value).any(|entry| entry.key == *key) {
                true => {
                    let one = self.score(value, *schema, depth);
                    (one.fits, one.unsure)
                }
                false => (true, value.is_partial()),
            },
        }
    }
}
