//! Names for a value that is a map of its parts now.

use super::chains::Chains;
use super::{Fate, Why, Work, fate};
use lofting_eval::code::{Meaning, TermId, TermKind};
use std::collections::HashSet;

/// Reports where such a name is used as a whole.
pub(super) fn look(work: &mut Work<'_>, chains: &Chains<'_>) {
    if !work.moves.iter().any(super::Move::stays_as_map) {
        return;
    }
    let code = work.code;
    let bound: HashSet<usize> = code.bindings.iter().map(|binding| binding.range.start).collect();
    for (id, term) in (0..).map(TermId).zip(&code.terms) {
        let Meaning::Values(path, _) = code.values.meaning(id).0 else { continue };
        let is_name = matches!(term.kind, TermKind::Name(_)) && !bound.contains(&term.range.start);
        if !is_name || chains.is_inner(id) {
            continue;
        }
        if let Fate::Gone(step, true) = fate(&code.values.steps(*path), work.moves)
            && step.stays_as_map()
        {
            work.leave(&term.range, step.path(), Why::Parts);
        }
    }
}
