//! What many files of one state have in common: the schema files of a set or a directory. Thousands of files need the
//! same ones, and finding them means going through all files.

use crate::association::json_schemas::{LinkedId, Named};
use crate::association::kind::FileKind;
use crate::association::kustomizations::{Kustomized, Takers};
use crate::association::mirrors::Mirrors;
use crate::association::name_index::{Names, Which};
use crate::association::named_files::named_schemas;
use crate::association::nearest::holds_schema;
use crate::association::no_data::{NoData, PatchesElsewhere, patches_elsewhere};
use crate::association::reads::Reads;
use crate::association::reason::Association;
use crate::association::schema_state::SchemaState;
use crate::association::state::AssociationState;
use crate::caches::table::{Once, Table};
use crate::files::claims::ClaimedSchema;
use crate::files::file::File;
use crate::files::table::Kept;
use lofting_document::FileId;
use lofting_memo::Inputs;
use rustc_hash::FxHashSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Computed for one state; the next one begins with an empty one.
#[derive(Default)]
pub(crate) struct AssociationShared {
    /// The kinds of files.
    pub kinds: Table<FileId, FileKind>,
    /// Why files are not data.
    pub no_data: Table<FileId, Option<NoData>>,
    /// The schemas of files, with functions that can be called (true) or without.
    pub associations: Table<(FileId, bool), Arc<Association>>,
    /// The meaning of `data.values` in their code, likewise.
    pub reads: Table<(FileId, bool), Arc<Reads>>,
    /// Schema files of each set, by its index.
    pub sets: Table<usize, SchemaFiles>,
    /// Schemas by their files: many sets share one.
    pub together: Table<FileList, SchemaFiles>,
    /// Schema files at and below a directory.
    pub below: Table<PathBuf, SchemaFiles>,
    /// For the files of a directory, the nearest schema on the way up.
    pub nearest: Table<PathBuf, Option<Nearest>>,
    /// Whether files in a directory belong to a Helm chart.
    pub charts: Table<PathBuf, bool>,
    /// JSON Schemas that are named for files.
    pub named: Table<FileId, Option<Arc<Named>>>,
    /// Schemas by what they are: many files name one.
    pub linked: Table<LinkedId, Arc<ClaimedSchema>>,
    /// Folders that stand for URLs, for files in a directory.
    pub mirrors: Table<PathBuf, Arc<Mirrors>>,
    /// Kustomizations with the resources that they put together.
    pub kustomized: Table<FileId, Arc<Kustomized>>,
    /// The `lofting.toml` of files in a directory.
    pub configurations: Table<PathBuf, Option<Arc<File>>>,
    /// Names of schemas that are parts of files.
    schema_names: Once<Arc<Names>>,
    /// Names of documents.
    document_names: Once<Arc<Names>>,
    /// Names by which documents refer to others.
    references: Once<Arc<Names>>,
    /// Files that are JSON Schemas because something names them.
    named_schemas: Once<FxHashSet<FileId>>,
    /// Patches that lie neither beside their kustomization nor below it.
    patches_elsewhere: Once<PatchesElsewhere>,
    /// The kustomizations that take files.
    takers: Once<Takers>,
    /// Whether a `lofting.toml` or a setting names schemas by patterns.
    names_schemas: Once<bool>,
}

impl AssociationShared {
    /// Files that are JSON Schemas because something names them.
    pub fn named_schemas(&self, state: &AssociationState) -> &FxHashSet<FileId> {
        self.named_schemas.get(|| named_schemas(state))
    }

    /// Patches that lie neither beside their kustomization nor below it.
    pub fn patches_elsewhere(&self, state: &AssociationState) -> &PatchesElsewhere {
        self.patches_elsewhere.get(|| patches_elsewhere(state))
    }

    /// The kustomizations that take files of `state`, which this belongs to. This looks at all kustomizations, so it is used
    /// only for findings that they may settle.
    pub fn takers(&self, state: &AssociationState) -> &Takers {
        self.takers.get(|| Takers::of(state))
    }

    /// Whether a `lofting.toml` or a setting of `state`, which this belongs to, names schemas by patterns.
    pub fn names_schemas(&self, state: &AssociationState) -> bool {
        *self.names_schemas.get(|| {
            let mut configurations = state.index.kept(Kept::Configuration).filter_map(|id| state.file(id));
            !state.setting_globs.is_empty() || configurations.any(|file| !file.config().schemas.is_empty())
        })
    }

    /// Names of schemas that are parts of files of `state`, which this belongs to.
    pub fn schema_names(&self, state: &AssociationState) -> &Names {
        self.schema_names.get(|| Names::of(state, Which::Schemas))
    }

    /// Names of its documents, and those that lead to schemas through a third document. This looks at all files with
    /// parts that languages claim, so it is used only for names that no schema has.
    pub fn document_names(&self, state: &AssociationState) -> &Names {
        self.document_names.get(|| Names::of(state, Which::Documents))
    }

    /// Names by which its documents refer to others.
    pub fn references(&self, state: &AssociationState) -> &Names {
        self.references.get(|| Names::of(state, Which::References))
    }
}

/// The nearest schema to the files of a directory.
#[derive(Clone)]
pub(crate) struct Nearest {
    /// Where it is.
    pub directory: Arc<Path>,
    pub files: SchemaFiles,
}

/// Files that form a schema together, in ytt's order.
#[derive(Clone)]
pub(crate) struct SchemaFiles(Arc<Inner>);

struct Inner {
    files: Vec<Arc<File>>,
    ids: FxHashSet<FileId>,
    names: Once<Arc<[String]>>,
    /// One of them contains code that affects the schema.
    needs_run: Once<bool>,
    list: FileList,
    /// What the schema is made from.
    inputs: Once<Inputs>,
    /// The schema, with functions that can be called (true) or without. The one without is whatever was known when it was
    /// first asked for: it stays the same in this state, although the complete one may be made meanwhile.
    read: Table<bool, Arc<SchemaState>>,
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
            names: Once::default(),
            needs_run: Once::default(),
            list,
            inputs: Once::default(),
            read: Table::default(),
        }))
    }

    /// The schema files of a set.
    pub fn of_set(state: &AssociationState, index: usize) -> SchemaFiles {
        state.shared.sets.get(index, |_| {
            let templates = state.sets.sets.get(index).map_or(&[][..], |set| &set.templates);
            let templates = templates.iter().filter_map(|id| state.file(*id));
            SchemaFiles::of(state, templates.filter(|file| holds_schema(file)).cloned())
        })
    }

    /// A set of files: one shared object for all callers with equal files.
    pub fn of(state: &AssociationState, files: impl IntoIterator<Item = Arc<File>>) -> SchemaFiles {
        let files: Vec<Arc<File>> = files.into_iter().collect();
        let list = FileList::new(files.iter().map(|file| file.id));
        state.shared.together.get(list, |list| SchemaFiles::new(files, list.clone()))
    }

    pub fn is_empty(&self) -> bool {
        self.0.files.is_empty()
    }

    /// The files as a key.
    pub fn list(&self) -> &FileList {
        &self.0.list
    }

    /// Whether both are the same files of one state.
    pub fn is(&self, other: &SchemaFiles) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    pub fn contains(&self, file: FileId) -> bool {
        self.0.ids.contains(&file)
    }

    /// How messages name them.
    pub fn names(&self, state: &AssociationState) -> Arc<[String]> {
        self.0.names.get(|| self.0.files.iter().map(|file| state.shown(&file.path)).collect()).clone()
    }

    pub fn files(&self) -> impl Iterator<Item = &Arc<File>> {
        self.0.files.iter()
    }

    /// Whether one of them contains code that affects the schema.
    pub fn needs_run(&self) -> bool {
        *self.0.needs_run.get(|| self.0.files.iter().any(|file| file.needs_run()))
    }

    /// The schema, with the results of the code that was run.
    pub fn read(&self, state: &AssociationState) -> Arc<SchemaState> {
        let inputs = self.0.inputs.get(|| {
            let stamps = self.0.files.iter().map(|file| state.stamp(file));
            let is_edited = self.0.files.iter().any(|file| file.is_open());
            state.inputs(std::iter::once(state.attempt).chain(stamps)).passing(is_edited)
        });
        let read = || SchemaState::read(state, &self.0.files, &self.0.list);
        self.0.read.get(state.calls_functions(), |calls_functions| {
            state.memos.schemas.get(*calls_functions, self.needs_run(), self.0.list.clone(), inputs, read)
        })
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
