//! Finds out which removed keys are in another place now: below another key, above it, in another map.
//!
//! All that is gone and all that is new is looked at, with what is below: a map may be gone with a key in it that moved, and
//! one that has another place or name may have lost or won keys. What is compared with what follows from names and texts, so
//! that nothing is compared with everything; and of two places that are equally good neither is named.

use crate::change::{Change, Fate, Kind, OldKey, Path, PathStep, Renamed};
use crate::evidence::{Evidence, is_flag, likeness_of_texts, names, plain_text, text, told};
use crate::place::{Described, Ids};
use crate::renamed::{Candidate, Chosen, Likeness, TOLD, certainty, choose, likeness_of_names};
use lofting_document::{Key, Node, NodeValue};
use lofting_schema::Schema;
use lofting_schema::compare::equal;
use rustc_hash::{FxHashMap, FxHashSet};

/// What is less certain than this, in percent, is not reported.
const LEAST: usize = 65;

/// Of two possibilities that differ by less, neither is named.
const MARGIN: usize = 9;

/// How many places are looked at on either side, and how many steps below a key that is gone or new.
const PLACES: usize = 20_000;
const DEPTH: usize = 8;

/// How many places with one name are compared with each other.
const ALIKE: usize = 30;

/// How many names at the end of a path may have become one name: `image.tag` and `imageTag`.
const JOINED: usize = 3;

/// How often what moved is looked through for what moved out of it.
const ROUNDS: usize = 6;

/// Something that is gone, or new.
struct OldOrNew {
    /// Its path in its schema.
    path: Vec<PathStep>,
    /// For what is gone: its path once the keys around it have moved.
    now: Vec<PathStep>,
    ids: Ids,
    /// The change that it belongs to.
    change: usize,
    /// The place around it that is gone or new as well.
    parent: Option<usize>,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Free,
    /// It is in another place, or what is around it is.
    Taken,
    /// Something in it is in another place.
    Opened,
}

/// The places of one schema.
struct Side<'s> {
    schema: &'s Schema,
    places: Vec<OldOrNew>,
    /// Whether there are too many, so that only keys that are gone or new themselves are looked at.
    is_full: bool,
}

impl Side<'_> {
    /// Adds a key and what is below.
    fn add(&mut self, path: Vec<PathStep>, now: Vec<PathStep>, ids: Ids, change: usize) {
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

    fn is_free(&self, index: usize) -> bool {
        self.places.get(index).is_some_and(|place| place.state == State::Free)
    }

    /// Notes that a place has gone elsewhere, with all in it.
    fn take(&mut self, index: usize) {
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
            for at in &before.keys {
                let key = PathStep::Key(at.key.clone());
                let (was, is) = (step(&was, &key), step(&is, &key));
                match after.by_key.get(&at.key).and_then(|index| after.keys.get(*index)) {
                    Some(other) => todo.push((was, is, at.below.clone(), other.below.clone())),
                    None => self.gone.add(was, is, at.below.clone(), change),
                }
            }
            for at in after.keys.iter().filter(|at| !before.by_key.contains_key(&at.key)) {
                let path = step(&is, &PathStep::Key(at.key.clone()));
                self.fresh.add(path, Vec::new(), at.below.clone(), change);
            }
            if let (Some((before, _)), Some((after, _))) = (&before.items, &after.items) {
                let items = PathStep::Items;
                todo.push((step(&was, &items), step(&is, &items), before.clone(), after.clone()));
            }
        }
    }

    /// Looks for moves among what is left; whether there are any.
    fn round(&mut self) -> bool {
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

    /// The places that may be the same, with points.
    fn candidates(&self) -> Vec<Candidate> {
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

    /// The points for two places being one that moved; None if that cannot be.
    fn score(&self, old: &OldOrNew, new: &OldOrNew) -> Option<usize> {
        let common = old.now.iter().zip(&new.path).take_while(|(one, other)| one == other).count();
        let (from, to) = (old.now.get(common..)?, new.path.get(common..)?);
        // A plan moves nothing out of an item of an array, nor out of what any key leads to, and nothing into itself.
        let is_key = |step: &PathStep| matches!(step, PathStep::Key(_));
        if from.is_empty() || to.is_empty() || !from.iter().chain(to).all(is_key) {
            return None;
        }
        let (before, after) = (Described::of(self.gone.schema, &old.ids), Described::of(self.fresh.schema, &new.ids));
        if before.is_unknown || after.is_unknown || before.kinds != after.kinds {
            return None;
        }
        let (old_names, new_names) = (names(&old.path), names(&new.path));
        let (old_name, new_name) = (old_names.last()?, new_names.last()?);
        if says(&before, new, old_name) || says(&after, old, new_name) {
            return Some(TOLD);
        }
        let joined = |names: &[PathStep]| crate::evidence::names(names).concat();
        let is_joined = joined(from) == joined(to);
        let likeness = likeness_of_names(old_name, new_name);
        let mut points: usize = match likeness {
            _ if is_joined => 50,
            Likeness::Same => 40,
            _ if self.known.contains(&(old_name.clone(), new_name.clone())) && from.len() == 1 && to.len() == 1 => 55,
            Likeness::Part => 15,
            Likeness::Some | Likeness::None => 0,
        };
        let mut doubts: usize = 0;
        let is_flag = is_flag(&before);
        // Up or down, within one map.
        let is_in_line = from.len() == 1 || to.len() == 1;
        points += if is_in_line && !is_flag { 15 } else { 5 * usize::from(is_in_line) };
        let around = |names: &[String]| names.len().checked_sub(2).and_then(|at| names.get(at).cloned());
        let is_same_map = around(&old_names).is_some_and(|name| around(&new_names) == Some(name));
        points += if is_same_map && likeness == Likeness::Same { 15 } else { 0 };
        if self.evidence.is_only_name(old_name, new_name) && matches!(likeness, Likeness::Same) {
            points += if is_flag { 5 } else { 15 };
        }
        points += if is_joined || likeness == Likeness::Same && is_made_of_words(new.path.last()) { 10 } else { 0 };
        let mut is_told = false;
        match (text(&before), text(&after)) {
            (Some(one), Some(other)) if one == other && self.evidence.is_only_text(&one) => {
                points += 40;
                is_told = self.evidence.is_only_name(old_name, new_name);
            }
            (Some(one), Some(other)) if one == other => points += 15,
            (Some(one), Some(other)) => match likeness_of_texts(&one, &other) {
                likeness if likeness > 0.8 => points += 20,
                likeness if likeness < 0.4 => doubts += 30,
                _ => {}
            },
            _ => {}
        }
        let content = self.evidence.points_for_content(&before, &after);
        let has_keys = !before.keys.is_empty() && !after.keys.is_empty();
        if has_keys && content == 0 {
            doubts += 25;
        }
        // Several keys with names that are nowhere else.
        let is_telling = content > 30;
        points += if is_telling || self.evidence.is_rare(&old.ids, &new.ids) { content } else { content.min(5) };
        is_told |= is_telling;
        if let (Some(one), Some(other)) = (before.default, after.default) {
            match equal(&one.value, &other.value) {
                Some(true) if says_something(&one.value) => points += 15,
                Some(true) => points += 5,
                _ if is_flag => doubts += 15,
                _ => doubts += 5,
            }
        }
        // A map that is gone and another one that is new often have keys of the same names.
        if old.parent.is_some() && new.parent.is_some() && !is_joined && !is_told && !are_alike_above(from, to) {
            return None;
        }
        Some(points.saturating_sub(doubts))
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

/// What two places have in common that may be one.
#[derive(PartialEq, Eq, Hash)]
enum Clue {
    /// The name, or several at the end of the path as one.
    Name(String),
    Text(String),
    /// What is below, as a number: for maps.
    Content(u64),
}

fn clues(schema: &Schema, place: &OldOrNew, prints: &[u64]) -> Vec<Clue> {
    let names = names(&place.path);
    let tails = (1..=JOINED.min(names.len())).map(|length| Clue::Name(names[names.len() - length..].concat()));
    let here = Described::of(schema, &place.ids);
    let text = text(&here).map(Clue::Text);
    let content = match &place.ids[..] {
        [id] if here.keys.len() > 1 => prints.get(id.0 as usize).copied().map(Clue::Content),
        _ => None,
    };
    tails.chain(text).chain(content).collect()
}

/// The names at the end of two paths, if they differ.
fn last_names(old: &[PathStep], new: &[PathStep]) -> Option<(String, String)> {
    Some((names(old).pop()?, names(new).pop()?)).filter(|(old, new)| old != new)
}

/// Whether the maps around two places are probably one, by their names.
fn are_alike_above(from: &[PathStep], to: &[PathStep]) -> bool {
    let (from, to) = (names(from), names(to));
    let same = from.iter().rev().zip(to.iter().rev()).take_while(|(one, other)| one == other).count();
    let above = |names: &[String]| names.len().checked_sub(same + 1).and_then(|at| names.get(at).cloned());
    same > 0
        && match (above(&from), above(&to)) {
            (Some(one), Some(other)) => matches!(likeness_of_names(&one, &other), Likeness::Same | Likeness::Part),
            _ => true,
        }
}

/// Whether a text of one place names the path of the other, or its name if the two are called differently.
fn says(place: &Described<'_>, other: &OldOrNew, own_name: &str) -> bool {
    let path: Vec<String> = names(&other.path);
    let Some(name) = path.last() else { return false };
    told(place).iter().any(|named| {
        let named: Vec<String> = named.split('.').map(plain_text).collect();
        let is_end = path.ends_with(&named);
        is_end && (named.len() > 1 || name != own_name && name.len() > 2)
    })
}

/// Whether a name consists of several words, so that it is hardly used for two things: `adminPassword`.
fn is_made_of_words(step: Option<&PathStep>) -> bool {
    let Some(PathStep::Key(Key::String(name))) = step else { return false };
    let mut chars = name.chars().skip(1);
    name.len() > 5 && chars.any(|c| c.is_uppercase() || matches!(c, '_' | '-'))
}

/// Whether a default is hardly that of two things.
fn says_something(value: &Node) -> bool {
    match &value.value {
        NodeValue::Null | NodeValue::Bool(_) => false,
        NodeValue::Int(number) => *number > 9,
        NodeValue::Float(_) => true,
        NodeValue::String(text) => text.len() > 2,
        NodeValue::Map(items) => items.len() > 1,
        NodeValue::Array(items) => !items.is_empty(),
        NodeValue::Unknown => false,
    }
}
