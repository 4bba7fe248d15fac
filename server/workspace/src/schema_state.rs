//! Schemas of the workspace, each read once for the states of its files.

use crate::file::File;
use lofting_check::Diagnostic;
use lofting_document::{Document, DocumentSet, FileId};
use lofting_schema::{Problem, Schema};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The schema that some files make together.
#[derive(Debug)]
pub struct SchemaState {
    /// The schema; unknown where it is wrong or needs evaluation.
    pub schema: Arc<Schema>,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
    /// Findings of laying the documents over each other.
    pub(crate) findings: Vec<Diagnostic>,
    /// The files that hold its documents, in ytt's order.
    pub files: Vec<FileId>,
    /// Equal for schemas of equal meaning, wherever they are written.
    pub meaning: u64,
    /// One of the files has syntax errors or blocks of code: keys may be missing here.
    pub uncertain: bool,
    pub(crate) documents: Vec<Arc<DocumentSet>>,
}

impl SchemaState {
    fn read(files: &[Arc<File>]) -> SchemaState {
        let documents: Vec<Arc<DocumentSet>> = files.iter().map(|file| file.documents().clone()).collect();
        let schema_documents: Vec<&Document> = documents.iter().flat_map(|set| own_schema_documents(set)).collect();
        let read = lofting_schema::ytt::read(&schema_documents);
        SchemaState {
            meaning: read.schema.meaning_hash(),
            schema: Arc::new(read.schema),
            problems: read.problems,
            findings: Vec::new(),
            files: files.iter().map(|file| file.id).collect(),
            uncertain: files.iter().any(|file| !file.tree().errors().is_empty()),
            documents,
        }
    }

    /// The schema documents, in ytt's order.
    pub fn schema_documents(&self) -> impl Iterator<Item = &Document> {
        self.documents.iter().flat_map(|set| own_schema_documents(set))
    }
}

/// Schema documents for the file's own library: those with `@library/ref` belong to another.
fn own_schema_documents(set: &DocumentSet) -> impl Iterator<Item = &Document> {
    set.documents.iter().filter(|document| document.is_schema() && !document.notes.has("library/ref"))
}

/// Schemas by the files that make them. Only the newest state of each is kept.
#[derive(Default)]
pub(crate) struct SchemaCache {
    slots: Mutex<FxHashMap<Vec<FileId>, Arc<Slot>>>,
}

struct Slot {
    revisions: Vec<u64>,
    state: OnceLock<Arc<SchemaState>>,
}

impl SchemaCache {
    /// The schema that `files` make in this order.
    pub fn get(&self, files: &[Arc<File>]) -> Arc<SchemaState> {
        let key: Vec<FileId> = files.iter().map(|file| file.id).collect();
        let revisions: Vec<u64> = files.iter().map(|file| file.revision).collect();
        let slot = {
            // A poisoned lock only means that a reader panicked; the map itself is whole.
            let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
            match slots.get(&key) {
                Some(slot) if slot.revisions == revisions => slot.clone(),
                other => {
                    let newer = other.is_none_or(|slot| slot.revisions.iter().sum::<u64>() < revisions.iter().sum());
                    let slot = Arc::new(Slot { revisions, state: OnceLock::new() });
                    // An old snapshot must not push out what newer ones share.
                    if newer {
                        slots.insert(key, slot.clone());
                    }
                    slot
                }
            }
        };
        slot.state.get_or_init(|| Arc::new(SchemaState::read(files))).clone()
    }
}
