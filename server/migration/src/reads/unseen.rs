//! Places where code may read what is moved without naming it.

use super::{Why, Work, after_move, begins, is_below, step_path};
use crate::path::Path;
use crate::plan::Move;
use lofting_eval::code::{Meaning, PathId, ValueStep};
use std::collections::HashSet;
use std::ops::Range;

pub(super) fn look(work: &mut Work<'_>) {
    let values = &work.code.values;
    let mut found: Vec<(Range<usize>, Path, Why)> = Vec::new();
    let escaped: HashSet<PathId> = values.escapes.iter().map(|escape| escape.path).collect();
    for escape in &values.escapes {
        let path = inside(&values.steps(escape.path), work.moves);
        found.extend(path.map(|path| (escape.range.clone(), path.clone(), Why::Passed)));
    }
    let count = u32::try_from(values.paths.len()).unwrap_or(u32::MAX);
    for path in (0..count).map(PathId) {
        let is_unseen = values.is_unfollowed(path) && !escaped.contains(&path);
        let computed = values.child(path, &ValueStep::Item);
        if !is_unseen && computed.is_none() {
            continue;
        }
        let steps = values.steps(path);
        let Some(inside) = inside(&steps, work.moves) else { continue };
        if let Some(place) = place(work, path).filter(|_| is_unseen) {
            found.push((place, inside.clone(), Why::Passed));
        }
        // Items of an array are no computed keys.
        let is_array = inside.0.get(steps.len()) == Some(&crate::path::Step::Items);
        if let Some(place) = computed.filter(|_| !is_array).and_then(|item| place(work, item).or(place(work, path))) {
            found.push((place, inside.clone(), Why::Computed));
        }
    }
    found.into_iter().for_each(|(range, path, why)| work.leave(&range, &path, why));
}

/// The first place that is or names the value at a path.
fn place(work: &Work<'_>, path: PathId) -> Option<Range<usize>> {
    let is_it = |(meaning, _): (&Meaning, bool)| matches!(meaning, Meaning::Values(known, _) if *known == path);
    let mut ids = (0..).zip(&work.code.terms);
    let term = ids.find(|(id, _)| is_it(work.code.values.meaning(lofting_eval::code::TermId(*id))));
    term.map(|(_, term)| term.range.clone()).or_else(|| work.code.pieces.first().map(|(piece, _)| piece.clone()))
}

/// What is moved within the value at a path.
pub(super) fn inside<'m>(path: &[ValueStep], moves: &'m [Move]) -> Option<&'m Path> {
    let mut path = path.to_vec();
    for step in moves {
        if is_below(step_path(step), &path) {
            return Some(step_path(step));
        }
        match step {
            Move::Key { from, to } if begins(&path, from) => path = after_move(&path, from, to),
            Move::Key { from, to } if is_below(to, &path) => return Some(from),
            Move::Remove { path: gone, .. } if begins(&path, gone) => return None,
            Move::Key { .. } | Move::Remove { .. } | Move::Values { .. } => {}
        }
    }
    None
}
