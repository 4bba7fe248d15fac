//! Places where code may read what is moved without naming it.

use super::{Why, Work, after_move, begins, is_below};
use crate::path::Path;
use crate::plan::Move;
use lofting_eval::code::{Code, Meaning, PathId, TermId, ValueStep};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

pub(super) fn look(work: &mut Work<'_>) {
    let values = &work.code.values;
    let mut found: Vec<(Range<usize>, Path, Why)> = Vec::new();
    let escaped: HashSet<PathId> = values.escapes.iter().map(|escape| escape.path).collect();
    for escape in &values.escapes {
        let path = inside(&values.steps(escape.path), work.moves);
        found.extend(path.map(|path| (escape.range.clone(), path.clone(), Why::Passed)));
    }
    let places = first_places(work.code);
    let place = |path: PathId| places.get(&path).or(work.code.pieces.first().map(|(piece, _)| piece)).cloned();
    let count = u32::try_from(values.paths.len()).unwrap_or(u32::MAX);
    for path in (0..count).map(PathId) {
        let is_unseen = values.is_unfollowed(path) && !escaped.contains(&path);
        let computed = values.child(path, &ValueStep::Item);
        if !is_unseen && computed.is_none() {
            continue;
        }
        let steps = values.steps(path);
        let Some(inside) = inside(&steps, work.moves) else { continue };
        if let Some(place) = place(path).filter(|_| is_unseen) {
            found.push((place, inside.clone(), Why::Passed));
        }
        // Items of an array are not computed keys.
        let is_array = inside.0.get(steps.len()).is_some_and(crate::path::Step::is_many);
        let item = computed.filter(|_| !is_array);
        if let Some(place) = item.and_then(|item| places.get(&item).cloned().or_else(|| place(path))) {
            found.push((place, inside.clone(), Why::Computed));
        }
    }
    found.into_iter().for_each(|(range, path, why)| work.leave(&range, &path, why));
}

/// The first expression for the value at each path.
fn first_places(code: &Code) -> HashMap<PathId, Range<usize>> {
    let mut places = HashMap::new();
    for (id, term) in (0..).map(TermId).zip(&code.terms) {
        if let Meaning::Values(path, _) = code.values.meaning(id).0 {
            places.entry(*path).or_insert_with(|| term.range.clone());
        }
    }
    places
}

/// What is moved within the value at a path.
pub(super) fn inside<'m>(path: &[ValueStep], moves: &'m [Move]) -> Option<&'m Path> {
    let mut path = path.to_vec();
    for step in moves {
        if is_below(step.path(), &path) {
            return Some(step.path());
        }
        match step {
            Move::Key { from, to } if begins(&path, from) => path = after_move(&path, from, to),
            Move::Key { from, to } if is_below(to, &path) => return Some(from),
            Move::Remove { path: gone, .. } if begins(&path, gone) => return None,
            Move::Split { from, .. } if begins(&path, from) && path.len() == from.0.len() => return None,
            Move::Key { .. } | Move::Split { .. } | Move::Remove { .. } | Move::Values { .. } => {}
        }
    }
    None
}
