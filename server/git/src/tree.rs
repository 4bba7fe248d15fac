//! The files of a commit.

use crate::named;
use crate::objects::{LARGEST, Objects};
use crate::problem::Problem;
use gix_hash::{Kind as Hash, ObjectId};
use gix_object::tree::EntryKind as Mode;
use gix_object::{Kind, TreeRefIter};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Larger trees are refused: trees that name the same tree many times can have any size.
const FILES: usize = 1_000_000;

/// Directories inside each other.
const DEEP: usize = 200;

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// A file.
    File,
    /// A symbolic link; its bytes are where it leads.
    Link,
    /// A directory.
    Directory,
    /// Another repository (a submodule), whose files are not here.
    Submodule,
}

/// An entry of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeEntry {
    /// What it is.
    pub kind: EntryKind,
    id: ObjectId,
}

impl TreeEntry {
    /// Whether it has these bytes.
    pub fn has(&self, bytes: &[u8]) -> bool {
        gix_object::compute_hash(Hash::Sha1, Kind::Blob, bytes).is_ok_and(|id| id == self.id)
    }
}

/// The files of a commit, by their paths relative to the root.
#[derive(Debug)]
pub struct Tree {
    objects: Arc<Objects>,
    commit: ObjectId,
    /// What is directly in each directory.
    directories: BTreeMap<PathBuf, BTreeMap<OsString, TreeEntry>>,
}

impl Tree {
    /// Reads all directories of a commit, and no file.
    pub(crate) fn of_commit(objects: Arc<Objects>, commit: ObjectId) -> Result<Tree, Problem> {
        let root = named::tree_of(&objects, commit)?;
        let mut directories = BTreeMap::new();
        let mut open = vec![(PathBuf::new(), root, 0)];
        let mut count = 0;
        while let Some((directory, id, depth)) = open.pop() {
            let (kind, bytes) = objects.read(id)?;
            if kind != Kind::Tree {
                return Err(Problem::Damaged(format!("the object {id} is not a directory")));
            }
            let mut entries = BTreeMap::new();
            for entry in TreeRefIter::from_bytes(&bytes, Hash::Sha1) {
                let entry = entry.map_err(|_| Problem::Damaged(format!("the directory {id} cannot be read")))?;
                let Some(name) = name(entry.filename.as_ref()) else { continue };
                let kind = match entry.mode.kind() {
                    Mode::Tree => EntryKind::Directory,
                    Mode::Blob | Mode::BlobExecutable => EntryKind::File,
                    Mode::Link => EntryKind::Link,
                    Mode::Commit => EntryKind::Submodule,
                };
                let id = entry.oid.to_owned();
                count += 1;
                if count > FILES || depth >= DEEP {
                    return Err(Problem::TooMuch("the revision has too many files"));
                }
                if kind == EntryKind::Directory {
                    open.push((directory.join(&name), id, depth + 1));
                }
                entries.insert(name, TreeEntry { kind, id });
            }
            directories.insert(directory, entries);
        }
        Ok(Tree { objects, commit, directories })
    }

    /// The hash of the commit.
    pub fn commit(&self) -> String {
        self.commit.to_string()
    }

    /// All entries but directories, by their paths.
    pub fn files(&self) -> impl Iterator<Item = (PathBuf, TreeEntry)> {
        let entries = self
            .directories
            .iter()
            .flat_map(|(directory, entries)| entries.iter().map(move |(name, entry)| (directory.join(name), *entry)));
        entries.filter(|(_, entry)| entry.kind != EntryKind::Directory)
    }

    /// What is at a path.
    pub fn get(&self, path: &Path) -> Option<TreeEntry> {
        self.directories.get(path.parent()?)?.get(path.file_name()?).copied()
    }

    /// What is directly in a directory; None if there is none.
    pub fn list(&self, directory: &Path) -> Option<impl Iterator<Item = (&OsStr, TreeEntry)>> {
        let entries = self.directories.get(directory)?;
        Some(entries.iter().map(|(name, entry)| (name.as_os_str(), *entry)))
    }

    /// The bytes of a file, or where a link leads.
    pub fn bytes(&self, entry: TreeEntry) -> Result<Vec<u8>, Problem> {
        Ok(self.objects.read(entry.id)?.1)
    }

    /// How many bytes a file has; None if it is not in the repository or too large to be read.
    pub fn size(&self, entry: TreeEntry) -> Option<u64> {
        self.objects.size(entry.id).filter(|size| *size <= LARGEST)
    }
}

/// The bytes of a file in a commit. Only the directories on the way are read.
pub(crate) fn file(objects: &Objects, commit: ObjectId, path: &Path) -> Result<Option<Vec<u8>>, Problem> {
    let mut here = named::tree_of(objects, commit)?;
    let mut names = path.iter().peekable();
    while let Some(wanted) = names.next() {
        let (kind, bytes) = objects.read(here)?;
        if kind != Kind::Tree {
            return Err(Problem::Damaged(format!("the object {here} is not a directory")));
        }
        let mut found = None;
        for entry in TreeRefIter::from_bytes(&bytes, Hash::Sha1) {
            let entry = entry.map_err(|_| Problem::Damaged(format!("the directory {here} cannot be read")))?;
            if name(entry.filename.as_ref()).is_some_and(|name| name == wanted) {
                found = Some((entry.mode.kind(), entry.oid.to_owned()));
                break;
            }
        }
        match (found, names.peek()) {
            (Some((Mode::Tree, id)), Some(_)) => here = id,
            (Some((Mode::Blob | Mode::BlobExecutable, id)), None) => return Ok(Some(objects.read(id)?.1)),
            _ => return Ok(None),
        }
    }
    Ok(None)
}

/// A name as part of a path; None if it could lead elsewhere, or into git's own directory.
fn name(bytes: &[u8]) -> Option<OsString> {
    let is_path = bytes.iter().any(|byte| *byte == 0 || std::path::is_separator(char::from(*byte)));
    if bytes.is_empty() || bytes == b"." || bytes == b".." || is_path {
        return None;
    }
    let name = of_bytes(bytes)?;
    (!lofting_disk::git::is_name(&name)).then_some(name)
}

#[cfg(unix)]
fn of_bytes(bytes: &[u8]) -> Option<OsString> {
    use std::os::unix::ffi::OsStringExt;
    Some(OsString::from_vec(bytes.to_vec()))
}

#[cfg(not(unix))]
fn of_bytes(bytes: &[u8]) -> Option<OsString> {
    String::from_utf8(bytes.to_vec()).ok().map(OsString::from)
}
