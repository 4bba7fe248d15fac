//! What is remembered across states: schemas, merged values, calls, findings.

pub(crate) mod weight;

use crate::association::bundles::Definitions;
use crate::association::catalogue::Catalogue;
use crate::association::linked::{LinkedId, SchemaDocument, SchemaLinks};
use crate::association::named_schemas::NamedFiles;
use crate::association::names::LastNames;
use crate::association::parts::PartSchema;
use crate::association::pointers::References;
use crate::association::schema_state::SchemaState;
use crate::association::symbols::FileSymbols;
use crate::derived::Derived;
use crate::findings::base_values::BaseValues;
use crate::findings::calls::{CallId, CallReport};
use crate::findings::diagnostics::Remembered;
use crate::findings::unused_keys::{FileReads, FileSets, UnusedKeys};
use crate::findings::unused_library::{LibrariesOfFile, LibrariesUsed};
use crate::state::State;
use lofting_document::FileId;
use lofting_memo::{Budget, CancelFlag, Cancelled, Forgetful, Inputs, Memo, Stamp, Weigh, sweep};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// How many bytes of answers may be held, approximately. Answers that the newest state needed are always held.
pub(crate) const BUDGET: usize = 256 * 1024 * 1024;

/// All memos of a workspace.
pub(crate) struct Memos {
    budget: Budget,
    /// Schemas by the files that they consist of.
    pub schemas: Coded<FileList, SchemaState>,
    /// What a file's values are merged onto.
    pub base_values: Coded<FileId, BaseValues>,
    /// Identifies what a file's values are merged onto, as long as it means the same.
    pub base_meanings: Memo<FileId, Stamp>,
    /// Results of calls.
    pub calls: Coded<CallId, CallReport>,
    /// The same without validations, for requests that wait and need only the values.
    pub merged_calls: Memo<CallId, CallReport>,
    /// Identifies the values files of a set, by its index: those that all its calls get, or those of which each gets
    /// one.
    pub set_values: Memo<(usize, bool), Stamp>,
    pub findings: Coded<FileId, Remembered>,
    /// What the code of a file reads, as a library or not.
    pub keys_read: Memo<(FileId, bool), FileReads>,
    /// What a values file sets.
    pub keys_set: Memo<FileId, FileSets>,
    /// The keys of a schema file that nothing uses.
    pub unused_keys: Memo<FileId, UnusedKeys>,
    /// The libraries that the code of a file gets.
    pub libraries_of_file: Memo<FileId, LibrariesOfFile>,
    /// Those of all files.
    pub libraries_used: Memo<(), LibrariesUsed>,
    /// JSON Schemas that are named as schemas of files.
    pub linked: Memo<LinkedId, PartSchema>,
    /// What they refer to, by file and URI.
    pub schema_links: Memo<(FileId, Arc<str>), SchemaLinks>,
    /// Documents with JSON Schemas, by file.
    pub schema_documents: Memo<FileId, SchemaDocument>,
    /// The schemas in documents of bundles.
    pub definitions: Memo<FileId, Definitions>,
    /// References in a file by the way to what they name.
    pub references_in: Memo<FileId, References>,
    /// Catalogues, by their file.
    pub catalogue: Memo<FileId, Catalogue>,
    /// JSON Schemas that are named directly.
    pub named_files: Memo<(), NamedFiles>,
    /// Named things in a file.
    pub symbols: Memo<FileId, FileSymbols>,
    /// Results that features derived from the last state they looked at.
    pub derived: Derived,
    /// The last names of schemas that are parts of files.
    pub schema_names: LastNames,
    /// The last names of documents.
    pub document_names: LastNames,
    /// The last names by which documents refer to others.
    pub references: LastNames,
}

impl Default for Memos {
    fn default() -> Self {
        let budget = Budget::default();
        Memos {
            schemas: Coded::new(&budget),
            base_values: Coded::new(&budget),
            base_meanings: Memo::new(&budget),
            calls: Coded::new(&budget),
            merged_calls: Memo::new(&budget),
            set_values: Memo::new(&budget),
            findings: Coded::new(&budget),
            keys_read: Memo::new(&budget),
            keys_set: Memo::new(&budget),
            unused_keys: Memo::new(&budget),
            libraries_of_file: Memo::new(&budget),
            libraries_used: Memo::new(&budget),
            linked: Memo::new(&budget),
            schema_links: Memo::new(&budget),
            schema_documents: Memo::new(&budget),
            definitions: Memo::new(&budget),
            references_in: Memo::new(&budget),
            catalogue: Memo::new(&budget),
            named_files: Memo::new(&budget),
            symbols: Memo::new(&budget),
            derived: Derived::default(),
            schema_names: LastNames::default(),
            document_names: LastNames::default(),
            references: LastNames::default(),
            budget,
        }
    }
}

impl Memos {
    /// Drops what was made for a file alone: it is no longer open, and what others need of it is made again.
    pub fn close(&self, file: FileId) {
        self.base_values.forget(|of| *of == file);
        self.base_meanings.forget(|of| *of == file);
        self.calls.forget(|(_, alternative)| *alternative == Some(file));
        self.merged_calls.forget(|(_, alternative)| *alternative == Some(file));
        self.findings.forget(|of| *of == file);
    }

    /// How many bytes are held, approximately.
    #[cfg(test)]
    pub fn held(&self) -> usize {
        self.budget.held()
    }

    /// Drops the least recently used answers while more than so many bytes are held.
    pub fn keep_within(&self, most: usize) {
        let pairs = [self.schemas.memos(), self.base_values.memos(), self.calls.memos(), self.findings.memos()];
        let mut all: Vec<&dyn Forgetful> = pairs.into_iter().flatten().collect();
        all.push(&self.merged_calls);
        all.push(&self.linked);
        all.push(&self.schema_links);
        all.push(&self.symbols);
        all.push(&self.keys_read);
        all.push(&self.keys_set);
        all.push(&self.unused_keys);
        all.push(&self.libraries_of_file);
        all.push(&self.references_in);
        all.push(&self.definitions);
        all.push(&self.schema_documents);
        sweep(&all, &self.budget, most);
    }
}

/// An ordered list of files as a key: hashed once, not for every lookup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileList {
    files: Arc<[FileId]>,
    hash: u64,
}

impl FileList {
    pub fn new(files: impl IntoIterator<Item = FileId>) -> Self {
        let files: Arc<[FileId]> = files.into_iter().collect();
        let mut hasher = rustc_hash::FxHasher::default();
        files.hash(&mut hasher);
        FileList { files, hash: hasher.finish() }
    }

    pub fn files(&self) -> &Arc<[FileId]> {
        &self.files
    }
}

impl Hash for FileList {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.hash.hash(state);
    }
}

/// Answers that are complete only if functions of evaluated code can be called: as far as they are known without that,
/// and the complete ones.
pub(crate) struct Coded<K, V> {
    complete: Memo<K, V>,
    partial: Memo<K, V>,
}

impl<K: Hash + Eq + Clone, V: Weigh> Coded<K, V> {
    fn new(budget: &Budget) -> Self {
        Coded { complete: Memo::new(budget), partial: Memo::new(budget) }
    }

    /// The answer. A caller that cannot call functions gets the complete one if it was already made. `needs_code`: the
    /// complete one calls functions.
    pub fn get(&self, state: &State, needs_code: bool, key: K, inputs: &Inputs, make: impl Fn() -> V) -> Arc<V> {
        if state.runner.is_some() || !needs_code {
            return self.complete.get(key, inputs, make);
        }
        self.known(&key, inputs).unwrap_or_else(|| self.partial.get(key, inputs, make))
    }

    /// The same for callers that can be cancelled. `partial`: functions would have to be called, but cannot be.
    pub fn get_unless(
        &self,
        cancel: &CancelFlag,
        partial: bool,
        key: K,
        inputs: &Inputs,
        make: impl FnOnce(&CancelFlag) -> V,
    ) -> Result<Arc<V>, Cancelled> {
        if !partial {
            return self.complete.get_unless(cancel, key, inputs, make);
        }
        self.known(&key, inputs).map_or_else(|| self.partial.get_unless(cancel, key, inputs, make), Ok)
    }

    /// The complete answer that was made for the newest state, whatever its inputs.
    pub fn newest(&self, key: &K) -> Option<Arc<V>> {
        self.complete.newest(key)
    }

    /// The complete answer, if it was already made.
    pub fn known(&self, key: &K, inputs: &Inputs) -> Option<Arc<V>> {
        self.complete.peek(key, inputs)
    }

    pub fn forget(&self, which: impl Fn(&K) -> bool) {
        self.complete.forget(&which);
        self.partial.forget(&which);
    }

    fn memos(&self) -> [&dyn Forgetful; 2] {
        [&self.complete, &self.partial]
    }
}
