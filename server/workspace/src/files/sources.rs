//! What is known about files: where they are, what they contain, and how far paths in them may lead.

use crate::disk::built_in::is_in_program;
use crate::disk::path::{normalise, shown};
use crate::disk::{Reach, Repositories, Volume};
use crate::files::fetched::FetchedDocuments;
use crate::files::file::{File, Origin};
use crate::files::other_names::OtherNames;
use crate::files::scan::{ScanFolder, Scanner};
use crate::files::table::{FileTable, Kept, PathIndex};
use crate::settings::Settings;
use lofting_document::FileId;
use lofting_memo::recorder::Recorded;
use lofting_memo::{Inputs, Stamp};
use parking_lot::Mutex;
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The part of a state that is about files. Everything is shared by an `Arc`: a copy costs the same for a large
/// workspace as for a small one.
#[derive(Clone)]
pub(crate) struct Sources {
    /// Distinguishes the state from all others; later ones are greater.
    pub number: Stamp,
    /// Folders of the editor, or the directory the command line checks.
    pub roots: Recorded<Arc<Vec<PathBuf>>>,
    /// Where to stop going up from files outside all roots.
    pub outer_roots: Arc<Vec<PathBuf>>,
    /// Roots with a `lofting.toml` in a folder above them, in the same repository, each with the topmost of these folders.
    pub tops: Arc<Vec<(PathBuf, PathBuf)>>,
    /// What is next to roots, as far as it was needed.
    pub bounds: Arc<Mutex<Bounds>>,
    /// Where files are: on the disk, or in a revision.
    pub volume: Volume,
    pub settings: Recorded<Arc<Settings>>,
    pub files: Recorded<FileTable>,
    pub index: Recorded<PathIndex>,
    /// The folders were walked: their contents are known.
    pub scanned: bool,
    /// Everything was seen, and no limit was reached on the way: what is not known does not exist.
    pub seen_all: Recorded<bool>,
    /// Files that the user named.
    pub named: Recorded<Arc<FxHashSet<FileId>>>,
    /// Documents from the web.
    pub fetched: Recorded<Arc<FetchedDocuments>>,
    /// Changes with everything that may affect associations: files that appear or disappear, marks, sets, settings.
    pub structure: Stamp,
}

/// How far paths in roots may lead.
#[derive(Default)]
pub(crate) struct Bounds {
    reaches: FxHashMap<PathBuf, Reach>,
    repositories: Repositories,
}

/// The names of parts, for the recorder.
const ROOTS: &str = "the folders";
const SETTINGS: &str = "the settings";
const FILES: &str = "the list of files";
const FETCHED: &str = "the documents of the web";

impl Sources {
    pub fn new(roots: Vec<PathBuf>, settings: Settings) -> Sources {
        let roots: Vec<PathBuf> = roots.iter().map(|root| normalise(Path::new("/"), root)).collect();
        Sources {
            number: Stamp::next(),
            roots: Recorded::new(ROOTS, Arc::new(roots)),
            outer_roots: Arc::default(),
            tops: Arc::default(),
            bounds: Arc::default(),
            volume: Volume::default(),
            settings: Recorded::new(SETTINGS, Arc::new(settings)),
            files: Recorded::new(FILES, FileTable::default()),
            index: Recorded::new(FILES, PathIndex::default()),
            scanned: false,
            seen_all: Recorded::new(FILES, false),
            named: Recorded::new(FILES, Arc::default()),
            fetched: Recorded::new(FETCHED, Arc::default()),
            structure: Stamp::default(),
        }
    }

    pub fn file(&self, id: FileId) -> Option<&Arc<File>> {
        self.files.unrecorded().get(id)
    }

    pub fn file_at(&self, path: &Path) -> Option<&Arc<File>> {
        self.files.unrecorded().get(self.index.get(path)?)
    }

    /// The inputs of an answer that these stamps identify.
    pub fn inputs(&self, stamps: impl IntoIterator<Item = Stamp>) -> Inputs {
        let inputs = Inputs::new(self.number, stamps).part(FETCHED, self.fetched.unrecorded().stamp);
        [ROOTS, SETTINGS, FILES, FETCHED].into_iter().fold(inputs, |inputs, part| inputs.part(part, self.structure))
    }

    /// How far paths in a file may lead: everywhere if the user trusts it, and to no local file from the web.
    pub fn reach_of(&self, path: &Path) -> Reach {
        if self.fetched.holds(path) || is_in_program(path) {
            return Reach::nowhere();
        }
        if self.settings.trust.covers(path) { Reach::of_user().on(&self.volume) } else { self.bounds_of(path) }
    }

    /// How far paths may lead that are only found in a file, whether the user trusts it or not.
    pub fn bounds_of(&self, path: &Path) -> Reach {
        let root = self.root_of(path);
        let mut known = self.bounds.lock();
        if let Some(reach) = known.reaches.get(root) {
            return reach.clone();
        }
        let reach = Reach::within_known(root, &mut known.repositories).on(&self.volume);
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
        Scanner::new(self.scan_folders(folders), &self.settings).with_other_names(self.other_names())
    }

    /// Files with names of other kinds to which the known configurations give a schema.
    pub fn other_names(&self) -> OtherNames {
        let mut names = OtherNames::default();
        let configurations = self.index.kept(Kept::Configuration).filter_map(|id| self.file(id));
        for file in configurations.filter(|file| file.exists()) {
            names.add(&file.path, file.config());
        }
        names
    }

    /// Folders of the workspace, to be walked through.
    pub fn scan_folders(&self, folders: Vec<PathBuf>) -> Vec<ScanFolder> {
        let folder = |path: PathBuf| {
            let (root, reach) = (self.root_of(&path).to_owned(), self.bounds_of(&path));
            ScanFolder { path, root, reach }
        };
        folders.into_iter().map(folder).collect()
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

    /// The folder where going up from `path` ends when a `lofting.toml` is looked for: its root, or a folder above it in the same
    /// repository.
    pub fn configured_up_to<'a>(&'a self, path: &'a Path) -> &'a Path {
        let root = self.root_of(path);
        let above = self.tops.iter().find(|(below, _)| below == root);
        above.map_or(root, |(_, above)| above.as_path())
    }

    /// The folders to which paths in settings may be relative, as seen from a file.
    pub fn bases_of_settings(&self, path: &Path) -> Vec<PathBuf> {
        let own = self.root_of(path);
        std::iter::once(own).chain(self.roots.iter().map(PathBuf::as_path)).map(Path::to_owned).collect()
    }

    /// A path as messages show it: relative to its root.
    pub fn shown(&self, path: &Path) -> String {
        shown(self.root_of(path), path)
    }
}
