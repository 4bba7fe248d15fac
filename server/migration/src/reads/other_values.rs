//! Reads of keys whose values change: texts that they are compared with change, too; everything else is reported.

use super::chains::Chains;
use super::{Fate, Why, Work, after_move, begins, fate};
use crate::data::{Data, is_literal};
use crate::path::Path;
use crate::plan::Move;
use lofting_eval::code::{BindingKind, Meaning, Operator, TermId, TermKind, ValueStep};
use std::collections::HashSet;

pub(super) fn look(work: &mut Work<'_>, chains: &Chains<'_>) {
    if !work.moves.iter().any(|step| matches!(step, Move::Values { .. })) {
        return;
    }
    // What is compared with texts, or bound to a name that is looked at where it is used.
    let mut done: HashSet<TermId> = HashSet::new();
    for binding in &work.code.bindings {
        if let BindingKind::Value(term) = binding.kind {
            done.insert(term);
        }
    }
    let code = work.code;
    for term in &code.terms {
        let TermKind::Operation { operands, operators } = &term.kind else { continue };
        for (operator, pair) in operators.iter().zip(operands.windows(2)) {
            let [left, right] = pair else { continue };
            let (value, texts) = match (operator, texts(work, *left), texts(work, *right)) {
                (Operator::Comparison | Operator::In, None, Some(texts)) => (*left, texts),
                (Operator::Comparison, Some(texts), None) => (*right, texts),
                _ => continue,
            };
            if compared(work, value, &texts) {
                done.insert(value);
            }
        }
    }
    let names: HashSet<usize> = code.bindings.iter().map(|binding| binding.range.start).collect();
    for (id, term) in (0..).map(TermId).zip(&code.terms) {
        let Meaning::Values(path, _) = code.values.meaning(id).0 else { continue };
        if done.contains(&id) || chains.is_inner(id) {
            continue;
        }
        // Where a name is bound, nothing is read.
        let is_bound = names.contains(&term.range.start) && matches!(term.kind, TermKind::Name(_));
        if let Some((path, _)) = other_values(&code.values.steps(*path), work.moves).filter(|_| !is_bound) {
            work.leave(&term.range, path, Why::Values);
        }
    }
}

/// The texts that an expression consists of: one, or several in a sequence.
fn texts(work: &Work<'_>, term: TermId) -> Option<Vec<TermId>> {
    let is_text = |term: TermId| matches!(work.code.term(term).map(|term| &term.kind), Some(TermKind::String { .. }));
    match &work.code.term(term)?.kind {
        TermKind::Sequence { items, .. } if items.iter().all(|item| is_text(*item)) => Some(items.clone()),
        _ => is_text(term).then(|| vec![term]),
    }
}

/// Gives texts that a value is compared with the values that are there now. Returns whether nothing is left to be said.
fn compared(work: &mut Work<'_>, value: TermId, texts: &[TermId]) -> bool {
    let (Meaning::Values(path, _), certain) = work.code.values.meaning(value) else { return true };
    let Some((_, mapped)) = other_values(&work.code.values.steps(*path), work.moves) else { return true };
    let mut edits = Vec::new();
    for term in texts {
        let Some(TermKind::String { value, content }) = work.code.term(*term).map(|term| &term.kind) else { continue };
        match mapped.iter().find(|(from, _)| matches!(from, Data::String(from) if from == value)) {
            None => {}
            Some((_, Data::String(to))) if certain && is_literal(to) => {
                edits.push(((content.start, content.end), to.clone()));
            }
            Some(_) => return false,
        }
    }
    work.edits.extend(edits);
    true
}

/// The new values of the key at a path, each with the old one that it replaces.
pub(super) fn other_values<'m>(path: &[ValueStep], moves: &'m [Move]) -> Option<(&'m Path, &'m [(Data, Data)])> {
    if matches!(fate(path, moves), Fate::Gone(..)) {
        return None;
    }
    let mut path = path.to_vec();
    for step in moves {
        match step {
            Move::Values { path: of, values } if begins(&path, of) && path.len() == of.0.len() => {
                return Some((of, values));
            }
            Move::Key { from, to } if begins(&path, from) => path = after_move(&path, from, to),
            Move::Key { .. } | Move::Split { .. } | Move::Remove { .. } | Move::Values { .. } => {}
        }
    }
    None
}
