//! What a workspace knows at one moment. [`crate::Workspace`] changes it, [`crate::Snapshot`] reads it.

use crate::before::BeforeCache;
use crate::diagnostics::DiagnosticsCache;
use crate::evaluate::Runner;
use crate::file::File;
use crate::inline::InlineFiles;
use crate::loaded::LoadedFiles;
use crate::run::RunCache;
use crate::schema_state::SchemaCache;
use crate::sets::Sets;
use crate::setting_globs::SettingGlobs;
use crate::settings::Settings;
use crate::table::{FileTable, PathIndex};
use lofting_document::FileId;
use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Everything is behind an `Arc`: a copy costs the same for a large workspace as for a small one.
#[derive(Clone)]
pub(crate) struct State {
    /// Folders of the editor, or the directory the command line checks.
    pub roots: Arc<Vec<PathBuf>>,
    /// Where to stop going up from files outside of all roots.
    pub outer_roots: Arc<Vec<PathBuf>>,
    pub settings: Arc<Settings>,
    pub setting_globs: Arc<SettingGlobs>,
    pub files: FileTable,
    pub index: PathIndex,
    /// Files that the user asked about by name.
    pub named: Arc<FxHashSet<FileId>>,
    pub sets: Arc<Sets>,
    /// Files whose text stands inside others.
    pub inline: Arc<InlineFiles>,
    /// Counts what may change associations: files that come or go, marks, sets, settings.
    pub structure: u64,
    pub schemas: Arc<SchemaCache>,
    pub loaded: Arc<LoadedFiles>,
    pub runs: Arc<RunCache>,
    pub before: Arc<BeforeCache>,
    pub diagnostics: Arc<DiagnosticsCache>,
    /// Runs code.
    pub runner: Runner,
}

impl State {
    pub fn new(roots: Vec<PathBuf>, settings: Settings) -> State {
        let roots: Vec<PathBuf> = roots.iter().map(|root| crate::path::normalise(Path::new("/"), root)).collect();
        State {
            setting_globs: Arc::new(SettingGlobs::new(&settings)),
            roots: Arc::new(roots),
            outer_roots: Arc::default(),
            settings: Arc::new(settings),
            files: FileTable::default(),
            index: PathIndex::default(),
            named: Arc::default(),
            sets: Arc::default(),
            inline: Arc::default(),
            structure: 0,
            schemas: Arc::default(),
            loaded: Arc::default(),
            runs: Arc::default(),
            before: Arc::default(),
            diagnostics: Arc::default(),
            runner: Runner::default(),
        }
    }

    /// The same, read without running code and without what was found out with it.
    pub fn without_code(&self) -> State {
        State {
            schemas: Arc::default(),
            runs: Arc::default(),
            before: Arc::default(),
            diagnostics: Arc::default(),
            runner: Runner::asleep(),
            ..self.clone()
        }
    }

    pub fn file(&self, id: FileId) -> Option<&Arc<File>> {
        self.files.get(id)
    }

    pub fn file_at(&self, path: &Path) -> Option<&Arc<File>> {
        self.files.get(self.index.get(path)?)
    }

    /// The innermost root that `path` lies below. Without one, its own directory: going up stops
    /// there.
    pub fn root_of<'a>(&'a self, path: &'a Path) -> &'a Path {
        self.roots
            .iter()
            .chain(self.outer_roots.iter())
            .filter(|root| path.starts_with(root))
            .max_by_key(|root| root.components().count())
            .map(PathBuf::as_path)
            .or_else(|| path.parent())
            .unwrap_or(path)
    }

    /// A path as messages show it: relative to its root.
    pub fn shown(&self, path: &Path) -> String {
        crate::path::shown(self.root_of(path), path)
    }
}
