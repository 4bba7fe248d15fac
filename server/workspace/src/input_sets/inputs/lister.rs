//! Which files there are: on disk for the command line, in the file table for an editor.

use crate::files::disk::{Kind, Reach, ReadProblem};
use std::path::{Path, PathBuf};

/// What stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// Nothing.
    Missing,
    /// It lies where who names it must not lead.
    OutOfReach,
}

/// A view of the file system.
pub trait Lister {
    /// What stands at `path`.
    fn entry(&self, path: &Path) -> Entry;
    /// All files below `directory`, in any order, links not followed.
    fn files_below(&self, directory: &Path) -> Result<Vec<PathBuf>, String>;
    /// The text of a file, for `--data-value-file`.
    fn text(&self, path: &Path) -> Result<String, String>;
}

/// The file system itself, as far as it goes: for what the user names.
#[derive(Debug, Clone, Copy, Default)]
pub struct DiskLister;

/// More entries than this below one directory are refused: somebody gave `-f /`.
const MAX_ENTRIES: usize = 1_000_000;

impl Entry {
    /// What stands at `path`.
    pub(crate) fn of(reach: &Reach, path: &Path) -> Entry {
        match reach.look(path) {
            Ok(Kind::Directory) => Entry::Directory,
            Ok(_) => Entry::File,
            Err(ReadProblem::OutOfReach) => Entry::OutOfReach,
            Err(_) => Entry::Missing,
        }
    }
}

impl Lister for DiskLister {
    fn entry(&self, path: &Path) -> Entry {
        Entry::of(&Reach::of_user(), path)
    }

    fn files_below(&self, directory: &Path) -> Result<Vec<PathBuf>, String> {
        let below = Reach::of_user().files_below(directory, MAX_ENTRIES, &|_| true);
        Ok(below.map_err(|problem| problem.to_string())?.files)
    }

    fn text(&self, path: &Path) -> Result<String, String> {
        Reach::of_user().text(path).map_err(|problem| problem.to_string())
    }
}
