//! What many files of one state have in common: the schema files of a set or a directory. Thousands of files ask for the
//! same ones, and finding them means going through all there are.

use crate::evaluate::{self, Failure};
use crate::file::File;
use crate::nearest::holds_schema;
use crate::run::{Call, RunId};
use crate::schema_state::SchemaState;
use crate::state::State;
use lofting_document::FileId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;
use std::hash::Hash;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Found for one state; the next one begins with an empty one.
#[derive(Default)]
pub(crate) struct Shared {
    /// Schema files of each set, by its index.
    pub sets: Table<usize, SchemaFiles>,
    /// The same by what they are: many sets share one schema.
    pub together: Table<Vec<FileId>, SchemaFiles>,
    /// Schema files at and below a directory.
    pub below: Table<PathBuf, SchemaFiles>,
    /// For files in a directory the nearest schema going up.
    pub nearest: Table<PathBuf, Option<Nearest>>,
    /// Whether files in a directory belong to a Helm chart.
    pub charts: Table<PathBuf, bool>,
    /// The `lofting.toml` of files in a directory.
    pub configurations: Table<PathBuf, Option<Arc<File>>>,
    /// What calls read, as long as no further code has run.
    pub calls: Table<RunId, Counted<Arc<Call>>>,
    /// Fingerprints of the values of sets.
    pub values: Table<usize, Counted<crate::run::ValuesStamp>>,
    /// How code of the files of a set ended, by the file in which it failed.
    failures: Table<usize, Counted<Arc<Failures>>>,
}

/// The nearest schema to the files of a directory.
#[derive(Clone)]
pub(crate) struct Nearest {
    /// Where it is.
    pub directory: Arc<Path>,
    pub files: SchemaFiles,
}

/// Failures of a set's code by the file that the innermost place is in, each with the file whose code was run.
type Failures = FxHashMap<FileId, Vec<(FileId, Failure)>>;

/// Something that holds as long as no further code has run.
pub(crate) type Counted<T> = (u64, T);

/// Answers by question. The lock is held to look and to note, never while an answer is made.
pub(crate) struct Table<K, V>(Mutex<FxHashMap<K, V>>);

impl<K, V> Default for Table<K, V> {
    fn default() -> Self {
        Table(Mutex::default())
    }
}

impl<K: Hash + Eq, V: Clone> Table<K, V> {
    fn entries(&self) -> MutexGuard<'_, FxHashMap<K, V>> {
        // A poisoned lock only means that a reader panicked; the map itself is whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The answer, made if it is not known.
    pub fn get(&self, key: K, make: impl FnOnce(&K) -> V) -> V {
        if let Some(known) = self.entries().get(&key) {
            return known.clone();
        }
        let made = make(&key);
        self.entries().insert(key, made.clone());
        made
    }
}

impl<K: Hash + Eq, T: Clone> Table<K, Counted<T>> {
    /// The answer, made if it is not known or code has run since.
    pub fn get_since(&self, evaluations: u64, key: K, make: impl FnOnce(&K) -> T) -> T {
        if let Some((_, known)) = self.entries().get(&key).filter(|(since, _)| *since == evaluations) {
            return known.clone();
        }
        let made = make(&key);
        self.entries().insert(key, (evaluations, made.clone()));
        made
    }
}

impl<V: Clone> Table<PathBuf, V> {
    /// The answer for the nearest directory that has one, going up from `directory` as far as `root`; noted for all on
    /// the way. `none` is that of the others.
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

/// Files that make a schema together, in ytt's order.
#[derive(Clone)]
pub(crate) struct SchemaFiles(Arc<Inner>);

struct Inner {
    files: Vec<Arc<File>>,
    ids: FxHashSet<FileId>,
    names: OnceLock<Arc<[String]>>,
    /// All of their code was run when so many evaluations had been made.
    ran: Mutex<Option<u64>>,
    /// Read when so many evaluations had been made.
    read: Mutex<Option<Counted<Arc<SchemaState>>>>,
}

impl fmt::Debug for SchemaFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(&self.0.ids).finish()
    }
}

impl SchemaFiles {
    fn new(files: Vec<Arc<File>>) -> SchemaFiles {
        let ids = files.iter().map(|file| file.id).collect();
        SchemaFiles(Arc::new(Inner {
            files,
            ids,
            names: OnceLock::new(),
            ran: Mutex::default(),
            read: Mutex::default(),
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

    /// These files: the same for all who ask for the same.
    pub fn of(state: &State, files: impl IntoIterator<Item = Arc<File>>) -> SchemaFiles {
        let files: Vec<Arc<File>> = files.into_iter().collect();
        let ids: Vec<FileId> = files.iter().map(|file| file.id).collect();
        state.shared.together.get(ids, |_| SchemaFiles::new(files))
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

    /// Runs their code, as far as it was not run yet.
    pub fn run_code(&self, state: &State) {
        let ran = || self.0.ran.lock().unwrap_or_else(PoisonError::into_inner);
        if *ran() == Some(state.runner.evaluations()) {
            return;
        }
        self.0.files.iter().for_each(|file| evaluate::ensure(state, file));
        *ran() = Some(state.runner.evaluations());
    }

    /// The schema, with what code made of the files that was run.
    pub fn read(&self, state: &State) -> Arc<SchemaState> {
        let evaluations = state.runner.evaluations();
        let known = || self.0.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, schema)) = known().as_ref().filter(|(since, _)| *since == evaluations) {
            return schema.clone();
        }
        let schema = state.schemas.get(&self.0.files, &state.runner);
        *known() = Some((evaluations, schema.clone()));
        schema
    }
}

/// How code of other files of a set ended in `file`.
pub(crate) fn failures_of_others(state: &State, set: usize, file: FileId) -> Vec<Failure> {
    let failures = state.shared.failures.get_since(state.runner.evaluations(), set, |_| {
        let mut failures = Failures::default();
        let templates = state.sets.sets.get(set).into_iter().flat_map(|set| &set.templates);
        for run in templates.filter_map(|id| state.file(*id)) {
            let failure = run.evaluated().and_then(|evaluated| evaluated.error.as_ref());
            if let Some((failure, place)) = failure.and_then(|failure| Some((failure, failure.file()?))) {
                failures.entry(place).or_default().push((run.id, failure.clone()));
            }
        }
        Arc::new(failures)
    });
    let here = failures.get(&file).into_iter().flatten();
    here.filter(|(run, _)| *run != file).map(|(_, failure)| failure.clone()).collect()
}
