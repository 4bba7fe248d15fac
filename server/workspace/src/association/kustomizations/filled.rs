//! What kustomizations put into the resources of a file: findings about its absence do not hold.

use super::{Lead, lead, read};
use crate::association::state::AssociationState;
use crate::files::file::File;
use crate::files::table::Kept;
use lofting_check::Diagnostic;
use lofting_dialect::kubernetes::kustomization::{Filling, PathUse};
use lofting_document::FileId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The kustomizations that take each file, which may be a kustomization itself.
#[derive(Default)]
pub(crate) struct Takers(FxHashMap<FileId, Vec<FileId>>);

impl Takers {
    /// Those of all kustomizations of a state.
    pub fn of(state: &AssociationState) -> Takers {
        let mut takers = Takers::default();
        let kustomizations = state.index.kept(Kept::Kustomization).filter_map(|id| state.file(id));
        for kustomization in kustomizations.filter(|file| file.exists()) {
            lofting_memo::step();
            for taken in taken(state, kustomization) {
                takers.0.entry(taken.id).or_default().push(kustomization.id);
            }
        }
        takers
    }
}

/// The files from which a kustomization takes resources, and the kustomizations that it uses.
fn taken<'s>(state: &'s AssociationState, file: &'s Arc<File>) -> Vec<&'s Arc<File>> {
    let said = read(state, file).said.clone();
    let paths = said.iter().flat_map(|said| &said.paths).filter(|named| named.used == PathUse::Resources);
    let found = |named| match lead(state, file, named) {
        Lead::File(found) | Lead::Folder(Some(found)) => Some(found),
        Lead::Folder(None) | Lead::Nothing | Lead::Elsewhere => None,
    };
    paths.filter_map(found).collect()
}

/// The list without findings about what kustomizations put in; None if none of them is.
pub(crate) fn without_filled(state: &AssociationState, file: &File, list: &[Diagnostic]) -> Option<Vec<Diagnostic>> {
    if state.index.count(Kept::Kustomization) == 0 || !list.iter().any(Filling::may_settle) {
        return None;
    }
    let filling = filling(state, file);
    if filling == Filling::default() {
        return None;
    }
    let is_settled = |finding: &&Diagnostic| {
        Filling::may_settle(finding) && finding.span.file == file.id && {
            let marked = file.text().slice(finding.span.range());
            filling.settles(finding, &marked, file.tree())
        }
    };
    let left: Vec<Diagnostic> = list.iter().filter(|finding| !is_settled(finding)).cloned().collect();
    (left.len() < list.len()).then_some(left)
}

/// What all kustomizations that take a file, directly or not, put into its resources.
fn filling(state: &AssociationState, file: &File) -> Filling {
    let takers = state.shared.takers(state);
    let takers_of = |id: FileId| takers.0.get(&id).into_iter().flatten().copied();
    let mut filling = Filling::default();
    let mut met: FxHashSet<FileId> = FxHashSet::default();
    let mut todo: Vec<FileId> = takers_of(file.id).collect();
    while let Some(id) = todo.pop() {
        let Some(kustomization) = state.file(id).filter(|_| met.insert(id)) else { continue };
        lofting_memo::step();
        let Some(said) = read(state, kustomization).said.clone() else { continue };
        filling.add(&said.filling);
        todo.extend(takers_of(id));
        // What a kustomization uses as components changes its other resources as well.
        let is_component = |used: &&Arc<File>| {
            Kept::Kustomization.holds(used) && read(state, used).said.as_ref().is_some_and(|said| said.is_component)
        };
        todo.extend(taken(state, kustomization).into_iter().filter(is_component).map(|used| used.id));
    }
    filling
}
