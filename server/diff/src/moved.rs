//! Finds out which removed keys are in another place now: below another key, above it, in another map.
//!
//! All that is gone and all that is new is looked at, with what is below: a map may be gone with a key in it that moved, and
//! one that has another place or name may have lost or won keys. What is compared with what follows from names and texts, so
//! that nothing is compared with everything; and of two places that are equally good neither is named.

mod candidates;
mod score;
mod side;

use crate::change::{Change, Fate, Kind, OldKey, Path, PathStep, Renamed};
use crate::evidence::Evidence;
use crate::names::names;
use crate::place::{DeclaredAt, Described, Ids};
use crate::renamed::{Candidate, Chosen, certainty, choose, new_names};
use lofting_document::Key;
use lofting_schema::Schema;
use rustc_hash::{FxHashMap, FxHashSet};
use score::Forms;
use side::{DEPTH, OldOrNew, PLACES, Side, State};

/// What is less certain than this, in percent, is not reported.
const LEAST: usize = 65;

/// Of two possibilities that differ by less, neither is named.
const MARGIN: usize = 9;

/// How often what moved is looked through for what moved out of it.
const ROUNDS: usize = 6;

/// Says in the changes what has probably moved where. `declared` has the nodes of the keys that are gone or new. Returns
/// everything that is gone or has moved, in an order in which it can be moved.
pub(crate) fn tell(
    (old, new): (&Schema, &Schema),
    evidence: &Evidence,
    changes: &mut [Change],
    declared: &FxHashMap<usize, Ids>,
) -> Vec<OldKey> {
    let is_gone = |change: &Change| matches!(change.kind, Kind::Removed | Kind::RenamedTo);
    if !changes.iter().any(is_gone) {
        return Vec::new();
    }
    let mut moves = Moves {
        evidence,
        gone: Side { schema: old, places: Vec::new(), is_full: false },
        fresh: Side { schema: new, places: Vec::new(), is_full: false },
        found: Vec::new(),
        known: FxHashSet::default(),
        forms: <(Forms, Forms)>::default(),
    };
    let by_path: FxHashMap<&Path, usize> = changes
        .iter()
        .enumerate()
        .filter(|(index, change)| !is_gone(change) && declared.contains_key(index))
        .map(|(index, change)| (&change.path, index))
        .collect();
    let mut renamed: Vec<(usize, usize)> = Vec::new();
    for (index, change) in changes.iter().enumerate().filter(|(_, change)| is_gone(change)) {
        let Some(ids) = declared.get(&index) else { continue };
        match change.renamed.as_ref().map(|renamed| by_path.get(&renamed.to)) {
            Some(Some(to)) => renamed.push((index, *to)),
            Some(None) => {}
            None => moves.gone.add(change.path.0.clone(), change.path.0.clone(), ids.clone(), index),
        }
    }
    let key = |index: &usize| {
        let change = changes.get(*index)?;
        let fate = Fate::Moved(change.renamed.clone()?);
        Some(OldKey { was: change.path.clone(), path: change.path.clone(), fate, is_elsewhere: false })
    };
    let beside: Vec<OldKey> = renamed.iter().filter_map(|(from, _)| key(from)).collect();
    let targets: FxHashSet<usize> = renamed.iter().map(|(_, to)| *to).collect();
    for (index, change) in changes.iter().enumerate() {
        if let Some(ids) = declared.get(&index).filter(|_| !is_gone(change) && !targets.contains(&index)) {
            moves.fresh.add(change.path.0.clone(), Vec::new(), ids.clone(), index);
        }
    }
    for (from, to) in renamed {
        if let (Some(before), Some(after)) = (declared.get(&from), declared.get(&to))
            && let (Some(change), Some(target)) = (changes.get(from), changes.get(to))
        {
            moves.known.extend(last_names(&change.path.0, &target.path.0));
            moves.look_inside((&change.path.0, before), (&target.path.0, after), from);
        }
    }
    for _ in 0..ROUNDS {
        if !moves.round() {
            break;
        }
    }
    moves.say(beside, changes)
}

/// The places of both schemas, while those that are one are chosen.
struct Sides<'s, 'a> {
    gone: &'s mut Side<'a>,
    fresh: &'s mut Side<'a>,
    taken: Vec<Candidate>,
}

impl Chosen for Sides<'_, '_> {
    fn is_free(&self, candidate: &Candidate) -> bool {
        self.gone.is_free(candidate.old) && self.fresh.is_free(candidate.new)
    }

    fn take(&mut self, candidate: Candidate) {
        self.gone.take(candidate.old);
        self.fresh.take(candidate.new);
        self.taken.push(candidate);
    }
}

struct Moves<'a> {
    evidence: &'a Evidence,
    gone: Side<'a>,
    fresh: Side<'a>,
    /// The place before, the place after, and how certain that is.
    found: Vec<(usize, usize, u8)>,
    /// Names that keys had, each with one that such a key has now. What was renamed once was probably renamed everywhere.
    known: FxHashSet<(String, String)>,
    /// The forms of what is left on either side.
    forms: (Forms, Forms),
}

impl Moves<'_> {
    /// Collects what is gone from a map that has another place, and what is new in it.
    fn look_inside(&mut self, old: (&[PathStep], &Ids), new: (&[PathStep], &Ids), change: usize) {
        let mut todo = vec![(old.0.to_vec(), new.0.to_vec(), old.1.clone(), new.1.clone())];
        let mut looks = 0;
        while let Some((was, is, before, after)) = todo.pop() {
            looks += 1;
            if looks > PLACES || was.len() > old.0.len() + DEPTH {
                continue;
            }
            let (before, after) = (Described::of(self.gone.schema, &before), Described::of(self.fresh.schema, &after));
            let step = |path: &[PathStep], step: &PathStep| [path, std::slice::from_ref(step)].concat();
            let key = |key: &Key| PathStep::Key(key.clone());
            for at in &before.keys {
                if let Some(other) = after.by_key.get(&at.key).and_then(|index| after.keys.get(*index)) {
                    let (was, is) = (step(&was, &key(&at.key)), step(&is, &key(&at.key)));
                    todo.push((was, is, at.below.clone(), other.below.clone()));
                }
            }
            let gone: Vec<&DeclaredAt> = before.keys.iter().filter(|at| !after.by_key.contains_key(&at.key)).collect();
            let fresh: Vec<&DeclaredAt> = after.keys.iter().filter(|at| !before.by_key.contains_key(&at.key)).collect();
            let renamed = new_names(&before, &after, &gone, &fresh, self.evidence);
            let mut of_gone: FxHashMap<&Key, usize> = FxHashMap::default();
            for at in &gone {
                of_gone.insert(&at.key, self.gone.places.len());
                self.gone.add(step(&was, &key(&at.key)), step(&is, &key(&at.key)), at.below.clone(), change);
            }
            let mut of_fresh: FxHashMap<&Key, usize> = FxHashMap::default();
            for at in &fresh {
                of_fresh.insert(&at.key, self.fresh.places.len());
                self.fresh.add(step(&is, &key(&at.key)), Vec::new(), at.below.clone(), change);
            }
            for name in renamed {
                let (Some(from), Some(to)) = (of_gone.get(&name.old).copied(), of_fresh.get(&name.new).copied()) else {
                    continue;
                };
                let (Some(old), Some(new)) = (self.gone.places.get(from), self.fresh.places.get(to)) else { continue };
                self.known.extend(last_names(&old.path, &new.path));
                todo.push((old.path.clone(), new.path.clone(), old.ids.clone(), new.ids.clone()));
                self.found.push((from, to, name.certainty));
                self.gone.take(from);
                self.fresh.take(to);
            }
            if let (Some((before, _)), Some((after, _))) = (&before.items, &after.items) {
                let items = PathStep::Items;
                todo.push((step(&was, &items), step(&is, &items), before.clone(), after.clone()));
            }
        }
    }

    /// Looks for moves among what is left; whether there are any.
    fn round(&mut self) -> bool {
        let prints = &self.evidence.prints;
        self.forms = (score::forms(&self.gone, &prints.old), score::forms(&self.fresh, &prints.new));
        let mut candidates = self.candidates();
        candidates.retain(|candidate| candidate.score >= LEAST);
        // What moves with a key around it does not move on its own.
        let depth = |at: &Candidate| self.gone.places.get(at.old).map_or(0, |place| place.path.len());
        candidates.sort_by_key(|at| (depth(at), usize::MAX - at.score, at.old, at.new));
        let mut both = Sides { gone: &mut self.gone, fresh: &mut self.fresh, taken: Vec::new() };
        choose(&candidates, MARGIN, &mut both);
        let taken = both.taken;
        for at in &taken {
            let (Some(from), Some(to)) = (self.gone.places.get(at.old), self.fresh.places.get(at.new)) else {
                continue;
            };
            let (was, before, change) = (from.path.clone(), from.ids.clone(), from.change);
            let (is, after) = (to.path.clone(), to.ids.clone());
            self.found.push((at.old, at.new, certainty(at.score)));
            self.known.extend(last_names(&was, &is));
            self.look_inside((&was, &before), (&is, &after), change);
        }
        !taken.is_empty()
    }

    /// Writes what was found into the changes, and adds it to the keys that have other names.
    fn say(&self, mut keys: Vec<OldKey>, changes: &mut [Change]) -> Vec<OldKey> {
        let key = |place: &OldOrNew, fate: Fate| OldKey {
            was: Path(place.path.clone()),
            path: Path(place.now.clone()),
            fate,
            is_elsewhere: false,
        };
        for (from, to, certainty) in &self.found {
            let (Some(gone), Some(fresh)) = (self.gone.places.get(*from), self.fresh.places.get(*to)) else { continue };
            let Some(change) = changes.get_mut(gone.change) else { continue };
            let renamed = Renamed { to: Path(fresh.path.clone()), certainty: *certainty };
            let moved = key(gone, Fate::Moved(renamed.clone()));
            if gone.path == change.path.0 {
                change.kind = if *certainty == 100 { Kind::RenamedTo } else { change.kind };
                change.renamed = Some(renamed);
            } else {
                change.moved.push(moved.clone());
            }
            keys.push(moved);
        }
        // What is moved below a certain key is not moved once more as below any key.
        keys.sort_by_key(|key| key.path.0.contains(&PathStep::AnyKey));
        // What is left, and what nothing is left of: from the inside.
        let mut emptied = Vec::new();
        for place in &self.gone.places {
            let around = place.parent.and_then(|parent| self.gone.places.get(parent));
            match (place.state, around.map(|around| around.state)) {
                (State::Free, Some(State::Opened) | None) => keys.push(key(place, Fate::Gone)),
                (State::Opened, _) => emptied.push(key(place, Fate::Emptied)),
                _ => {}
            }
        }
        keys.extend(emptied.into_iter().rev());
        keys
    }
}

/// Whether a path with `*` leads to a key of a schema, if any key may stand for `*`, and not only those that are not declared.
pub(crate) fn is_left(schema: &Schema, root: &Ids, path: &Path) -> bool {
    if !path.0.contains(&PathStep::AnyKey) {
        return false;
    }
    let mut here: Vec<Ids> = vec![root.clone()];
    for step in &path.0 {
        let below = |at: &Ids| {
            let place = Described::of(schema, at);
            match step {
                PathStep::Key(key) => {
                    let index = place.by_key.get(key).copied();
                    index.and_then(|index| place.keys.get(index)).map(|at| at.below.clone()).into_iter().collect()
                }
                PathStep::AnyKey => {
                    let declared = place.keys.iter().map(|at| at.below.clone());
                    declared.chain(place.others.iter().map(|rule| rule.below.clone())).collect::<Vec<Ids>>()
                }
                PathStep::Items => place.items.iter().map(|(items, _)| items.clone()).collect(),
            }
        };
        let mut seen: FxHashSet<Ids> = FxHashSet::default();
        here = here.iter().flat_map(below).filter(|ids| seen.insert(ids.clone())).collect();
    }
    !here.is_empty()
}

/// The names at the end of two paths, if they differ.
fn last_names(old: &[PathStep], new: &[PathStep]) -> Option<(String, String)> {
    Some((names(old).pop()?, names(new).pop()?)).filter(|(old, new)| old != new)
}
