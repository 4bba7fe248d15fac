//! Single steps in the file system, relative to an open directory. None follows a link.

use crate::FoundKind;
use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// What is known about a place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found {
    pub kind: FoundKind,
    /// It is read-only.
    pub read_only: bool,
    /// How many names the file has.
    pub names: u64,
    /// Permissions, as in `chmod`.
    mode: u32,
}

/// An open directory.
#[derive(Debug)]
pub(crate) struct Handle(OwnedFd);

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

impl Handle {
    /// The directory at the root of the file system.
    pub fn root(path: &Path) -> io::Result<Handle> {
        Ok(Handle(rustix::fs::openat(CWD, path, FOLDER, Mode::empty())?))
    }

    /// A directory in this one.
    pub fn enter(&self, name: &OsStr) -> io::Result<Handle> {
        Ok(Handle(rustix::fs::openat(&self.0, name, FOLDER, Mode::empty())?))
    }

    /// Makes a directory in this one.
    pub fn make(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::mkdirat(&self.0, name, Mode::from_raw_mode(0o777))?)
    }

    /// What is in this directory under a name.
    pub fn look(&self, name: &OsStr) -> io::Result<Option<Found>> {
        let stat = match rustix::fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW) {
            Err(rustix::io::Errno::NOENT) => return Ok(None),
            stat => stat?,
        };
        let kind = match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => FoundKind::File,
            FileType::Directory => FoundKind::Directory,
            FileType::Symlink => FoundKind::Link,
            _ => FoundKind::Other,
        };
        // Types of these differ between systems.
        #[allow(clippy::unnecessary_cast, clippy::useless_conversion)]
        let (mode, names) = (u32::from(stat.st_mode) & 0o7777, stat.st_nlink as u64);
        Ok(Some(Found { kind, read_only: mode & 0o222 == 0, names, mode }))
    }

    /// A new file for writing.
    pub fn create_new(&self, name: &OsStr) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(rustix::fs::openat(&self.0, name, flags, Mode::from_raw_mode(0o666))?.into())
    }

    /// A file for writing at its end, new or old.
    pub fn append(&self, name: &OsStr) -> io::Result<File> {
        let waiting = OFlags::NONBLOCK | OFlags::NOCTTY;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::APPEND | OFlags::NOFOLLOW | OFlags::CLOEXEC | waiting;
        Ok(rustix::fs::openat(&self.0, name, flags, Mode::from_raw_mode(0o666))?.into())
    }

    /// A file for reading.
    pub fn open(&self, name: &OsStr) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
        Ok(rustix::fs::openat(&self.0, name, flags, Mode::empty())?.into())
    }

    /// Gives a file the permissions of another.
    pub fn permit(&self, file: &File, like: &Found) -> io::Result<()> {
        use std::os::unix::fs::PermissionsExt;
        file.set_permissions(std::fs::Permissions::from_mode(like.mode))
    }

    /// Renames a file in this directory. What had the new name is replaced; a directory is not.
    pub fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::renameat(&self.0, from, &self.0, to)?)
    }

    /// Removes a name that is not a directory's.
    pub fn remove(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.0, name, AtFlags::empty())?)
    }

    /// The names in this directory.
    pub fn names(&self) -> io::Result<Vec<OsString>> {
        let mut names = Vec::new();
        for entry in Dir::read_from(&self.0)? {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if name != b"." && name != b".." {
                names.push(OsStr::from_bytes(name).to_owned());
            }
        }
        Ok(names)
    }
}
