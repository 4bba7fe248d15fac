//! Data values that code uses as a whole: it may be testing whether the value is there.

use super::{BindingKind, Follower, Meaning, PathId, TermKind};
use std::collections::HashSet;

impl Follower<'_> {
    /// Values used as they are: no part of them is taken at that place, and they are not merely bound to a name.
    pub(super) fn whole(&self) -> Vec<PathId> {
        let mut is_part = vec![false; self.code.terms.len()];
        let of_terms = self.code.terms.iter().filter_map(|term| match &term.kind {
            TermKind::Attribute { of, .. } | TermKind::Index { of, .. } => Some(*of),
            _ => None,
        });
        let of_names = self.code.bindings.iter().filter_map(|binding| match binding.kind {
            BindingKind::Value(term) => Some(term),
            _ => None,
        });
        for term in of_terms.chain(of_names) {
            if let Some(is_part) = is_part.get_mut(term.0 as usize) {
                *is_part = true;
            }
        }
        // Binding a name to a value does not use the value.
        let names: HashSet<usize> = self.code.bindings.iter().map(|binding| binding.range.start).collect();
        let terms = self.code.terms.iter().zip(&self.paths.meanings).zip(is_part);
        let terms = terms.filter(|((term, _), is_part)| !is_part && !names.contains(&term.range.start));
        let mut whole: Vec<PathId> = terms
            .filter_map(|((_, (meaning, _)), _)| match meaning {
                Meaning::Values(path, _) => Some(*path),
                _ => None,
            })
            .collect();
        whole.sort_unstable();
        whole.dedup();
        whole
    }
}
