//! Files as an editor sees them: those on disk, and those it holds that are not saved yet.

use crate::disk::{Reach, ReadProblem};
use crate::inputs::{Entry, Lister};
use crate::path::normalise;
use crate::scan::is_ours;
use crate::state::State;
use globset::GlobBuilder;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};

/// A directory of an input set with more entries than this is refused.
const MAX_ENTRIES: usize = 200_000;

/// Files and directories that all sets together may have listed and handed out.
const MAX_HANDED_OUT: usize = 1_000_000;

/// What was listed for the sets of one moment: several name the same directories.
#[derive(Default)]
pub(crate) struct Listings {
    known: RefCell<FxHashMap<PathBuf, Vec<PathBuf>>>,
    handed_out: Cell<usize>,
}

/// The files that the text of a set can name.
pub(crate) struct TableLister<'a> {
    pub state: &'a State,
    /// List all files: only names of YAML files and code concern those who do not render.
    pub all: bool,
    /// How far the text leads.
    pub reach: &'a Reach,
    pub listings: &'a Listings,
}

impl TableLister<'_> {
    /// Notes that so many more were handed out.
    fn charge(&self, count: usize) -> Result<(), String> {
        let handed_out = self.listings.handed_out.get().saturating_add(count);
        self.listings.handed_out.set(handed_out);
        match handed_out > MAX_HANDED_OUT {
            true => Err(format!("the input sets of the workspace have more than {MAX_HANDED_OUT} files together")),
            false => Ok(()),
        }
    }

    /// The files on disk. ytt does not know `.gitignore`; only `.git` itself, which never holds inputs, is left out.
    fn on_disk(&self, directory: &Path) -> Result<Vec<PathBuf>, String> {
        if let Some(files) = self.listings.known.borrow().get(directory) {
            self.charge(files.len())?;
            return Ok(files.clone());
        }
        // There may be editor's files in a directory that is not made yet.
        if self.reach.look(directory) == Err(ReadProblem::NotFound) {
            return Ok(Vec::new());
        }
        self.charge(0)?;
        let below = self.reach.files_below(directory, MAX_ENTRIES, &|path| self.all || is_ours(path));
        self.charge(below.as_ref().map_or(MAX_ENTRIES, |below| below.visited))?;
        let files = below?.files;
        self.listings.known.borrow_mut().insert(directory.to_owned(), files.clone());
        Ok(files)
    }
}

impl Lister for TableLister<'_> {
    fn entry(&self, path: &Path) -> Entry {
        if !self.reach.names(path) {
            return Entry::OutOfReach;
        }
        if self.state.file_at(path).is_some_and(|file| file.exists()) {
            return Entry::File;
        }
        if self.state.index.directories_below(path).next().is_some() {
            return Entry::Directory;
        }
        Entry::of(self.reach, path)
    }

    fn files_below(&self, directory: &Path) -> Result<Vec<PathBuf>, String> {
        let mut files = self.on_disk(directory)?;
        let known: FxHashSet<PathBuf> = files.iter().cloned().collect();
        let open = self.state.index.directories_below(directory).flat_map(|(_, files)| files);
        files.extend(
            open.filter_map(|id| self.state.file(*id))
                .map(|file| file.path.to_path_buf())
                .filter(|path| !known.contains(path)),
        );
        Ok(files)
    }

    fn text(&self, path: &Path) -> Result<String, String> {
        match self.state.file_at(path).filter(|file| file.exists() && self.reach.names(path)) {
            Some(file) => Ok(file.text().to_string()),
            None => self.reach.text(path).map_err(|problem| problem.to_string()),
        }
    }
}

/// Where to look for what matches a pattern of `values`: the part without stars.
pub(crate) fn fixed_part(base: &Path, pattern: &str) -> PathBuf {
    let has_star = |part: &std::path::Component<'_>| part.as_os_str().to_string_lossy().contains('*');
    normalise(base, Path::new(pattern)).components().take_while(|part| !has_star(part)).collect()
}

/// Files that match a pattern of `values`, sorted.
pub(crate) fn matching(lister: &TableLister<'_>, base: &Path, pattern: &str) -> Result<Vec<PathBuf>, String> {
    let anchored = normalise(base, Path::new(pattern));
    let glob = anchored.to_str().and_then(|glob| GlobBuilder::new(glob).literal_separator(true).build().ok());
    let Some(glob) = glob else { return Err("this is no pattern".to_owned()) };
    let matcher = glob.compile_matcher();
    let files = lister.files_below(&fixed_part(base, pattern))?;
    let mut files: Vec<PathBuf> = files.into_iter().filter(|path| is_ours(path) && matcher.is_match(path)).collect();
    files.sort();
    Ok(files)
}
