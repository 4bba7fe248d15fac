//! Files as an editor sees them: those on disk, and those it holds that are not saved yet.

use crate::files::disk::{Reach, ReadProblem, WalkProblem};
use crate::files::path::normalise;
use crate::files::scan::{FoundFile, is_ours, look_at};
use crate::input_sets::inputs::{Entry, Lister};
use crate::state::State;
use globset::GlobBuilder;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A directory of an input set with more entries than this is refused.
const MAX_ENTRIES: usize = 200_000;

/// Files and directories that all sets together may have listed and handed out.
const MAX_HANDED_OUT: usize = 1_000_000;

/// Entries that may be looked at while others wait: a few milliseconds. Larger directories are listed elsewhere.
const AT_ONCE: usize = 1_000;

/// What lies below the directories that sets name: several name the same. Kept from one moment to the next.
#[derive(Default)]
pub(crate) struct Listings {
    known: RefCell<FxHashMap<PathBuf, Listed>>,
    /// Nobody waits for large directories: those are listed by [`ListingJob`].
    elsewhere: bool,
    wanted: RefCell<FxHashMap<PathBuf, Reach>>,
    /// Of this moment: entries looked at, and files and directories handed out.
    looked_at: Cell<usize>,
    handed_out: Cell<usize>,
    /// Directories of which nothing is known yet.
    unknown: Cell<usize>,
}

/// What lay below a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Listed {
    found: Result<Vec<PathBuf>, WalkProblem>,
    /// Entries that are charged for it.
    visited: usize,
    /// It is listed with files that only rendering reads.
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
    /// Large directories are to be listed elsewhere: an editor waits for nothing.
    pub fn list_elsewhere(&mut self) {
        self.elsewhere = true;
    }

    /// Another moment begins, in which what lies on disk may be something else.
    pub fn begin(&mut self) {
        for listed in self.known.get_mut().values_mut() {
            listed.stale = true;
        }
        self.go_on();
    }

    /// Another moment begins; what was listed holds.
    fn go_on(&mut self) {
        (self.looked_at, self.handed_out, self.unknown) = Default::default();
    }

    /// How many directories were asked for of which nothing is known yet.
    pub fn unknown(&self) -> usize {
        self.unknown.get()
    }

    /// Forgets what lies where: text may lead further now, or less far.
    pub fn clear(&mut self) {
        self.known.get_mut().clear();
    }

    /// What is to be listed elsewhere, if anything is.
    pub fn take_wanted(&mut self, state: &Arc<State>) -> Option<ListingJob> {
        let wanted = std::mem::take(self.wanted.get_mut());
        (!wanted.is_empty()).then(|| ListingJob { wanted: wanted.into_iter().collect(), state: state.clone() })
    }

    /// Takes over what was listed elsewhere; whether any of it is news.
    pub fn take_over(&mut self, listed: Vec<(PathBuf, Listed)>) -> bool {
        self.go_on();
        let mut is_other = false;
        for (directory, listed) in listed {
            let old = self.known.get_mut().insert(directory, listed.clone());
            is_other |= old.is_none_or(|old| old.found != listed.found);
        }
        is_other
    }

    /// What lies below a directory, if it may be looked at now or was before.
    fn listed(&self, reach: &Reach, directory: &Path, all: bool, scan_comes: bool) -> Option<Listed> {
        let known = self.known.borrow().get(directory).filter(|known| known.all == all).cloned();
        if let Some(known) = known.as_ref().filter(|known| !known.stale) {
            return Some(known.clone());
        }
        let limit = match self.elsewhere {
            true => AT_ONCE.saturating_sub(self.looked_at.get()),
            false => MAX_ENTRIES,
        };
        let listed = Listed::new(reach, directory, limit, all);
        self.looked_at.set(self.looked_at.get().saturating_add(listed.visited));
        if self.elsewhere && matches!(listed.found, Err(WalkProblem::TooMany(_))) {
            // The scan passes by what git ignores, and sets are made again behind it.
            if !scan_comes {
                self.wanted.borrow_mut().insert(directory.to_owned(), reach.clone());
            }
            if known.is_none() {
                self.unknown.set(self.unknown.get() + 1);
            }
            return known;
        }
        self.known.borrow_mut().insert(directory.to_owned(), listed.clone());
        Some(listed)
    }
}

/// Large directories to be listed, as something that can be sent to another thread.
pub struct ListingJob {
    wanted: Vec<(PathBuf, Reach)>,
    state: Arc<State>,
}

/// What lies below them.
pub struct ListingsFound {
    pub(crate) listed: Vec<(PathBuf, Listed)>,
    /// Files among them that the workspace did not know.
    pub(crate) new: Vec<FoundFile>,
}

impl ListingJob {
    /// Lists them. The result goes to [`crate::Workspace::take_listings`].
    pub fn run(self) -> ListingsFound {
        let (mut listed, mut new) = (Vec::new(), Vec::new());
        for (directory, reach) in self.wanted {
            let below = Listed::new(&reach, &directory, MAX_ENTRIES, false);
            let files = below.found.iter().flatten();
            let unknown = files.filter(|path| self.state.file_at(path).is_none_or(|file| !file.exists()));
            new.extend(unknown.map(|path| look_at(path.clone(), &reach)));
            listed.push((directory, below));
        }
        ListingsFound { listed, new }
    }
}

/// The files that the text of a set can name.
pub(crate) struct TableLister<'a> {
    pub state: &'a State,
    /// The workspace folders were scanned.
    pub scanned: bool,
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

    fn is_below_root(&self, directory: &Path) -> bool {
        self.state.roots.iter().any(|root| directory.starts_with(root))
    }

    /// Whether the scan came through a directory: it holds files that were found there.
    fn is_scanned(&self, directory: &Path) -> bool {
        self.is_below_root(directory) && self.state.index.directories_below(directory).next().is_some()
    }

    /// The files on disk that the workspace may not know: those of directories it did not scan. What git ignores in those
    /// it did is no input, unless rendering asks for what ytt would read.
    fn on_disk(&self, directory: &Path) -> Result<Vec<PathBuf>, String> {
        if self.scanned && !self.all && self.is_scanned(directory) {
            return self.charge(0).map(|()| Vec::new());
        }
        // There may be editor's files in a directory that is not made yet.
        if self.reach.look(directory) == Err(ReadProblem::NotFound) {
            return Ok(Vec::new());
        }
        self.charge(0)?;
        // What is not listed yet is taken to hold what the workspace knows of it.
        let scan_comes = !self.scanned && self.is_below_root(directory);
        let listed = self.listings.listed(self.reach, directory, self.all, scan_comes);
        let Some(listed) = listed else { return Ok(Vec::new()) };
        self.charge(listed.visited)?;
        listed.found.map_err(|problem| problem.to_string())
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
