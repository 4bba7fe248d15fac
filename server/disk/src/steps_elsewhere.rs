//! Single steps in the file system by path, for systems without calls relative to an open directory. Each looks for a
//! link before it continues; another program could put one there in between.

use crate::FoundKind;
use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// What is known about a place.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub kind: FoundKind,
    /// It is read-only.
    pub read_only: bool,
    /// How many names the file has; not known here.
    pub names: u64,
    permissions: std::fs::Permissions,
}

/// A directory.
#[derive(Debug)]
pub(crate) struct Handle(PathBuf);

impl Handle {
    /// The directory at the root of the file system.
    pub fn root(path: &Path) -> io::Result<Handle> {
        Ok(Handle(path.to_owned()))
    }

    /// A directory in this one.
    pub fn enter(&self, name: &OsStr) -> io::Result<Handle> {
        match self.look(name)?.map(|found| found.kind) {
            Some(FoundKind::Directory) => Ok(Handle(self.0.join(name))),
            Some(_) => Err(io::ErrorKind::NotADirectory.into()),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// Makes a directory in this one.
    pub fn make(&self, name: &OsStr) -> io::Result<()> {
        std::fs::create_dir(self.0.join(name))
    }

    /// What is in this directory under a name.
    pub fn look(&self, name: &OsStr) -> io::Result<Option<Found>> {
        let meta = match std::fs::symlink_metadata(self.0.join(name)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            meta => meta?,
        };
        let kind = match () {
            () if meta.is_symlink() => FoundKind::Link,
            () if meta.is_dir() => FoundKind::Directory,
            () if meta.is_file() => FoundKind::File,
            () => FoundKind::Other,
        };
        let permissions = meta.permissions();
        Ok(Some(Found { kind, read_only: permissions.readonly(), names: 1, permissions }))
    }

    /// A new file for writing.
    pub fn create_new(&self, name: &OsStr) -> io::Result<File> {
        File::create_new(self.0.join(name))
    }

    /// A file for writing at its end, new or old.
    pub fn append(&self, name: &OsStr) -> io::Result<File> {
        OpenOptions::new().append(true).create(true).open(self.0.join(name))
    }

    /// A file for reading.
    pub fn open(&self, name: &OsStr) -> io::Result<File> {
        File::open(self.0.join(name))
    }

    /// Gives a file the permissions of another.
    pub fn permit(&self, file: &File, like: &Found) -> io::Result<()> {
        file.set_permissions(like.permissions.clone())
    }

    /// Renames a file in this directory. What had the new name is replaced; a directory is not.
    pub fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        std::fs::rename(self.0.join(from), self.0.join(to))
    }

    /// Removes a name that is not a directory's.
    pub fn remove(&self, name: &OsStr) -> io::Result<()> {
        std::fs::remove_file(self.0.join(name))
    }

    /// The names in this directory.
    pub fn names(&self) -> io::Result<Vec<OsString>> {
        std::fs::read_dir(&self.0)?.map(|entry| Ok(entry?.file_name())).collect()
    }
}
