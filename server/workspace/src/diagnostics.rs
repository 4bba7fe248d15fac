//! All findings of one file, memoised by what they were made from.

use crate::associate::{associate, kind};
use crate::association::SchemaRef;
use crate::cancel::CancelFlag;
use crate::file::File;
use crate::kind::FileKind;
use crate::state::State;
use lofting_check::Diagnostic;
use lofting_document::FileId;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Findings by file with the state they were made from; only the newest of each file is kept.
#[derive(Default)]
pub(crate) struct DiagnosticsCache {
    slots: Mutex<FxHashMap<FileId, (Key, Arc<[Diagnostic]>)>>,
}

/// What the findings of a file depend on.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Key {
    revision: u64,
    structure: u64,
    /// Revisions of the files of each schema.
    schemas: Vec<u64>,
}

pub(crate) fn diagnostics(state: &State, file: &File, cancel: &CancelFlag) -> Arc<[Diagnostic]> {
    let association = associate(state, file);
    let key = Key {
        revision: file.revision,
        structure: state.structure,
        schemas: association
            .schemas()
            .flat_map(|schema| &schema.files)
            .filter_map(|id| state.file(*id))
            .map(|file| file.revision)
            .collect(),
    };
    {
        let slots = state.diagnostics.slots.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, found)) = slots.get(&file.id) {
            if *known == key {
                return found.clone();
            }
        }
    }
    let mut found = Vec::new();
    let kind = kind(state, file);
    if kind.is_ours() || state.settings.validate_other_yaml {
        collect(state, file, kind, &association.schemas().cloned().collect::<Vec<_>>(), cancel, &mut found);
    }
    lofting_check::limit(&mut found, 0);
    let found: Arc<[Diagnostic]> = found.into();
    if !cancel.is_cancelled() {
        let mut slots = state.diagnostics.slots.lock().unwrap_or_else(PoisonError::into_inner);
        slots.insert(file.id, (key, found.clone()));
    }
    found
}

fn collect(
    _state: &State,
    _file: &File,
    _kind: FileKind,
    _schemas: &[SchemaRef],
    _cancel: &CancelFlag,
    _found: &mut Vec<Diagnostic>,
) {
}
