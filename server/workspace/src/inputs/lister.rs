//! Which files exist: on disk for the command line, in the file table for an editor.

use super::InputProblem;
use crate::disk::path::normalise;
use crate::disk::{FileType, Reach, ReadProblem};
use lofting_eval::bytes;
use std::path::{Path, PathBuf};

/// What is at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// Something else, such as a pipe or a device.
    Irregular,
    /// Nothing.
    Missing,
    /// It is outside what the naming file may access.
    OutOfReach,
    /// A link that ytt does not follow.
    Link,
}

/// Which links ytt follows: by default none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AllowedLinks {
    /// `--dangerous-allow-all-symlink-destinations`
    pub all: bool,
    /// `--allow-symlink-destination`: links that lead to these paths or below them.
    pub destinations: Vec<String>,
}

/// A view of the file system.
pub trait Lister {
    /// What is at `path`.
    fn entry(&self, path: &Path) -> Entry;
    /// Where a path with a slash at its end leads: the system follows a link there.
    fn followed(&self, path: PathBuf) -> PathBuf {
        path
    }
    /// All files below `directory`, in any order, without following links.
    fn files_below(&self, directory: &Path) -> Result<Vec<PathBuf>, InputProblem>;
    /// The text of a file, for `--data-value-file`: bytes that are not UTF-8 are parts of characters.
    fn text(&self, path: &Path) -> Result<String, InputProblem>;
}

/// The file system itself, without restrictions: for what the user names.
#[derive(Debug, Clone, Default)]
pub struct DiskLister {
    /// All links are followed.
    all_links: bool,
    /// Where links may lead.
    destinations: Vec<PathBuf>,
}

impl DiskLister {
    /// One that follows these links; `base` is the directory that relative paths start from.
    pub fn new(links: &AllowedLinks, base: &Path) -> Self {
        let destinations = links.destinations.iter().map(|path| normalise(base, Path::new(path)));
        DiskLister { all_links: links.all, destinations: destinations.collect() }
    }

    /// Whether ytt accepts what is at a path although it may be a link.
    fn takes(&self, path: &Path) -> bool {
        self.all_links
            || Reach::of_user().link(path).is_none_or(|end| self.destinations.iter().any(|to| end.starts_with(to)))
    }
}

/// More entries than this below one directory are refused: the user gave `-f /`.
const MAX_ENTRIES: usize = 1_000_000;

impl Entry {
    /// What is at `path`.
    pub(crate) fn of(reach: &Reach, path: &Path) -> Entry {
        match reach.look(path) {
            Ok(FileType::Directory) => Entry::Directory,
            Ok(FileType::File) => Entry::File,
            Ok(_) => Entry::Irregular,
            Err(ReadProblem::OutOfReach) => Entry::OutOfReach,
            Err(_) => Entry::Missing,
        }
    }
}

impl Lister for DiskLister {
    fn entry(&self, path: &Path) -> Entry {
        match Entry::of(&Reach::of_user(), path) {
            Entry::File | Entry::Directory if !self.takes(path) => Entry::Link,
            // ytt reads what a link leads to as a file, also where it is a directory.
            Entry::Directory if Reach::of_user().link(path).is_some() => Entry::File,
            entry => entry,
        }
    }

    fn followed(&self, path: PathBuf) -> PathBuf {
        Reach::of_user().link(&path).unwrap_or(path)
    }

    fn files_below(&self, directory: &Path) -> Result<Vec<PathBuf>, InputProblem> {
        let mut below = Reach::of_user().files_below(directory, MAX_ENTRIES, &|_| true)?;
        // For ytt, a link to a directory is not a directory: it reads it as a file and fails.
        for link in below.links {
            if !self.takes(&link) {
                return Err(InputProblem::LinkBelow(link));
            }
            below.files.push(link);
        }
        Ok(below.files)
    }

    fn text(&self, path: &Path) -> Result<String, InputProblem> {
        Ok(bytes::text(&Reach::of_user().bytes(path)?))
    }
}
