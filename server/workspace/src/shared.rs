//! What many files of one state have in common: the schema files of a set or a directory. Thousands of files need the
//! same ones, and finding them means going through all files.

use crate::association::kind::FileKind;
use crate::association::linked::{LinkedId, Named};
use crate::association::mirrors::Mirrors;
use crate::association::named_schemas::named_schemas;
use crate::association::names::{Names, Which};
use crate::association::nearest::holds_schema;
use crate::association::parts::PartSchema;
use crate::association::reads::Reads;
use crate::association::reason::Association;
use crate::association::schema_state::SchemaState;
use crate::derived::Derived;
use crate::evaluation::{Evaluated, Failure};
use crate::files::file::File;
use crate::findings::calls::{Call, CallId, ValuesStamp};
use crate::findings::unused_keys::SchemaUsers;
use crate::findings::unused_library::{self, LibrariesUsed};
use crate::memos::FileList;
use crate::state::State;
use lofting_document::{FileId, Options};
use lofting_memo::{Inputs, Stamp};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;
use std::hash::Hash;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Computed for one state; the next one begins with an empty one.
#[derive(Default)]
pub(crate) struct Shared {
    /// The kinds of files.
    pub kinds: Table<FileId, FileKind>,
    /// The schemas of files, with functions that can be called (true) or without.
    pub associations: Table<(FileId, bool), Arc<Association>>,
    /// The meaning of `data.values` in their code, likewise.
    pub reads: Table<(FileId, bool), Arc<Reads>>,
    /// Schema files of each set, by its index.
    pub sets: Table<usize, SchemaFiles>,
    /// The same by files: many sets share one schema.
    pub together: Table<FileList, SchemaFiles>,
    /// Schema files at and below a directory.
    pub below: Table<PathBuf, SchemaFiles>,
    /// For the files of a directory, the nearest schema on the way up.
    pub nearest: Table<PathBuf, Option<Nearest>>,
    /// Whether files in a directory belong to a Helm chart.
    pub charts: Table<PathBuf, bool>,
    /// JSON Schemas that are named for files.
    pub named: Table<FileId, Option<Arc<Named>>>,
    /// The same by what they are: many files name the same.
    pub linked: Table<LinkedId, Arc<PartSchema>>,
    /// Folders that stand for URLs, for files in a directory.
    pub mirrors: Table<PathBuf, Arc<Mirrors>>,
    /// The `lofting.toml` of files in a directory.
    pub configurations: Table<PathBuf, Option<Arc<File>>>,
    /// What calls read.
    pub calls: Table<CallId, Arc<Call>>,
    /// Stamps of the values of sets.
    pub values: Table<usize, ValuesStamp>,
    /// Names of schemas that are parts of files.
    schema_names: OnceLock<Arc<Names>>,
    /// Names of documents.
    document_names: OnceLock<Arc<Names>>,
    /// Names by which documents refer to others.
    references: OnceLock<Arc<Names>>,
    /// Files that may use the keys of schemas.
    schema_users: OnceLock<SchemaUsers>,
    /// Private libraries that code gets.
    libraries_used: OnceLock<Arc<LibrariesUsed>>,
    /// Files that are JSON Schemas because something names them.
    named_schemas: OnceLock<FxHashSet<FileId>>,
    /// How code of the files of a set failed, by the file in which it failed.
    failures: Table<usize, Arc<Failures>>,
    /// What features derive from the state.
    pub derived: Derived,
    /// Results of running files of private libraries, as these are read there.
    pub in_libraries: Table<(FileId, Options), Arc<Evaluated>>,
}

impl Shared {
    /// Files that are JSON Schemas because something names them.
    pub fn named_schemas(&self, state: &State) -> &FxHashSet<FileId> {
        self.named_schemas.get_or_init(|| named_schemas(state))
    }

    /// Files of `state`, which this belongs to, that may use the keys of schemas.
    pub fn schema_users(&self, state: &State) -> &SchemaUsers {
        self.schema_users.get_or_init(|| SchemaUsers::of_all(state))
    }

    /// Private libraries that the code of `state`, which this belongs to, gets.
    pub fn libraries_used(&self, state: &State) -> Arc<LibrariesUsed> {
        self.libraries_used.get_or_init(|| unused_library::of_state(state)).clone()
    }

    /// Names of schemas that are parts of files of `state`, which this belongs to.
    pub fn schema_names(&self, state: &State) -> &Names {
        self.schema_names.get_or_init(|| state.memos.schema_names.of(state, Which::Schemas))
    }

    /// Names of its documents, and those that lead to schemas through a third document. This looks at all files with
    /// parts that languages claim, so it is used only for names that no schema has.
    pub fn document_names(&self, state: &State) -> &Names {
        self.document_names.get_or_init(|| state.memos.document_names.of(state, Which::Documents))
    }

    /// Names by which its documents refer to others.
    pub fn references(&self, state: &State) -> &Names {
        self.references.get_or_init(|| state.memos.references.of(state, Which::References))
    }
}

/// The nearest schema to the files of a directory.
#[derive(Clone)]
pub(crate) struct Nearest {
    /// Where it is.
    pub directory: Arc<Path>,
    pub files: SchemaFiles,
}

/// Failures of a set's code by the file of the innermost position, each with the file whose code was run.
type Failures = FxHashMap<FileId, Vec<(FileId, Stamp, Failure)>>;

/// Answers by key. The lock is held only for reading and writing the table, never while an answer is computed.
pub(crate) struct Table<K, V>(Mutex<FxHashMap<K, V>>);

impl<K, V> Default for Table<K, V> {
    fn default() -> Self {
        Table(Mutex::default())
    }
}

impl<K: Hash + Eq, V: Clone> Table<K, V> {
    fn entries(&self) -> MutexGuard<'_, FxHashMap<K, V>> {
        // A poisoned lock only means that a reader panicked; the map itself is intact.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The answer, if it is known.
    pub fn known(&self, key: &K) -> Option<V> {
        self.entries().get(key).cloned()
    }

    /// All answers that are known, in no particular order.
    pub fn values(&self) -> Vec<V> {
        self.entries().values().cloned().collect()
    }

    /// The answer, computed if it is not known.
    pub fn get(&self, key: K, make: impl FnOnce(&K) -> V) -> V {
        if let Some(known) = self.entries().get(&key) {
            return known.clone();
        }
        let made = make(&key);
        self.entries().insert(key, made.clone());
        made
    }
}

impl<V: Clone> Table<PathBuf, V> {
    /// The answer for the nearest directory that has one, going up from `directory` as far as `root`; stored for all
    /// directories on the way. `none` is the answer of the others.
    pub fn going_up(&self, directory: &Path, root: &Path, none: V, look: impl Fn(&Path) -> Option<V>) -> V {
        let mut passed: Vec<&Path> = Vec::new();
        let mut found = none;
        for above in directory.ancestors().take_while(|above| above.starts_with(root)) {
            let known = self.entries().get(above).cloned();
            let answer = known.or_else(|| {
                passed.push(above);
                look(above)
            });
            if let Some(answer) = answer {
                found = answer;
                break;
            }
        }
        let mut entries = self.entries();
        passed.into_iter().for_each(|above| drop(entries.insert(above.to_owned(), found.clone())));
        found
    }
}

/// Files that form a schema together, in ytt's order.
#[derive(Clone)]
pub(crate) struct SchemaFiles(Arc<Inner>);

struct Inner {
    files: Vec<Arc<File>>,
    ids: FxHashSet<FileId>,
    names: OnceLock<Arc<[String]>>,
    /// One of them contains code that affects the schema.
    needs_run: OnceLock<bool>,
    list: FileList,
    /// What the schema is made from.
    inputs: OnceLock<Inputs>,
}

impl fmt::Debug for SchemaFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(&self.0.ids).finish()
    }
}

impl SchemaFiles {
    fn new(files: Vec<Arc<File>>, list: FileList) -> SchemaFiles {
        let ids = list.files().iter().copied().collect();
        SchemaFiles(Arc::new(Inner {
            files,
            ids,
            names: OnceLock::new(),
            needs_run: OnceLock::new(),
            list,
            inputs: OnceLock::new(),
        }))
    }

    /// The schema files of a set.
    pub fn of_set(state: &State, index: usize) -> SchemaFiles {
        state.shared.sets.get(index, |_| {
            let templates = state.sets.sets.get(index).map_or(&[][..], |set| &set.templates);
            let templates = templates.iter().filter_map(|id| state.file(*id));
            SchemaFiles::of(state, templates.filter(|file| holds_schema(file)).cloned())
        })
    }

    /// These files: the same object for everyone who needs the same files.
    pub fn of(state: &State, files: impl IntoIterator<Item = Arc<File>>) -> SchemaFiles {
        let files: Vec<Arc<File>> = files.into_iter().collect();
        let list = FileList::new(files.iter().map(|file| file.id));
        state.shared.together.get(list, |list| SchemaFiles::new(files, list.clone()))
    }

    pub fn is_empty(&self) -> bool {
        self.0.files.is_empty()
    }

    /// Whether both are the same files of one state.
    pub fn is(&self, other: &SchemaFiles) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    pub fn contains(&self, file: FileId) -> bool {
        self.0.ids.contains(&file)
    }

    /// How messages name them.
    pub fn names(&self, state: &State) -> Arc<[String]> {
        self.0.names.get_or_init(|| self.0.files.iter().map(|file| state.shown(&file.path)).collect()).clone()
    }

    pub fn files(&self) -> impl Iterator<Item = &Arc<File>> {
        self.0.files.iter()
    }

    /// Whether one of them contains code that affects the schema.
    pub fn needs_run(&self) -> bool {
        *self.0.needs_run.get_or_init(|| self.0.files.iter().any(|file| file.needs_run()))
    }

    /// The schema, with the results of the code that was run.
    pub fn read(&self, state: &State) -> Arc<SchemaState> {
        let inputs = self.0.inputs.get_or_init(|| {
            let stamps = self.0.files.iter().map(|file| state.stamp(file));
            state.inputs(std::iter::once(state.attempt).chain(stamps))
        });
        let read = || SchemaState::read(state, &self.0.files, &self.0.list);
        state.memos.schemas.get(state, self.needs_run(), self.0.list.clone(), inputs, read)
    }
}

/// How code of other files of a set failed in `file`.
pub(crate) fn failures_of_others(state: &State, set: usize, file: FileId) -> Vec<(Stamp, Failure)> {
    let failures = state.shared.failures.get(set, |_| {
        let mut failures = Failures::default();
        let templates = state.sets.sets.get(set).into_iter().flat_map(|set| &set.templates);
        for run in templates.filter_map(|id| state.file(*id)) {
            let Some(evaluated) = state.evaluations.of(run) else { continue };
            if let Some((failure, place)) = evaluated.error.as_ref().and_then(|error| Some((error, error.file()?))) {
                failures.entry(place).or_default().push((run.id, evaluated.stamp, failure.clone()));
            }
        }
        Arc::new(failures)
    });
    let here = failures.get(&file).into_iter().flatten();
    here.filter(|(run, ..)| *run != file).map(|(_, stamp, failure)| (*stamp, failure.clone())).collect()
}
