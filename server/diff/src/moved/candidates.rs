//! Which places are compared with which: those that have something in common, so that nothing is compared with everything.

use super::Moves;
use super::score::REARRANGED;
use super::side::{OldOrNew, Side, State};
use crate::change::PathStep;
use crate::evidence::{text, told};
use crate::names::{names, plain, plain_text, rearranged, words_of_path};
use crate::place::Described;
use crate::renamed::Candidate;
use lofting_schema::Schema;
use rustc_hash::{FxHashMap, FxHashSet};

/// How many places with one name are compared with each other.
const ALIKE: usize = 30;

/// How many names at the end of a path may have become one name: `image.tag` and `imageTag`.
const JOINED: usize = 3;

/// How many maps may have a key of one name, if that name is to tell which map it is.
const FEW: usize = 5;

/// How many keys of a map are looked at to find a map that has the same ones.
const KEYS: usize = 200;

impl Moves<'_> {
    /// The places that may be the same, with points.
    pub(super) fn candidates(&self) -> Vec<Candidate> {
        let is_full = self.gone.is_full || self.fresh.is_full;
        let left = |side: &'_ Side<'_>| -> Vec<usize> {
            let places = side.places.iter().enumerate();
            let is_left = |place: &OldOrNew| place.state == State::Free && (!is_full || place.parent.is_none());
            places.filter(|(_, place)| is_left(place)).map(|(index, _)| index).collect()
        };
        let (gone, fresh) = (left(&self.gone), left(&self.fresh));
        let index = |side: &Side<'_>, left: &[usize], prints: &[u64]| {
            let mut index: FxHashMap<Clue, Vec<usize>> = FxHashMap::default();
            for at in left {
                for clue in side.places.get(*at).into_iter().flat_map(|place| clues(side.schema, place, prints)) {
                    index.entry(clue).or_default().push(*at);
                }
            }
            index
        };
        let (by_old, by_new) = (
            index(&self.gone, &gone, &self.evidence.prints.old),
            index(&self.fresh, &fresh, &self.evidence.prints.new),
        );
        let mut pairs: FxHashSet<(usize, usize)> = FxHashSet::default();
        for (clue, old) in &by_old {
            let new = by_new.get(clue).map(Vec::as_slice).unwrap_or_default();
            if old.len() <= ALIKE && new.len() <= ALIKE {
                pairs.extend(old.iter().flat_map(|old| new.iter().map(move |new| (*old, *new))));
            } else {
                pairs.extend(self.in_the_same_map(old, new));
            }
        }
        for (old, new) in &self.known {
            let places = |index: &FxHashMap<Clue, Vec<usize>>, name: &String| {
                index.get(&Clue::Name(name.clone())).cloned().unwrap_or_default()
            };
            pairs.extend(self.in_the_same_map(&places(&by_old, old), &places(&by_new, new)));
        }
        pairs.extend(self.with_the_same_keys(&gone, &fresh));
        // What is gone and what is new in the same map; of what is further below, what has words in common.
        pairs.extend(self.in_the_same_map(&gone, &fresh).into_iter().filter(|(old, new)| {
            let (Some(old), Some(new)) = (self.gone.places.get(*old), self.fresh.places.get(*new)) else {
                return false;
            };
            old.parent.is_none() || rearranged(&old.path, &new.path) >= REARRANGED
        }));
        // What texts name.
        for (side, left, others) in [(&self.gone, &gone, &by_new), (&self.fresh, &fresh, &by_old)] {
            let is_gone = std::ptr::eq(side, &self.gone);
            for at in left.iter() {
                let Some(place) = side.places.get(*at) else { continue };
                for named in told(&Described::of(side.schema, &place.ids)) {
                    let last = named.rsplit('.').next().unwrap_or_default();
                    let found = others.get(&Clue::Name(plain_text(last))).map(Vec::as_slice).unwrap_or_default();
                    let found = found.iter().take(ALIKE);
                    pairs.extend(found.map(|other| if is_gone { (*at, *other) } else { (*other, *at) }));
                }
            }
        }
        let mut pairs: Vec<(usize, usize)> = pairs.into_iter().collect();
        pairs.sort_unstable();
        let scored = pairs.into_iter().filter_map(|(old, new)| {
            let score = self.score(self.gone.places.get(old)?, self.fresh.places.get(new)?)?;
            Some(Candidate { old, new, score })
        });
        scored.collect()
    }

    /// Maps of which several keys have the same names, each of which few maps have.
    fn with_the_same_keys(&self, gone: &[usize], fresh: &[usize]) -> Vec<(usize, usize)> {
        let by_key = |side: &Side<'_>, left: &[usize]| {
            let mut maps: FxHashMap<String, Vec<usize>> = FxHashMap::default();
            for at in left {
                let Some(place) = side.places.get(*at) else { continue };
                for declared in Described::of(side.schema, &place.ids).keys.iter().take(KEYS) {
                    maps.entry(plain(&declared.key)).or_default().push(*at);
                }
            }
            maps
        };
        let (before, after) = (by_key(&self.gone, gone), by_key(&self.fresh, fresh));
        let mut shared: FxHashMap<(usize, usize), usize> = FxHashMap::default();
        for (name, old) in &before {
            let Some(new) = after.get(name).filter(|new| new.len() <= FEW && old.len() <= FEW) else { continue };
            for pair in old.iter().flat_map(|old| new.iter().map(move |new| (*old, *new))) {
                *shared.entry(pair).or_default() += 1;
            }
        }
        shared.into_iter().filter(|(_, count)| *count > 1).map(|(pair, _)| pair).collect()
    }

    /// Of many places with one name, those of which one is below the map of the other.
    fn in_the_same_map(&self, old: &[usize], new: &[usize]) -> Vec<(usize, usize)> {
        let mut above: FxHashMap<&[PathStep], Vec<usize>> = FxHashMap::default();
        for at in new {
            let Some(place) = self.fresh.places.get(*at) else { continue };
            for end in 0..place.path.len() {
                above.entry(place.path.get(..end).unwrap_or_default()).or_default().push(*at);
            }
        }
        let mut found = Vec::new();
        for at in old {
            let Some(place) = self.gone.places.get(*at) else { continue };
            // From the inside, up to the first map with any.
            let ends = (0..place.now.len()).rev().map(|end| place.now.get(..end).unwrap_or_default());
            let nearest = ends.filter_map(|map| above.get(map)).next();
            found.extend(nearest.filter(|near| near.len() <= ALIKE).into_iter().flatten().map(|near| (*at, *near)));
        }
        found
    }
}

/// What two places have in common that may be one.
#[derive(PartialEq, Eq, Hash)]
enum Clue {
    /// The name, or several at the end of the path as one.
    Name(String),
    Text(String),
    /// The words of the last names, in the order of the alphabet.
    Words(Vec<String>),
    /// What is below, as a number: for maps.
    Content(u64),
}

fn clues(schema: &Schema, place: &OldOrNew, prints: &[u64]) -> Vec<Clue> {
    let names = names(&place.path);
    let tails = (1..=JOINED.min(names.len())).map(|length| Clue::Name(names[names.len() - length..].concat()));
    let here = Described::of(schema, &place.ids);
    let text = text(&here).map(Clue::Text);
    let content = place.form(prints).filter(|_| here.keys.len() > 1).map(Clue::Content);
    let words = (1..=JOINED).filter_map(|length| {
        let tail = place.path.get(place.path.len().checked_sub(length)?..)?;
        let mut words = words_of_path(tail);
        words.sort_unstable();
        (words.len() > 1).then_some(Clue::Words(words))
    });
    tails.chain(text).chain(words).chain(content).collect()
}
