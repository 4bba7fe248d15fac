//! The files whose resources a kustomization puts together, and these resources.

use super::{Lead, is_data, lead, read};
use crate::association::state::AssociationState;
use crate::files::file::File;
use lofting_dialect::kubernetes::kustomization::{Added, Identified, Kustomization, PathTo, PathUse, identified};
use lofting_document::FileId;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// How many files a kustomization may consist of for its resources to be compared with what names them.
const FILES: usize = 500;

/// How deeply kustomizations may use others.
const DEPTH: usize = 20;

/// How many names of resources are compared.
const RESOURCES: usize = 20_000;

/// The files whose resources a kustomization puts together.
pub(super) struct Parts<'s> {
    /// The kustomization itself, and those that it uses; each after those that it uses.
    pub levels: Vec<Composition<'s>>,
    /// All of them are known.
    pub is_whole: bool,
    /// How many files with resources these are.
    files: usize,
}

pub(super) struct Composition<'s> {
    pub file: Arc<File>,
    pub kustomization: Arc<Kustomization>,
    pub files: Vec<&'s Arc<File>>,
    /// Which of the levels it uses.
    below: Vec<usize>,
}

impl<'s> Parts<'s> {
    pub fn of(state: &'s AssociationState, file: &File) -> Parts<'s> {
        let mut parts = Parts { levels: Vec::new(), is_whole: true, files: 0 };
        let mut known = FxHashMap::default();
        if let Some(own) = state.file(file.id) {
            parts.add(state, own, &mut known, 0);
        }
        parts
    }

    /// Adds a kustomization, and gives its number among the levels.
    fn add(
        &mut self,
        state: &'s AssociationState,
        file: &Arc<File>,
        known: &mut FxHashMap<FileId, Option<usize>>,
        depth: usize,
    ) -> Option<usize> {
        if let Some(number) = known.get(&file.id) {
            // One that uses itself is not whole.
            self.is_whole &= number.is_some();
            return *number;
        }
        known.insert(file.id, None);
        lofting_memo::step();
        let said = read(state, file).said.clone();
        let Some(kustomization) = said.filter(|_| depth < DEPTH && known.len() < FILES) else {
            self.is_whole = false;
            return None;
        };
        self.is_whole &= !kustomization.is_open && file.errors().is_empty();
        let own = Arc::clone(&kustomization);
        let mut level = Composition { file: file.clone(), files: Vec::new(), below: Vec::new(), kustomization: own };
        for named in kustomization.paths.iter().filter(|named| named.used == PathUse::Resources) {
            match lead(state, file, named) {
                Lead::File(found) if named.to != PathTo::Folder && self.files < FILES => {
                    self.files += 1;
                    level.files.push(found);
                }
                Lead::Folder(Some(found)) => level.below.extend(self.add(state, found, known, depth + 1)),
                _ => self.is_whole = false,
            }
        }
        self.levels.push(level);
        let number = self.levels.len() - 1;
        known.insert(file.id, Some(number));
        Some(number)
    }

    /// The resources, each by all names that it has on its way.
    pub fn resources(&self) -> Resources {
        let mut all: Vec<Vec<Located>> = Vec::new();
        let mut left = RESOURCES;
        let mut is_whole = self.is_whole;
        let mut added = Added::default();
        for level in &self.levels {
            let below = level.below.iter().filter_map(|number| all.get(*number)).flatten();
            let generated = level.kustomization.generated.iter();
            let generated = generated.map(|known| Located { known: known.clone(), file: level.file.id });
            let mut own: Vec<Located> = generated.chain(below.take(left).cloned()).collect();
            for file in &level.files {
                match is_data(file).then(|| identified(file.tree())).flatten() {
                    Some(found) => own.extend(found.into_iter().map(|known| Located { known, file: file.id })),
                    None => is_whole = false,
                }
            }
            let (before, after) = &level.kustomization.affixes;
            if !before.is_empty() || !after.is_empty() {
                let renamed = |Located { known, file }: &Located| {
                    let name = format!("{before}{}{after}", known.name).into();
                    Located { known: Identified { name, ..known.clone() }, file: *file }
                };
                let renamed: Vec<Located> = own.iter().take(left).map(renamed).collect();
                own.extend(renamed);
            }
            is_whole &= own.len() < left;
            left = left.saturating_sub(own.len());
            added.add(&level.kustomization.added);
            all.push(own);
        }
        Resources { all: all.pop().unwrap_or_default(), added, is_whole }
    }
}

/// A resource, and where it is written.
#[derive(Debug, Clone)]
pub(super) struct Located {
    pub known: Identified,
    pub file: FileId,
}

/// The resources of a kustomization.
#[derive(Debug, Default)]
pub(super) struct Resources {
    pub all: Vec<Located>,
    /// What kustomizations add to them.
    pub added: Added,
    /// These are all.
    pub is_whole: bool,
}
