//! A directory below which files are written.

use std::ffi::{OsStr, OsString};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

use crate::FoundKind;
use crate::named::{Named, resolve};
use crate::steps::{Found, Handle};
use crate::{Refusal, git};

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// A new text is enough: it can be made again.
    Quick,
    /// The text is on the disk before it takes the place of the old one.
    Durable,
}

/// An open directory, and what is known about a file in it.
#[derive(Debug)]
pub struct Folder {
    handle: Handle,
    /// Its path without links, for messages.
    path: PathBuf,
}

/// A file that was read.
#[derive(Debug)]
pub struct Text {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// When it was last changed, where the system knows it.
    pub changed: Option<SystemTime>,
}

impl Folder {
    /// The directory at a path that the user named. With `create` it is made if it is missing.
    ///
    /// # Errors
    ///
    /// A link leads to it that may not be followed, it belongs to git, or it is not a directory.
    pub fn named(path: &Path, named: Named, create: bool) -> Result<Folder, Refusal> {
        Folder::at(&resolve(path, named)?, create)
    }

    /// The directory at a path without links.
    pub(crate) fn at(real: &Path, create: bool) -> Result<Folder, Refusal> {
        let mut root = PathBuf::new();
        let mut names = Vec::new();
        for part in real.components() {
            match part {
                Component::Normal(name) => names.push(name),
                part => root.push(part),
            }
        }
        let mut folder = Folder { handle: Handle::root(&root)?, path: root };
        for name in names {
            folder = folder.enter(name, create)?;
        }
        Ok(folder)
    }

    /// Its path without links.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A new directory in this one.
    pub(crate) fn make(&self, name: &OsStr) -> Result<Folder, Refusal> {
        self.handle.make(name)?;
        self.enter(name, false)
    }

    /// A directory in this one.
    fn enter(&self, name: &OsStr, create: bool) -> Result<Folder, Refusal> {
        let path = self.path.join(name);
        let handle = match self.handle.enter(name) {
            Err(error) if error.kind() == ErrorKind::NotFound && create => {
                match self.handle.make(name) {
                    // Another process made it meanwhile.
                    Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error.into()),
                    _ => {}
                }
                self.handle.enter(name)
            }
            handle => handle,
        };
        match handle {
            Ok(handle) => Ok(Folder { handle, path }),
            Err(error) => Err(match self.handle.look(name).ok().flatten().map(|found| found.kind) {
                Some(FoundKind::Link) => Refusal::Link(path, None),
                Some(FoundKind::File | FoundKind::Other) => Refusal::NoDirectory(path),
                _ => error.into(),
            }),
        }
    }

    /// The directory of a relative path below this one, and the path's last name. Missing directories are made.
    fn below(&self, name: &Path, create: bool) -> Result<(Option<Folder>, OsString), Refusal> {
        let mut names = Vec::new();
        let mut path = self.path.clone();
        for part in name.components() {
            let Component::Normal(name) = part else { return Err(Refusal::LeadsOut) };
            path.push(name);
            if git::is_name(name) {
                return Err(Refusal::Git(path));
            }
            names.push(name);
        }
        let last = names.pop().ok_or(Refusal::Directory)?;
        let mut inner: Option<Folder> = None;
        for name in names {
            let next = inner.as_ref().unwrap_or(self).enter(name, create)?;
            if git::is_directory(&next.path) {
                return Err(Refusal::Git(next.path));
            }
            inner = Some(next);
        }
        Ok((inner, last.to_owned()))
    }

    /// Writes a file at a relative path below this directory; missing directories are made. The file is written
    /// completely or not at all, under a new name that takes the place of the old one.
    ///
    /// # Errors
    ///
    /// The path leads out, through a link or into git; or a link, a directory or something else that is not a regular
    /// file is at its place, or one that is read-only.
    pub fn write(&self, name: &Path, bytes: &[u8], access: Access) -> Result<(), Refusal> {
        let (inner, last) = self.below(name, true)?;
        inner.as_ref().unwrap_or(self).put(&last, bytes, access)
    }

    /// Renames something in this directory.
    pub(crate) fn rename(&self, old: &OsStr, new: &OsStr) -> io::Result<()> {
        self.handle.rename(old, new)
    }

    /// Writes a file in this directory.
    fn put(&self, name: &OsStr, bytes: &[u8], access: Access) -> Result<(), Refusal> {
        let old = self.writable(name)?;
        let new = temporary(name);
        let written = self.handle.create_new(&new).and_then(|mut file| {
            file.write_all(bytes)?;
            old.as_ref().map_or(Ok(()), |old| self.handle.permit(&file, old))?;
            if access == Access::Durable { file.sync_all() } else { Ok(()) }
        });
        let placed = written.and_then(|()| self.handle.rename(&new, name));
        placed.map_err(|error| {
            // The temporary file is removed, whatever failed.
            let _ = self.handle.remove(&new);
            error.into()
        })
    }

    /// The file that would be replaced, if there is one and it may be.
    pub(crate) fn writable(&self, name: &OsStr) -> Result<Option<Found>, Refusal> {
        if git::is_name(name) {
            return Err(Refusal::Git(self.path.join(name)));
        }
        let Some(found) = self.handle.look(name)? else { return Ok(None) };
        match found.kind {
            FoundKind::Link => Err(Refusal::Link(self.path.join(name), None)),
            FoundKind::Directory => Err(Refusal::Directory),
            FoundKind::Other => Err(Refusal::NoFile),
            FoundKind::File if found.read_only => Err(Refusal::ReadOnly),
            FoundKind::File => Ok(Some(found)),
        }
    }

    /// A file in this directory for writing at its end, and nothing but a regular file.
    pub(crate) fn append(&self, name: &OsStr) -> Result<std::fs::File, Refusal> {
        if self.writable(name)?.is_some_and(|found| found.names > 1) {
            return Err(Refusal::SeveralNames);
        }
        let file = self.handle.append(name)?;
        // It may have been replaced since.
        if file.metadata()?.is_file() { Ok(file) } else { Err(Refusal::NoFile) }
    }

    /// A regular file at a relative path below this directory, if it has at most `limit` bytes. None if there is none.
    ///
    /// # Errors
    ///
    /// As for [`Folder::write`], or the file is larger.
    pub fn read(&self, name: &Path, limit: u64) -> Result<Option<Text>, Refusal> {
        let missing = |refusal: &Refusal| matches!(refusal, Refusal::System(e) if e.kind() == ErrorKind::NotFound);
        let (inner, last) = match self.below(name, false) {
            Err(refusal) if missing(&refusal) => return Ok(None),
            below => below?,
        };
        let folder = inner.as_ref().unwrap_or(self);
        // Opening a device can have effects.
        match folder.handle.look(&last)?.map(|found| found.kind) {
            None => return Ok(None),
            Some(FoundKind::File) => {}
            Some(FoundKind::Link) => return Err(Refusal::Link(folder.path.join(last), None)),
            Some(FoundKind::Directory) => return Err(Refusal::Directory),
            Some(FoundKind::Other) => return Err(Refusal::NoFile),
        }
        let file = folder.handle.open(&last)?;
        let meta = file.metadata()?;
        if !meta.is_file() {
            return Err(Refusal::NoFile);
        }
        let mut bytes = Vec::new();
        file.take(limit + 1).read_to_end(&mut bytes)?;
        if u64::try_from(bytes.len()).is_ok_and(|size| size > limit) {
            return Err(Refusal::System(io::Error::new(
                ErrorKind::FileTooLarge,
                format!("it has more than {limit} bytes"),
            )));
        }
        Ok(Some(Text { bytes, changed: meta.modified().ok() }))
    }

    /// Size in bytes and time of last change of a regular file; None for anything else.
    pub fn stat(&self, name: &Path) -> Option<(u64, Option<SystemTime>)> {
        let (inner, last) = self.below(name, false).ok()?;
        let folder = inner.as_ref().unwrap_or(self);
        if folder.handle.look(&last).ok()??.kind != FoundKind::File {
            return None;
        }
        let meta = folder.handle.open(&last).ok()?.metadata().ok()?;
        meta.is_file().then(|| (meta.len(), meta.modified().ok()))
    }

    /// Removes the file at a relative path below this directory; a link there is removed and not followed.
    ///
    /// # Errors
    ///
    /// As for [`Folder::write`], or it does not exist.
    pub fn remove(&self, name: &Path) -> Result<(), Refusal> {
        let (inner, last) = self.below(name, false)?;
        Ok(inner.as_ref().unwrap_or(self).handle.remove(&last)?)
    }

    /// The names in a directory below this one, or in this one if `name` is empty, unsorted.
    ///
    /// # Errors
    ///
    /// It is not a directory, or cannot be read.
    pub fn names(&self, name: &Path) -> Result<Vec<OsString>, Refusal> {
        if name.as_os_str().is_empty() {
            return Ok(self.handle.names()?);
        }
        let (inner, last) = self.below(name, false)?;
        Ok(inner.as_ref().unwrap_or(self).enter(&last, false)?.handle.names()?)
    }
}

/// A name for something that takes the place of this. It is random, because other processes may write here as well.
pub(crate) fn temporary(name: &OsStr) -> OsString {
    OsString::from(format!(".lofting-{:016x}", RandomState::new().hash_one(name)))
}
