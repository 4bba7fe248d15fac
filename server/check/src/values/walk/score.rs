//! Scores how well values fit nodes, to find the alternative that was meant.

use super::alternatives::KnownAlternatives;
use super::indexed::{DeclaredEntries, Indexes};
use super::takes;
use crate::memo::{CheckMemo, KnownCollections, ScoreKey, address};
use crate::score::{Fit, Score, Scored, Tally};
use crate::suggest::is_slip;
use crate::values::bounds::BoundedValue;
use crate::values::{Layers, ValuesCheck};
use crate::view::{Entry, Kind, NodeView, Piece, View};
use lofting_document::{Key, Node, Span};
use lofting_schema::semantics::Required;
use lofting_schema::{ArrayShape, Clause, ConstraintKind, KeyChild, MapShape, Schema, SchemaId, Via};
use rustc_hash::FxHashMap;

/// Values deeper than this below an alternative count as fitting.
const DEPTH: usize = 100;

/// How many values and nodes are visited to score the alternatives of one value. Beyond it, values count as fitting.
const BUDGET: usize = 200_000;

/// With fewer scores and indexes, all are kept.
const KEPT: usize = 16_384;

/// How many required keys fit into one number as bits.
const BITS: usize = 64;

/// The values that a node allows for a key.
pub(super) fn picks<'s>(schema: &'s Schema, id: SchemaId, key: &Key) -> Option<&'s [Node]> {
    allowed(schema, schema.node(id).map.as_deref()?.get(key)?.schema)
}

/// The only values that a node allows, if it lists them.
pub(super) fn allowed(schema: &Schema, id: SchemaId) -> Option<&[Node]> {
    schema.node(id).constraints.iter().find_map(|constraint| match &constraint.kind {
        ConstraintKind::OneOf(values) if !constraint.conditional => Some(&values[..]),
        _ => None,
    })
}

/// Whether a node takes only texts that match a pattern.
fn has_pattern(schema: &Schema, id: SchemaId) -> bool {
    schema.node(id).constraints.iter().any(|constraint| matches!(constraint.kind, ConstraintKind::Pattern(_)))
}

/// How much more it says that a value is the only one that a node allows, and not one of several: most likely that is what
/// tells the alternatives apart.
pub(super) const ONLY: usize = 1_000;

fn weight(allowed: &[Node]) -> usize {
    if allowed.len() == 1 { ONLY } else { 1 }
}

/// How many names are compared with missing ones.
const MEANT: usize = 32;

/// What is written in place of missing keys.
#[derive(Default)]
struct MeantKeys {
    /// How many names are slips for missing ones.
    slips: usize,
    /// How many mistakes are one with another.
    mistakes: usize,
}

/// Whether values of two kinds may be equal.
fn is_alike(one: Kind, other: Kind) -> bool {
    let is_number = |kind| matches!(kind, Kind::Int | Kind::Float);
    one == other || (is_number(one) && is_number(other))
}

/// Scores computed before.
#[derive(Default)]
pub(in crate::values) struct Scores {
    /// By place, which of the values there it is, and node.
    known: FxHashMap<(Span, u64, SchemaId), Score>,
    /// With more than this, those that are not asked for again are forgotten.
    most: usize,
    /// Which alternatives of clauses a value may fit.
    pub(super) alternatives: KnownAlternatives,
    /// What is known of collections if nothing is remembered of the file.
    pub(super) collections: KnownCollections,
    /// A limit was reached: something counts as fitting without having been visited.
    pub(super) is_cut: bool,
}

impl Scores {
    /// A value is visited: what was known of those before it is not asked for again, because values are visited in the
    /// order of the text. What aliases repeat is elsewhere in the text.
    pub fn pass<V>(&mut self, value: Span, indexes: &mut Indexes<V>) {
        if self.known.len() + indexes.len() <= self.most.max(KEPT) {
            return;
        }
        let is_ahead = |place: &Span, copy: u64| place.file != value.file || place.end > value.start || copy != 0;
        self.known.retain(|(place, copy, _), _| is_ahead(place, *copy));
        indexes.retain(is_ahead);
        self.most = 2 * (self.known.len() + indexes.len());
    }
}

/// Scores values. Reports nothing; what is unknown counts as fitting.
pub(super) struct Scorer<'s, 'a, V> {
    pub(super) check: &'s ValuesCheck<'a>,
    pub(super) schema: &'a Schema,
    pub(super) scores: &'s mut Scores,
    pub(super) indexes: &'s mut Indexes<V>,
    /// Scores of collections that did not change.
    pub(super) memo: Option<&'s mut CheckMemo>,
    budget: usize,
}

impl<'s, 'a, V: View> Scorer<'s, 'a, V> {
    /// A scorer for the values of one check.
    pub fn new(check: &'s ValuesCheck<'a>, scores: &'s mut Scores, indexes: &'s mut Indexes<V>) -> Self {
        Scorer { check, schema: check.schema, scores, indexes, memo: None, budget: BUDGET }
    }

    /// How well a value fits that is not one of the document: the name of a key, or a default.
    pub fn score_aside(&mut self, value: &Node, id: SchemaId, depth: usize) -> Score {
        let mut indexes = Indexes::new(false);
        let mut aside = Scorer { budget: self.budget, ..Scorer::new(self.check, self.scores, &mut indexes) };
        let score = aside.score(NodeView(value), id, depth);
        self.budget = aside.budget;
        score
    }

    /// Uses what is remembered of the file.
    pub fn with_memo(self, memo: Option<&'s mut CheckMemo>) -> Self {
        Scorer { memo, ..self }
    }

    /// What is remembered about a collection, or about a part of one.
    pub(super) fn remembered(&self, value: V, id: SchemaId) -> Option<Scored> {
        let memo = self.memo.as_deref()?;
        let (green, _) = value.shared()?;
        let key = ScoreKey { green: address(green), schema: id, part: memo.part, names: value.names() };
        memo.score(&key).copied()
    }

    pub(super) fn remember(&mut self, value: V, id: SchemaId, scored: Scored) {
        let Some(memo) = self.memo.as_deref_mut() else { return };
        if let Some((green, _)) = value.shared().filter(|(green, _)| CheckMemo::is_worth(green)) {
            let key = ScoreKey { green: address(green), schema: id, part: memo.part, names: value.names() };
            memo.set_score(key, green.clone(), scored);
        }
    }

    /// How well a value fits a node. `depth` counts levels below the value whose alternatives are scored.
    pub fn score(&mut self, value: V, id: SchemaId, depth: usize) -> Score {
        let is_leaf = !value.kind().is_collection();
        let place = (value.span(), value.copy(), id);
        if !is_leaf && let Some(known) = self.scores.known.get(&place) {
            return *known;
        }
        if !is_leaf && let Some(Scored::Whole(known)) = self.remembered(value, id) {
            return known;
        }
        let score = self.score_anew(value, id, depth);
        // A score that a depth limit made unsure may be exact when computed from nearer.
        if !is_leaf && !score.unsure {
            self.scores.known.insert(place, score);
            self.remember(value, id, Scored::Whole(score));
        }
        score
    }

    /// How many items fit; None if that is not certain.
    pub fn count(&mut self, value: V, id: SchemaId, depth: usize) -> Option<u64> {
        if self.is_partial(value) {
            return None;
        }
        self.count_readable(value, id, depth)
    }

    fn count_readable(&mut self, value: V, id: SchemaId, depth: usize) -> Option<u64> {
        let mut count = 0;
        for piece in value.item_pieces() {
            count += match piece {
                Piece::One(item) => {
                    let score = self.score(item.value, id, depth + 1);
                    (!score.unsure).then_some(u64::from(score.fits))?
                }
                Piece::Part(part, _) => match self.remembered(part, id) {
                    Some(Scored::Fitting(known)) => known,
                    _ => {
                        let made = self.count_readable(part, id, depth)?;
                        self.remember(part, id, Scored::Fitting(made));
                        made
                    }
                },
            };
        }
        Some(count)
    }

    fn score_anew(&mut self, value: V, id: SchemaId, depth: usize) -> Score {
        let fitting = Score { fits: true, kind: true, alike: true, ..Score::default() };
        let unsure = Score { unsure: true, ..fitting };
        let kind = value.kind();
        let Some(left) = self.budget.checked_sub(1).filter(|_| depth <= DEPTH) else {
            self.scores.is_cut = true;
            return unsure;
        };
        self.budget = left;
        let node = self.schema.node(id);
        if kind == Kind::Unknown || !node.known {
            return unsure;
        }
        if kind == Kind::Null && node.nullable {
            return fitting;
        }
        if !takes(node, self.schema, value, kind) {
            return Score { right: -1, ..Score::default() };
        }
        let check = ValuesCheck { layers: Layers::Alone, ..*self.check };
        let is_partial = self.is_partial(value);
        let given = BoundedValue { is_partial: Some(is_partial), ..BoundedValue::alone(value, &check, id) };
        let mut wrong = given.broken().iter().filter(|broken| broken.is_wrong()).count();
        let alike = node.constraints.iter().all(|constraint| match &constraint.kind {
            ConstraintKind::OneOf(allowed) => allowed.iter().any(|it| is_alike(NodeView(it).kind(), kind)),
            _ => true,
        });
        let mut score = Score { alike, unsure: is_partial || node.has_code(), ..fitting };
        let mut open = false;
        self.indexes.make(self.check, value, node);
        if let (Kind::Map, Some(map)) = (kind, &node.map) {
            let never = self.schema.semantics().required == Required::Never;
            let declared = self.indexes.declared(value, map);
            let counted = declared.is_none() && map.required.len() <= BITS;
            let tally = match declared {
                Some(declared) => self.declared_keys(declared, id, map, depth),
                None => self.keys(value, id, map, depth),
            };
            (score.known, score.picked, score.right_keys) = (tally.known, tally.picked, tally.right_keys);
            score.unsure |= tally.unsure;
            open |= tally.open;
            wrong += tally.wrong;
            if !never {
                let check = self.check;
                let has_default = |key: &Key| check.has_default(map.get(key).map(|declared| declared.schema));
                let missing = map.required.iter().enumerate().filter(|(number, key)| {
                    if counted { tally.present >> number & 1 == 0 } else { !self.has(value, key) }
                });
                let missing: Vec<&Key> = missing.map(|(_, key)| key).filter(|key| !has_default(key)).collect();
                wrong += missing.len();
                if !missing.is_empty() {
                    let meant = self.meant(value, map, &missing);
                    wrong -= meant.mistakes;
                    score.slips = meant.slips;
                }
            }
        }
        if let (Kind::Array, Some(array)) = (kind, &node.array) {
            let tally = self.array(value, array, depth);
            score.unsure |= tally.unsure;
            open |= tally.open;
            wrong += tally.wrong;
        }
        for clause in &node.clauses {
            let (fit, unsure) = self.clause((value, id), clause, depth, &mut score);
            open |= fit == Fit::Open;
            wrong += usize::from(fit == Fit::No);
            score.unsure |= unsure;
        }
        Score { fits: wrong == 0 && !open, right: -isize::try_from(wrong).unwrap_or(isize::MAX), ..score }
    }

    /// What is written in place of missing keys: a name that nothing declares, and one that is missing, are one mistake.
    fn meant(&self, value: V, map: &MapShape, missing: &[&Key]) -> MeantKeys {
        let mut meant = MeantKeys::default();
        if missing.len() > MEANT || value.entries().nth(MEANT).is_some() {
            return meant;
        }
        let (mut refused, mut refused_slips) = (0, 0);
        for entry in self.check.entries(value) {
            let is_refused = match map.child(&entry.key) {
                KeyChild::Undeclared => true,
                KeyChild::Free | KeyChild::Unread => false,
                KeyChild::Child(child) if child.via == Via::Rest => false,
                KeyChild::Child(_) => continue,
            };
            let is_slip = |key: &Key| matches!((entry.key.as_str(), key.as_str()), (Some(written), Some(meant)) if is_slip(written, meant));
            let is_slip = missing.iter().any(|key| is_slip(key));
            meant.slips += usize::from(is_slip);
            refused += usize::from(is_refused);
            refused_slips += usize::from(is_refused && is_slip);
        }
        // The only name that is too many is the only one that is missing.
        let is_only = refused == 1 && missing.len() == 1;
        meant.slips = meant.slips.min(missing.len());
        meant.mistakes = if is_only { 1 } else { refused_slips.min(missing.len()) };
        meant
    }

    /// The combined result for the entries of a map, or of a part of one.
    fn keys(&mut self, value: V, id: SchemaId, map: &MapShape, depth: usize) -> Tally {
        let mut tally = Tally::default();
        for piece in value.entry_pieces() {
            let entry = match piece {
                Piece::One(entry) => entry,
                Piece::Part(part, _) => {
                    tally.add(self.part(part, id, |scorer| scorer.keys(part, id, map, depth)));
                    continue;
                }
            };
            let entry = self.check.named(entry);
            if let Some(number) = map.required.iter().take(BITS).position(|key| *key == entry.key) {
                tally.present |= 1 << number;
            }
            self.entry(&entry, id, map, depth, &mut tally);
        }
        tally
    }

    /// The combined result for the entries of a map of which only these are declared, besides some others.
    fn declared_keys(&mut self, declared: DeclaredEntries<V>, id: SchemaId, map: &MapShape, depth: usize) -> Tally {
        let mut tally = Tally::default();
        for entry in &declared.entries {
            self.entry(entry, id, map, depth, &mut tally);
        }
        if map.child_of_others() == KeyChild::Undeclared {
            tally.wrong += declared.others;
        }
        tally
    }

    fn entry(&mut self, entry: &Entry<V>, id: SchemaId, map: &MapShape, depth: usize, tally: &mut Tally) {
        match map.child(&entry.key) {
            KeyChild::Undeclared => tally.wrong += 1,
            KeyChild::Free | KeyChild::Unread => {}
            KeyChild::Child(first) => {
                tally.known += usize::from(first.via != Via::Rest);
                let mut fit = Fit::Yes;
                let more = if map.patterns.is_empty() { Vec::new() } else { map.children(&entry.key) };
                let others = more.into_iter().skip(1).map(|child| child.schema);
                for schema in std::iter::once(first.schema).chain(others) {
                    let below = self.score(entry.value, schema, depth + 1);
                    tally.unsure |= below.unsure;
                    fit = fit.min(below.inside(entry.value.is_missing()));
                }
                // Of true and false one is often all that an alternative allows, though it is about something else.
                let tells = fit == Fit::Yes && entry.value.kind() != Kind::Bool;
                tally.picked += match picks(self.schema, id, &entry.key).filter(|_| tells) {
                    Some(allowed) => weight(allowed),
                    // A text that matches a pattern tells what is meant, too.
                    None => usize::from(
                        tells && entry.value.kind() == Kind::String && has_pattern(self.schema, first.schema),
                    ),
                };
                tally.right_keys += usize::from(fit != Fit::No && first.via != Via::Rest);
                tally.note(fit);
            }
        }
    }

    /// The combined result for the items of a part of an array, all of which have the same node.
    fn items(&mut self, value: V, id: SchemaId, depth: usize) -> Tally {
        let mut tally = Tally::default();
        for piece in value.item_pieces() {
            match piece {
                Piece::One(item) => self.item(item.value, id, depth, &mut tally),
                Piece::Part(part, _) => tally.add(self.part(part, id, |scorer| scorer.items(part, id, depth))),
            }
        }
        tally
    }

    /// The combined result for a part of a collection.
    fn part(&mut self, part: V, id: SchemaId, make: impl FnOnce(&mut Self) -> Tally) -> Tally {
        if let Some(Scored::Part(known)) = self.remembered(part, id) {
            return known;
        }
        let made = make(self);
        if !made.unsure {
            self.remember(part, id, Scored::Part(made));
        }
        made
    }

    /// Whether the names of all keys fit, and whether that is uncertain.
    fn names(&mut self, value: V, names: SchemaId, depth: usize) -> (bool, bool) {
        let (mut fits, mut unsure) = (true, false);
        for piece in value.entry_pieces() {
            let (one_fits, one_unsure) = match piece {
                Piece::One(entry) => {
                    let one = self.score_aside(&self.check.named(entry).name(), names, depth);
                    (one.fits, one.unsure)
                }
                Piece::Part(part, _) => match self.remembered(part, names) {
                    Some(Scored::Names(known)) => (known, false),
                    _ => {
                        let made = self.names(part, names, depth);
                        if !made.1 {
                            self.remember(part, names, Scored::Names(made.0));
                        }
                        made
                    }
                },
            };
            (fits, unsure) = (fits && one_fits, unsure || one_unsure);
        }
        (fits, unsure)
    }

    /// The combined result for an array, whose first items may have nodes of their own.
    fn array(&mut self, value: V, array: &ArrayShape, depth: usize) -> Tally {
        let (mut tally, mut index) = (Tally::default(), 0);
        for piece in value.item_pieces() {
            match piece {
                Piece::One(item) => {
                    self.item(item.value, array.child(index).schema, depth, &mut tally);
                    index += 1;
                }
                Piece::Part(part, count) if index >= array.prefix.len() => {
                    tally.add(self.part(part, array.item, |scorer| scorer.items(part, array.item, depth)));
                    index += count;
                }
                Piece::Part(part, count) => {
                    for (inside, item) in part.items().enumerate() {
                        self.item(item.value, array.child(index + inside).schema, depth, &mut tally);
                    }
                    index += count;
                }
            }
        }
        tally
    }

    fn item(&mut self, value: V, id: SchemaId, depth: usize, tally: &mut Tally) {
        let below = self.score(value, id, depth + 1);
        tally.unsure |= below.unsure;
        tally.note(below.inside(value.is_missing()));
    }

    /// Whether a clause holds, and whether that is uncertain.
    fn clause(&mut self, (value, id): (V, SchemaId), clause: &Clause, depth: usize, score: &mut Score) -> (Fit, bool) {
        let depth = depth + 1;
        match clause {
            Clause::All(members) => {
                let (mut fit, mut unsure) = (Fit::Yes, false);
                for member in members {
                    let one = self.score(value, *member, depth);
                    score.kind &= one.kind;
                    score.alike &= one.alike;
                    score.picked += one.picked;
                    score.known += one.known;
                    score.slips += one.slips;
                    score.right_keys += one.right_keys;
                    (fit, unsure) = (fit.min(one.fit()), unsure || one.unsure);
                }
                (fit, unsure)
            }
            Clause::Any(members) | Clause::One(members) => {
                let exactly = matches!(clause, Clause::One(_));
                let (mut count, mut unsure, mut kind, mut alike) = (0, false, false, false);
                let (mut best, mut closest) = (Fit::No, Score::default());
                for (one, _) in self.alternatives(value, members, depth) {
                    count += usize::from(one.fits);
                    unsure |= one.unsure;
                    best = best.max(one.fit());
                    closest = closest.max(one);
                    kind |= one.kind;
                    alike |= one.alike;
                }
                score.picked += closest.picked;
                score.known += closest.known;
                score.slips += closest.slips;
                score.right_keys += closest.right_keys;
                score.kind &= kind;
                score.alike &= alike;
                let is_one = count <= 1 || !exactly || unsure;
                (if is_one { best } else { Fit::No }, unsure)
            }
            Clause::Not(member) => {
                let one = self.score(value, *member, depth);
                ((!one.fits || one.unsure).into(), one.unsure)
            }
            Clause::If { condition, then, otherwise } => {
                let asked = self.score(value, *condition, depth);
                match if asked.fits { then } else { otherwise } {
                    Some(follows) if !asked.unsure => {
                        let one = self.score(value, *follows, depth);
                        (one.fit(), one.unsure)
                    }
                    _ => (Fit::Yes, asked.unsure),
                }
            }
            Clause::Names(names) => {
                let (fits, unsure) = self.names(value, *names, depth);
                (fits.into(), unsure || self.is_partial(value))
            }
            Clause::Contains { .. } if value.kind() != Kind::Array => (Fit::Yes, false),
            Clause::Contains { schema, least, most, .. } => match self.count(value, *schema, depth) {
                Some(count) => ((count >= *least && most.is_none_or(|most| count <= most)).into(), false),
                None => (Fit::Yes, true),
            },
            Clause::OtherKeys(others) => {
                let seen = self.seen(value, id, depth);
                let (mut fits, mut unsure) = (true, seen.unsure);
                for entry in self.check.entries(value).filter(|entry| !seen.has_key(&entry.key)) {
                    let one = self.score(entry.value, *others, depth);
                    (fits, unsure) = (fits && one.fits, unsure || one.unsure);
                }
                ((fits || seen.unsure).into(), unsure)
            }
            Clause::OtherItems(others) => {
                let seen = self.seen(value, id, depth);
                let (mut fits, mut unsure) = (true, seen.unsure);
                for (_, item) in value.items().enumerate().filter(|(index, _)| !seen.has_item(*index)) {
                    let one = self.score(item.value, *others, depth);
                    (fits, unsure) = (fits && one.fits, unsure || one.unsure);
                }
                ((fits || seen.unsure).into(), unsure)
            }
            Clause::Dependent { key, schema } => {
                if self.has(value, key) {
                    let one = self.score(value, *schema, depth);
                    (one.fit(), one.unsure)
                } else {
                    (Fit::Yes, self.is_partial(value))
                }
            }
        }
    }
}
