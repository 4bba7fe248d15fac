//! Compares whole schemas. Each pair of nodes that describe the same place is compared once, however many paths lead to
//! them, so that schemas that refer to themselves need no special case. Then the paths to changes are written out.

use crate::change::{Breaks, Change, Kind, OldKey, Path, PathStep};
use crate::compare::{Both, Own, compare};
use crate::moved;
use crate::place::{Ids, ids};
use crate::witness::{self, Search};
use lofting_document::Span;
use lofting_schema::words::literal;
use lofting_schema::{Clause, Schema, SchemaId};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// Identifies two nodes that describe the same place.
type PairId = usize;

/// A schema that refers to itself has endless paths: each pair is entered so often on one path.
const REPEATED: u8 = 5;

/// How many references may follow each other.
const REFERENCES: usize = 64;

/// The limit on places that are visited, and on changes that are reported.
const VISITS: usize = 400_000;
const CHANGES: usize = 100_000;

/// The maximum number of steps in the paths of all changes together.
const STEPS: usize = 2_000_000;

/// Two nodes that describe the same place.
#[derive(Default)]
struct Pair {
    own: Own,
    /// What is below: the step, and the pair.
    below: Vec<(Option<PathStep>, PairId)>,
    /// See [`Own::governed`].
    governed: Vec<(usize, PairId)>,
    /// Clauses that are compared as a whole: their keyword, and the pair.
    whole: Vec<(&'static str, PairId)>,
    /// It or something below changed.
    is_changed: bool,
    /// The description of it or of something below changed.
    is_described_anew: bool,
    /// It or something below breaks values.
    breaks_values: bool,
    /// It, or something below that describes parts of the same value, may refuse more than before.
    narrows: bool,
    /// As `narrows`, for what may accept more than before.
    widens: bool,
}

impl Pair {
    /// Whether the changes here may refuse more than before, and whether they may accept more.
    fn directions(&self, has_changed_clause: bool) -> (bool, bool) {
        let is_undecided = has_changed_clause || !self.own.clauses.changed.is_empty();
        let changes = || self.own.changes.iter().map(|(_, change)| change);
        let refuses_more = |kind: Kind| {
            matches!(kind, Kind::Narrowed | Kind::EnumValueRemoved | Kind::NotNullable | Kind::BecameRequired)
        };
        let is_silent = |kind: Kind| {
            matches!(kind, Kind::Deprecated | Kind::DefaultAdded | Kind::DefaultChanged | Kind::DefaultRemoved)
        };
        let narrows = changes().any(|change| change.breaks.values);
        let accepts_more = |change: &Change| !refuses_more(change.kind) && !is_silent(change.kind);
        let widens = changes().any(|change| accepts_more(change) || change.replaces);
        (is_undecided || narrows, is_undecided || widens)
    }
}

/// The comparison of two schemas.
pub(crate) struct Comparison<'a> {
    both: Both<'a>,
    pairs: Vec<Pair>,
    known: FxHashMap<(Ids, Ids), PairId>,
    ids: Vec<(Ids, Ids)>,
    searches: usize,
}

/// The changes below a root.
#[derive(Default)]
pub(crate) struct PathChanges {
    pub changes: Vec<Change>,
    /// See [`crate::Compared::documentation`].
    pub documentation: Vec<Change>,
    /// See [`crate::Compared::old_keys`].
    pub old_keys: Vec<OldKey>,
    /// Places that could not be compared, because they are known only after evaluation.
    pub unknown: usize,
    /// Whether something was not compared or not reported.
    pub is_cut: bool,
}

impl<'a> Comparison<'a> {
    pub fn new(both: Both<'a>) -> Self {
        Comparison { both, pairs: Vec::new(), known: FxHashMap::default(), ids: Vec::new(), searches: 0 }
    }

    /// The pair of two sets of nodes.
    fn pair(&mut self, old: Ids, new: Ids) -> PairId {
        let next = self.ids.len();
        match self.known.entry((old, new)) {
            std::collections::hash_map::Entry::Occupied(known) => *known.get(),
            std::collections::hash_map::Entry::Vacant(entry) => {
                self.ids.push(entry.key().clone());
                *entry.insert(next)
            }
        }
    }

    /// Compares the nodes of several roots, and tells the changes below each.
    pub fn run(mut self, roots: &[(SchemaId, SchemaId)]) -> Vec<PathChanges> {
        let starts: Vec<PairId> = roots.iter().map(|(old, new)| self.pair(ids([*old]), ids([*new]))).collect();
        // With cycles of different lengths, there are more pairs than nodes.
        let most = 4 * (self.both.old.nodes().count() + self.both.new.nodes().count()) + 1_000;
        let mut is_cut = false;
        while let Some((old, new)) = self.ids.get(self.pairs.len()).cloned() {
            if self.pairs.len() >= most {
                is_cut = true;
                self.pairs.resize_with(self.ids.len(), Pair::default);
                break;
            }
            let mut own = compare(&mut self.both, &old, &new);
            own.below.extend(own.clauses.alike.drain(..).map(|(old, new)| (None, old, new)));
            let pair = Pair {
                below: own.below.drain(..).map(|(step, old, new)| (step, self.pair(old, new))).collect(),
                governed: own.governed.drain(..).map(|(at, old, new)| (at, self.pair(old, new))).collect(),
                whole: own.clauses.whole.drain(..).map(|it| (it.keyword, self.pair(it.pair.0, it.pair.1))).collect(),
                own,
                ..Pair::default()
            };
            self.pairs.push(pair);
        }
        self.note_changed();
        self.note_directions();
        self.tell_clauses();
        self.note_breaking();
        starts.into_iter().map(|start| PathChanges { is_cut, ..PathChanges::default() }.with(&self, start)).collect()
    }

    /// Marks pairs, and all from which steps lead to them.
    fn mark(&mut self, marked: Vec<PairId>, leads: fn(&Pair) -> Vec<PairId>, mark: fn(&mut Pair)) {
        let mut above: Vec<Vec<PairId>> = vec![Vec::new(); self.pairs.len()];
        for (at, pair) in self.pairs.iter().enumerate() {
            for to in leads(pair) {
                if let Some(above) = above.get_mut(to) {
                    above.push(at);
                }
            }
        }
        let mut seen: FxHashSet<PairId> = marked.iter().copied().collect();
        let mut todo = marked;
        while let Some(at) = todo.pop() {
            if let Some(pair) = self.pairs.get_mut(at) {
                mark(pair);
            }
            let found = above.get(at).into_iter().flatten().copied();
            let fresh: Vec<PairId> = found.filter(|id| seen.insert(*id)).collect();
            todo.extend(fresh);
        }
    }

    fn note_changed(&mut self) {
        let has_changes = |pair: &Pair| !pair.own.changes.is_empty() || !pair.own.clauses.changed.is_empty();
        let marked = self.pairs.iter().enumerate().filter(|(_, pair)| has_changes(pair)).map(|(at, _)| at).collect();
        let leads =
            |pair: &Pair| pair.below.iter().map(|(_, to)| *to).chain(pair.whole.iter().map(|(_, to)| *to)).collect();
        self.mark(marked, leads, |pair| pair.is_changed = true);
        let described = self.pairs.iter().enumerate().filter(|(_, pair)| pair.own.documentation.is_some());
        let described = described.map(|(at, _)| at).collect();
        let leads = |pair: &Pair| pair.below.iter().map(|(_, to)| *to).collect();
        self.mark(described, leads, |pair| pair.is_described_anew = true);
    }

    fn note_directions(&mut self) {
        let is_changed = |(_, to): &(&str, PairId)| self.pairs.get(*to).is_some_and(|pair| pair.is_changed);
        let directions = self.pairs.iter().map(|pair| pair.directions(pair.whole.iter().any(is_changed)));
        let (mut narrowing, mut widening) = (Vec::new(), Vec::new());
        for (at, (narrows, widens)) in directions.enumerate() {
            narrowing.extend(narrows.then_some(at));
            widening.extend(widens.then_some(at));
        }
        let leads = |pair: &Pair| pair.below.iter().map(|(_, to)| *to).collect();
        self.mark(narrowing, leads, |pair| pair.narrows = true);
        self.mark(widening, leads, |pair| pair.widens = true);
    }

    /// Decides what the changes of clauses mean: by what they are, or by a search for values.
    fn tell_clauses(&mut self) {
        for at in 0..self.pairs.len() {
            let Some(pair) = self.pairs.get(at) else { continue };
            let whole = pair.whole.iter().filter_map(|(keyword, to)| {
                let below = self.pairs.get(*to).filter(|pair| pair.is_changed)?;
                let refuses_more = match *keyword {
                    // What became narrower says so itself.
                    "oneOf" | "unevaluatedProperties" | "unevaluatedItems" => {
                        return below.widens.then_some((*keyword, true));
                    }
                    "not" => below.widens,
                    "propertyNames" => below.narrows,
                    _ => true,
                };
                Some((*keyword, refuses_more))
            });
            let mut said: Vec<(&'static str, bool)> = pair.own.clauses.changed.iter().copied().chain(whole).collect();
            said.dedup();
            if said.is_empty() {
                continue;
            }
            let Some((old, new)) = self.ids.get(at).cloned() else { continue };
            self.searches += 1;
            let (from, to) = ((self.both.old, &old), (self.both.new, &new));
            let may_search = self.searches <= witness::SEARCHES;
            let Search { witness, is_complete } =
                if may_search { witness::search(from, to) } else { Search::default() };
            // Whatever became of the clauses, they refuse nothing that was accepted.
            let is_safe = is_complete && witness.is_none();
            let span =
                |schema: &Schema, ids: &Ids| -> Option<Span> { ids.first().map(|id| schema.node(*id).declared.name) };
            let spans = (span(self.both.old, &old), span(self.both.new, &new));
            let change = |(keyword, refuses_more): (&'static str, bool)| {
                // A further alternative of `oneOf` may be one too many.
                let is_narrower = refuses_more || (keyword == "oneOf" && witness.is_some());
                let kind = if is_narrower { Kind::Narrowed } else { Kind::Widened };
                let mut change = Change::new(kind).by(keyword).at(spans.0, spans.1);
                change.breaks = Breaks::values_if(is_narrower);
                change.assumed = is_narrower && witness.is_none();
                change.witness = witness.as_ref().filter(|_| is_narrower).map(literal);
                (None, change)
            };
            let changes: Vec<_> =
                said.into_iter().filter(|(_, refuses_more)| !(is_safe && *refuses_more)).map(change).collect();
            if let Some(pair) = self.pairs.get_mut(at) {
                pair.own.changes.extend(changes);
            }
        }
    }

    /// A rule that governs a key now may refuse what the declaration accepted, which may be a matter of other such rules.
    fn note_breaking(&mut self) {
        let breaks = |pair: &Pair| pair.own.changes.iter().any(|(_, change)| change.breaks.values);
        let marked = self.pairs.iter().enumerate().filter(|(_, pair)| breaks(pair)).map(|(at, _)| at).collect();
        let leads =
            |pair: &Pair| pair.below.iter().map(|(_, to)| *to).chain(pair.governed.iter().map(|(_, to)| *to)).collect();
        self.mark(marked, leads, |pair| pair.breaks_values = true);
        for at in 0..self.pairs.len() {
            let Some(pair) = self.pairs.get(at) else { continue };
            let breaking = |(_, to): &&(usize, PairId)| self.pairs.get(*to).is_some_and(|pair| pair.breaks_values);
            let found: Vec<usize> = pair.governed.iter().filter(breaking).map(|(index, _)| *index).collect();
            let Some(pair) = self.pairs.get_mut(at) else { continue };
            for index in found {
                if let Some((_, change)) = pair.own.changes.get_mut(index) {
                    change.breaks.values = true;
                }
            }
        }
    }
}

/// The node that a node leads to, if it adds nothing to what that one says: a reference with a description beside it.
fn meant(schema: &Schema, ids: &Ids) -> Ids {
    let [id] = &ids[..] else { return ids.clone() };
    let mut id = *id;
    // References that lead back to themselves were cut.
    for _ in 0..REFERENCES {
        let node = schema.node(id);
        match node.clauses.as_slice() {
            [Clause::All(members)] if node.says_only_clauses() && members.len() == 1 => {
                id = members.first().copied().unwrap_or(id);
            }
            _ => break,
        }
    }
    [id].into()
}

/// What is next when paths are written out.
enum PathTask {
    Enter(PairId, Option<PathStep>),
    /// Back from a place, and from a step.
    Leave(Ids, bool),
}

impl PathChanges {
    /// The changes on all paths from a pair.
    fn with(mut self, comparison: &Comparison<'_>, start: PairId) -> PathChanges {
        let mut path: Vec<PathStep> = Vec::new();
        let mut entered: FxHashMap<Ids, u8> = FxHashMap::default();
        // Each place on the way with a number of its own, and which pairs were met there.
        let mut places: Vec<usize> = vec![0];
        let mut met: FxHashSet<(PairId, usize)> = FxHashSet::default();
        let mut unknown: FxHashSet<PairId> = FxHashSet::default();
        let mut told: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
        let mut declared: FxHashMap<usize, Ids> = FxHashMap::default();
        let mut steps = 0;
        let mut todo = vec![PathTask::Enter(start, None)];
        let mut visits = 0;
        while let Some(task) = todo.pop() {
            let (at, step) = match task {
                PathTask::Enter(at, step) => (at, step),
                PathTask::Leave(at, is_step) => {
                    if is_step {
                        path.pop();
                        places.pop();
                    }
                    entered.entry(at).and_modify(|times| *times -= 1);
                    continue;
                }
            };
            let Some(pair) = comparison.pairs.get(at) else { continue };
            let Some((old, _)) = comparison.ids.get(at) else { continue };
            let place = meant(comparison.both.old, old);
            // Several clauses may lead to a pair at the same place.
            let here = if step.is_some() { visits + 1 } else { places.last().copied().unwrap_or_default() };
            if !met.insert((at, here)) {
                continue;
            }
            let times = entered.entry(place.clone()).or_default();
            visits += 1;
            if *times >= REPEATED {
                continue;
            }
            if visits > VISITS || self.changes.len() + self.documentation.len() > CHANGES || steps > STEPS {
                self.is_cut = true;
                break;
            }
            *times += 1;
            todo.push(PathTask::Leave(place, step.is_some()));
            if let Some(step) = step {
                path.push(step);
                places.push(here);
            }
            if pair.own.is_unknown {
                unknown.insert(at);
            }
            if let Some(change) = &pair.own.documentation {
                steps += path.len();
                let change = Change { path: Path(path.clone()), ..change.clone() };
                // Several nodes may describe one place.
                if self.documentation.last().is_none_or(|last| last.path != change.path) {
                    self.documentation.push(change);
                }
            }
            for (index, (step, change)) in pair.own.changes.iter().enumerate() {
                steps += path.len();
                let mut whole = path.clone();
                let parent = path.clone();
                whole.extend(step.clone());
                let mut change = Change { path: Path(whole), ..change.clone() };
                if let Some(renamed) = &mut change.renamed {
                    renamed.to.0.splice(0..0, parent);
                }
                let at = pair.own.declared.partition_point(|(of, _)| *of < index);
                let ids = pair.own.declared.get(at).filter(|(of, _)| *of == index);
                if let (Some(told), Some((_, ids))) = (self.tell(change, &mut told), ids) {
                    declared.insert(told, ids.clone());
                }
            }
            let leads = pair.below.iter().rev();
            todo.extend(
                leads.filter(|(_, to)| is_worth(comparison, *to)).map(|(step, to)| PathTask::Enter(*to, step.clone())),
            );
        }
        self.unknown = unknown.len();
        if !self.is_cut {
            let both = &comparison.both;
            self.old_keys = moved::tell((both.old, both.new), &both.evidence, &mut self.changes, &declared);
            let root = comparison.ids.get(start).map(|(_, new)| new.clone()).unwrap_or_default();
            for key in &mut self.old_keys {
                key.is_elsewhere = moved::is_left(both.new, &root, &key.path);
            }
        }
        self
    }

    /// Adds a change, unless alternatives of the schema said the same already. Returns its index if it is added.
    fn tell(&mut self, change: Change, told: &mut FxHashMap<u64, Vec<usize>>) -> Option<usize> {
        let mut hasher = FxHasher::default();
        (&change.path, change.kind, change.keyword).hash(&mut hasher);
        let known = told.entry(hasher.finish()).or_default();
        for index in known.iter() {
            if let Some(other) = self.changes.get_mut(*index)
                && (&other.path, other.kind, other.keyword) == (&change.path, change.kind, change.keyword)
            {
                other.breaks = other.breaks.or(change.breaks);
                return None;
            }
        }
        let index = self.changes.len();
        known.push(index);
        self.changes.push(change);
        Some(index)
    }
}

/// Whether there is something to tell at a pair or below.
fn is_worth(comparison: &Comparison<'_>, at: PairId) -> bool {
    comparison.pairs.get(at).is_some_and(|pair| pair.is_changed || pair.is_described_anew || pair.own.is_unknown)
}
