//! What is gone from one schema, or new in the other, with all that is below it.

use crate::change::PathStep;
use crate::place::{Described, Ids};
use lofting_schema::Schema;
use rustc_hash::FxHashSet;

/// How many places are looked at on either side, and how many steps below a key that is gone or new.
pub(super) const PLACES: usize = 20_000;
pub(super) const DEPTH: usize = 8;

/// Something that is gone, or new.
pub(super) struct OldOrNew {
    /// Its path in its schema.
    pub path: Vec<PathStep>,
    /// For what is gone: its path once the keys around it have moved.
    pub now: Vec<PathStep>,
    pub ids: Ids,
    /// The change that it belongs to.
    pub change: usize,
    /// The place around it that is gone or new as well.
    pub parent: Option<usize>,
    pub state: State,
}

impl OldOrNew {
    /// What is below it, as a number; None if several nodes describe it. `prints`: those of its schema.
    pub fn form(&self, prints: &[u64]) -> Option<u64> {
        match &self.ids[..] {
            [id] => prints.get(id.0 as usize).copied(),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Free,
    /// It is in another place, or what is around it is.
    Taken,
    /// Something in it is in another place.
    Opened,
}

/// The places of one schema.
pub(super) struct Side<'s> {
    pub schema: &'s Schema,
    pub places: Vec<OldOrNew>,
    /// Whether there are too many, so that only keys that are gone or new themselves are looked at.
    pub is_full: bool,
}

impl Side<'_> {
    /// Adds a key and what is below.
    pub fn add(&mut self, path: Vec<PathStep>, now: Vec<PathStep>, ids: Ids, change: usize) {
        let mut todo = vec![(OldOrNew { path, now, ids, change, parent: None, state: State::Free }, 0)];
        while let Some((place, depth)) = todo.pop() {
            if depth > 0 && self.places.len() >= PLACES {
                self.is_full = true;
                return;
            }
            let index = self.places.len();
            if depth < DEPTH {
                let here = Described::of(self.schema, &place.ids);
                todo.extend(here.keys.iter().rev().map(|at| {
                    let beneath = |path: &[PathStep]| [path, &[PathStep::Key(at.key.clone())]].concat();
                    let (path, now) = (beneath(&place.path), beneath(&place.now));
                    let (ids, parent) = (at.below.clone(), Some(index));
                    (OldOrNew { path, now, ids, change, parent, state: State::Free }, depth + 1)
                }));
            }
            self.places.push(place);
        }
    }

    pub fn is_free(&self, index: usize) -> bool {
        self.places.get(index).is_some_and(|place| place.state == State::Free)
    }

    /// Notes that a place has gone elsewhere, with all in it.
    pub fn take(&mut self, index: usize) {
        let mut above = self.places.get(index).and_then(|place| place.parent);
        while let Some(place) = above.and_then(|above| self.places.get_mut(above)) {
            place.state = State::Opened;
            above = place.parent;
        }
        // What is below a place comes directly after it.
        let mut inside = FxHashSet::from_iter([index]);
        for (at, place) in self.places.iter_mut().enumerate().skip(index) {
            if at > index && !place.parent.is_some_and(|parent| inside.contains(&parent)) {
                break;
            }
            inside.insert(at);
            place.state = State::Taken;
        }
    }
}
