//! What a workspace knows at one moment. [`crate::Workspace`] changes it, [`crate::Snapshot`] reads it.

use crate::association::fetched::FetchedDocuments;
use crate::association::search::PendingSchemas;
use crate::association::setting_globs::SettingGlobs;
use crate::evaluation::{Evaluated, Evaluations, Runner};
use crate::files::disk::{Reach, Repositories};
use crate::files::file::{File, Origin};
use crate::files::scan::{ScanFolder, Scanner};
use crate::files::table::{FileTable, Kept, PathIndex};
use crate::findings::calls::MOST_CALLS;
use crate::input_sets::inline::InlineFiles;
use crate::input_sets::sets::Sets;
use crate::memos::Memos;
use crate::render::{MOST_RENDERED, RenderFindings};
use crate::settings::Settings;
use crate::shared::Shared;
use lofting_document::{DocumentSet, FileId};
use lofting_memo::{Inputs, Stamp};
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Everything is behind an `Arc`: a copy costs the same for a large workspace as for a small one.
#[derive(Clone)]
pub(crate) struct State {
    /// Distinguishes it from all others; later ones are greater.
    pub number: Stamp,
    /// Folders of the editor, or the directory the command line checks.
    pub roots: Arc<Vec<PathBuf>>,
    /// Where to stop going up from files outside of all roots.
    pub outer_roots: Arc<Vec<PathBuf>>,
    /// What is around roots, as far as it was needed.
    pub bounds: Arc<Mutex<Bounds>>,
    pub settings: Arc<Settings>,
    pub setting_globs: Arc<SettingGlobs>,
    pub files: FileTable,
    pub index: PathIndex,
    /// The folders were walked: their contents are known.
    pub scanned: bool,
    /// And no limit was reached on the way: what is not known does not exist.
    pub seen_all: bool,
    /// Files that the user named.
    pub named: Arc<FxHashSet<FileId>>,
    pub sets: Arc<Sets>,
    /// Files whose text is inside of others.
    pub inline: Arc<InlineFiles>,
    /// Changes with everything that may affect associations: files that appear or disappear, marks, sets, settings.
    pub structure: Stamp,
    /// How many calls of a set are checked for one file.
    pub most_calls: usize,
    /// Documents from the web.
    pub fetched: Arc<FetchedDocuments>,
    /// Schemas that jobs are searching for.
    pub pending_schemas: Arc<PendingSchemas>,
    /// Files, each as often as sets are rendered with it, that an editor renders by itself.
    pub most_rendered: usize,
    /// What is remembered across states.
    pub memos: Arc<Memos>,
    /// The results of running the code of files.
    pub evaluations: Evaluations,
    /// The findings of rendering during a pause.
    pub rendered: Arc<RenderFindings>,
    /// Changes when interrupted functions should be called again.
    pub attempt: Stamp,
    /// Calls functions of evaluated code. Only states for callers that may wait for code have it.
    pub runner: Option<Runner>,
    /// What files have in common, computed once. Not shared with any other state.
    pub shared: Arc<Shared>,
}

/// How far paths in roots may lead.
#[derive(Default)]
pub(crate) struct Bounds {
    reaches: FxHashMap<PathBuf, Reach>,
    repositories: Repositories,
}

impl State {
    pub fn new(roots: Vec<PathBuf>, settings: Settings) -> State {
        let roots: Vec<PathBuf> =
            roots.iter().map(|root| crate::files::path::normalise(Path::new("/"), root)).collect();
        State {
            number: Stamp::next(),
            setting_globs: Arc::new(SettingGlobs::new(&settings)),
            roots: Arc::new(roots),
            outer_roots: Arc::default(),
            bounds: Arc::default(),
            settings: Arc::new(settings),
            files: FileTable::default(),
            index: PathIndex::default(),
            scanned: false,
            seen_all: false,
            named: Arc::default(),
            sets: Arc::default(),
            inline: Arc::default(),
            structure: Stamp::default(),
            most_calls: MOST_CALLS,
            fetched: Arc::default(),
            pending_schemas: Arc::default(),
            most_rendered: MOST_RENDERED,
            memos: Arc::default(),
            evaluations: Evaluations::default(),
            rendered: Arc::default(),
            attempt: Stamp::default(),
            runner: None,
            shared: Arc::default(),
        }
    }

    /// The state if a file had another text: a hypothetical state, to see its consequences. The files of input sets
    /// stay as they are.
    pub fn with_text(&self, id: FileId, text: &str) -> State {
        let mut state = State { number: Stamp::next(), shared: Arc::default(), ..self.clone() };
        let Some(old) = self.file(id) else { return state };
        let new = File::with_text(id, old.path.clone(), Stamp::next(), old.origin, text, old.options);
        if old.facts != new.facts {
            state.structure = Stamp::next();
        }
        state.index.change(old, &new);
        let has_read = |evaluated: &Evaluated| evaluated.reads().iter().any(|(path, _)| **path == *old.path);
        let ran = self.evaluations.iter().filter(|(_, evaluated)| has_read(evaluated));
        let stale: Vec<FileId> = ran.map(|(file, _)| file).collect();
        for file in stale {
            state.evaluations.remove(file);
        }
        state.files.set(Arc::new(new));
        state
    }

    pub fn file(&self, id: FileId) -> Option<&Arc<File>> {
        self.files.get(id)
    }

    pub fn file_at(&self, path: &Path) -> Option<&Arc<File>> {
        self.files.get(self.index.get(path)?)
    }

    /// The sets that a `lofting.toml` defines, as indices: none while they are still those of an older text.
    pub fn sets_described_by(&self, config: FileId) -> &[usize] {
        self.file(config).map_or(&[], |file| self.sets.described_by(file))
    }

    /// The documents of a file: the result of its code after it was run, until then as written.
    pub fn documents<'a>(&'a self, file: &'a File) -> &'a Arc<DocumentSet> {
        self.evaluations.of(file).map_or_else(|| file.written(), |evaluated| &evaluated.documents)
    }

    /// Changes with the text of a file, and when its code is run.
    pub fn stamp(&self, file: &File) -> Stamp {
        self.evaluations.of(file).map_or(file.revision, |evaluated| evaluated.stamp)
    }

    /// The inputs of an answer that these stamps identify.
    pub fn inputs(&self, stamps: impl IntoIterator<Item = Stamp>) -> Inputs {
        Inputs::new(self.number, stamps)
    }

    /// Whether there may be schema or values that code produces. Files inside of others are not counted.
    pub fn has_coded_files(&self) -> bool {
        self.index.count(Kept::Coded) > 0 || !self.inline.is_empty()
    }

    /// How far paths in a file may lead: everywhere if the user trusts it, and to no local file from the web.
    pub fn reach_of(&self, path: &Path) -> Reach {
        if self.fetched.holds(path) {
            return Reach::nowhere();
        }
        if self.settings.trust.covers(path) { Reach::of_user() } else { self.bounds_of(path) }
    }

    /// How far paths may lead that are only found in a file, whether the user trusts it or not.
    pub fn bounds_of(&self, path: &Path) -> Reach {
        let root = self.root_of(path);
        let mut known = self.bounds.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(reach) = known.reaches.get(root) {
            return reach.clone();
        }
        let reach = Reach::within_known(root, &mut known.repositories);
        known.reaches.insert(root.to_owned(), reach.clone());
        reach
    }

    /// How a file is read again: as when it was found, or like any file of the workspace.
    pub fn reach_again(&self, path: &Path) -> Reach {
        match self.file_at(path).filter(|file| matches!(file.origin, Origin::Disk(_))) {
            Some(file) => file.reach.clone(),
            None => self.bounds_of(path),
        }
    }

    /// A walk through folders of the workspace.
    pub fn scanner_of(&self, folders: Vec<PathBuf>) -> Scanner {
        let folder = |path: PathBuf| {
            let (root, reach) = (self.root_of(&path).to_owned(), self.bounds_of(&path));
            ScanFolder { path, root, reach }
        };
        Scanner::new(folders.into_iter().map(folder).collect(), &self.settings)
    }

    /// The innermost root that contains `path`. Without one, its own directory, so that going up stops there.
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

    /// The folders to which paths in settings may be relative, as seen from a file.
    pub fn bases_of_settings(&self, path: &Path) -> Vec<PathBuf> {
        let own = self.root_of(path);
        std::iter::once(own).chain(self.roots.iter().map(PathBuf::as_path)).map(Path::to_owned).collect()
    }

    /// A path as messages show it: relative to its root.
    pub fn shown(&self, path: &Path) -> String {
        crate::files::path::shown(self.root_of(path), path)
    }
}
