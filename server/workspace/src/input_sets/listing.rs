//! Files as an editor sees them: those on disk, and open ones that are not saved yet.

use crate::disk::glob::{is_pattern, pattern_of};
use crate::disk::path::normalise;
use crate::disk::{Reach, ReadProblem, WalkProblem};
use crate::files::scan::is_ours;
use crate::input_sets::state::SetsState;
use crate::inputs::{Entry, InputProblem, Lister};
use lofting_eval::bytes;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, RefCell};
use std::path::{Component, Path, PathBuf};

/// A directory of an input set with more entries than this is refused.
const MAX_ENTRIES: usize = 200_000;

/// How many files and directories all sets together may list and return.
const MAX_HANDED_OUT: usize = 1_000_000;

/// How many entries may be looked at, and how many files returned, while a request waits: this takes a few
/// milliseconds. Anything more is done in the background.
const AT_ONCE: usize = 1_000;
const AT_ONCE_HANDED_OUT: usize = 2_000;

/// The contents of the directories that sets name: several name the same ones. Kept from one resolution to the next.
#[derive(Default)]
pub(crate) struct Listings {
    known: RefCell<FxHashMap<PathBuf, Listed>>,
    /// A request waits, so only limited work may be done.
    at_once: bool,
    /// In this resolution: entries looked at, and files and directories returned.
    looked_at: Cell<usize>,
    handed_out: Cell<usize>,
    /// The limit was exceeded: the result must not be used.
    exceeded: Cell<bool>,
    /// Directories that are not listed yet.
    unknown: Cell<usize>,
}

/// The contents of a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Listed {
    found: Result<Vec<PathBuf>, WalkProblem>,
    /// Entries that are charged for it.
    visited: usize,
    /// It includes files that only rendering reads.
    all: bool,
    /// Something may have changed since.
    stale: bool,
}

impl Listed {
    fn new(reach: &Reach, directory: &Path, limit: usize, all: bool) -> Listed {
        let below = reach.files_below(directory, limit, &|path| all || is_ours(path));
        let visited = below.as_ref().map_or(limit, |below| below.visited);
        Listed { found: below.map(|below| below.files), visited, all, stale: false }
    }
}

impl Listings {
    /// Begins a resolution. `at_once`: a request waits for the result; `anew`: whether the disk may have changed.
    pub fn begin(&mut self, at_once: bool, anew: bool) {
        for listed in self.known.get_mut().values_mut().filter(|_| anew) {
            listed.stale = true;
        }
        self.at_once = at_once;
        (self.looked_at, self.handed_out, self.unknown, self.exceeded) = Default::default();
    }

    /// How many directories were requested that are not listed yet.
    pub fn unknown(&self) -> usize {
        self.unknown.get()
    }

    /// A request waits.
    pub fn is_at_once(&self) -> bool {
        self.at_once
    }

    /// Records that more work is needed than is allowed while a request waits.
    pub fn exceed(&self) {
        self.exceeded.set(true);
    }

    /// More work was needed than is allowed while a request waits.
    pub fn exceeded(&self) -> bool {
        self.exceeded.get()
    }

    /// It was so little work that a request may wait for it.
    pub fn is_small(&self) -> bool {
        self.handed_out.get() <= AT_ONCE_HANDED_OUT && self.looked_at.get() <= AT_ONCE
    }

    /// Records that so many more were returned.
    pub fn charge(&self, count: usize) -> Result<(), InputProblem> {
        let handed_out = self.handed_out.get().saturating_add(count);
        self.handed_out.set(handed_out);
        if self.at_once && handed_out > AT_ONCE_HANDED_OUT {
            self.exceeded.set(true);
        }
        if self.exceeded.get() || handed_out > MAX_HANDED_OUT {
            Err(InputProblem::TooManyTogether(MAX_HANDED_OUT))
        } else {
            Ok(())
        }
    }

    /// The contents of a directory, if it may be listed now or was listed before. `scan_comes`: a scan of it has not
    /// arrived yet, which skips what git ignores.
    fn listed(&self, reach: &Reach, directory: &Path, all: bool, scan_comes: bool) -> Option<Listed> {
        let known = self.known.borrow().get(directory).filter(|known| known.all == all).cloned();
        if let Some(known) = known.as_ref().filter(|known| !known.stale) {
            return Some(known.clone());
        }
        let limit = if self.at_once { AT_ONCE.saturating_sub(self.looked_at.get()) } else { MAX_ENTRIES };
        let listed = Listed::new(reach, directory, limit, all);
        self.looked_at.set(self.looked_at.get().saturating_add(listed.visited));
        if self.at_once && matches!(listed.found, Err(WalkProblem::TooMany(_))) {
            if !scan_comes {
                self.exceeded.set(true);
            } else if known.is_none() {
                self.unknown.set(self.unknown.get() + 1);
            }
            return known;
        }
        self.known.borrow_mut().insert(directory.to_owned(), listed.clone());
        Some(listed)
    }
}

/// The files that the text of a set can name.
pub(crate) struct TableLister<'a> {
    pub state: &'a SetsState,
    /// List all files: without rendering, only YAML files and code matter.
    pub all: bool,
    /// How far paths in the text may lead.
    pub reach: &'a Reach,
    pub listings: &'a Listings,
}

impl TableLister<'_> {
    fn is_below_root(&self, directory: &Path) -> bool {
        self.state.roots.iter().any(|root| directory.starts_with(root))
    }

    /// Whether the scan covered a directory: files were found in it.
    fn is_scanned(&self, directory: &Path) -> bool {
        self.is_below_root(directory) && self.state.index.directories_below(directory).next().is_some()
    }

    /// The files on disk that the workspace may not know: those of directories it did not scan. In scanned directories,
    /// what git ignores is not an input, unless rendering needs everything that ytt would read.
    fn on_disk(&self, directory: &Path) -> Result<Vec<PathBuf>, InputProblem> {
        if self.state.scanned && !self.all && self.is_scanned(directory) {
            return Ok(Vec::new());
        }
        // There may be open files in a directory that does not exist yet.
        if self.reach.look(directory) == Err(ReadProblem::NotFound) {
            return Ok(Vec::new());
        }
        self.listings.charge(0)?;
        // As long as a directory is not listed, it is assumed to contain what the workspace knows of it.
        let scan_comes = !self.state.scanned && self.is_below_root(directory);
        let listed = self.listings.listed(self.reach, directory, self.all, scan_comes);
        let Some(listed) = listed else { return Ok(Vec::new()) };
        self.listings.charge(listed.visited)?;
        Ok(listed.found?)
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

    fn files_below(&self, directory: &Path) -> Result<Vec<PathBuf>, InputProblem> {
        let mut files = self.on_disk(directory)?;
        let known: FxHashSet<PathBuf> = files.iter().cloned().collect();
        for (_, files) in self.state.index.directories_below(directory) {
            self.listings.charge(1 + files.size())?;
        }
        let open = self.state.index.directories_below(directory).flat_map(|(_, files)| files);
        files.extend(
            open.filter_map(|id| self.state.file(*id))
                .map(|file| file.path.to_path_buf())
                .filter(|path| !known.contains(path)),
        );
        Ok(files)
    }

    fn text(&self, path: &Path) -> Result<String, InputProblem> {
        match self.state.file_at(path).filter(|file| file.exists() && self.reach.names(path)) {
            Some(file) => Ok(file.text_of_bytes()),
            None => Ok(bytes::text(&self.reach.bytes(path)?)),
        }
    }
}

/// Where to look for matches of a pattern of `values`: the part of its path without wildcards.
pub(crate) fn fixed_part(base: &Path, pattern: &str) -> PathBuf {
    split(base, pattern).0
}

/// The part of a pattern's path without wildcards, and the rest, which must match below it.
fn split(base: &Path, pattern: &str) -> (PathBuf, PathBuf) {
    let is_fixed = |part: &Component<'_>| part.as_os_str().to_str().is_some_and(|part| !is_pattern(part));
    let parts = Path::new(pattern).components();
    let fixed: PathBuf = parts.clone().take_while(is_fixed).collect();
    (normalise(base, &fixed), parts.skip_while(is_fixed).collect())
}

/// Files that match a pattern of `values`, sorted.
pub(crate) fn matching(lister: &TableLister<'_>, base: &Path, pattern: &str) -> Result<Vec<PathBuf>, InputProblem> {
    let (directory, rest) = split(base, pattern);
    // The names of the parent directories may look like patterns.
    let anchored = directory.to_str().map(|directory| Path::new(&globset::escape(directory)).join(rest));
    let glob = anchored.as_deref().and_then(Path::to_str).and_then(pattern_of);
    let Some(glob) = glob else { return Err(InputProblem::Pattern) };
    let matcher = glob.compile_matcher();
    let files = lister.files_below(&directory)?;
    let mut files: Vec<PathBuf> = files.into_iter().filter(|path| is_ours(path) && matcher.is_match(path)).collect();
    files.sort();
    Ok(files)
}
