//! Files that are not on the disk: those of a revision stand for all that lies below a folder.

use super::asked::ask;
use super::found::{FileType, Links, Listed, ReadProblem, Stat};
use super::open;
use rustc_hash::FxHashSet;
use std::ffi::OsString;
use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// Links that lead to links: more is a loop.
const HOPS: usize = 40;

/// How long the target of a link may be, in bytes.
const MAX_LINK: u64 = 4096;

/// What is at a path of stored files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoredKind {
    /// A file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link; its bytes are where it leads.
    Link,
    /// Something that has no content here.
    Other,
}

/// Files that are kept elsewhere than on the disk. All paths are relative, without `.` and `..`, and no link is followed.
pub trait Stored: fmt::Debug + Send + Sync {
    /// What is at a path; None if there is nothing.
    fn kind(&self, path: &Path) -> Option<StoredKind>;
    /// What is directly in a directory.
    fn list(&self, directory: &Path) -> Vec<(OsString, StoredKind)>;
    /// The size of a file in bytes, if it can be read.
    fn size(&self, path: &Path) -> Option<u64>;
    /// The bytes of a file, or where a link leads, if there are at most `limit`.
    fn bytes(&self, path: &Path, limit: u64) -> Result<Vec<u8>, ReadProblem>;
    /// Whether a file has these bytes.
    fn has(&self, path: &Path, bytes: &[u8]) -> bool {
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.bytes(path, length).is_ok_and(|known| known == bytes)
    }
}

/// A folder of the disk whose content is that of stored files.
#[derive(Debug, Clone)]
pub struct StoredFolder {
    /// The folder as the user writes it.
    pub written: PathBuf,
    /// The folder with links resolved.
    pub real: PathBuf,
    /// Folders in it, relative to it, whose content is on the disk nevertheless.
    pub elsewhere: FxHashSet<PathBuf>,
    /// The files.
    pub files: Arc<dyn Stored>,
}

/// Where files are: on the disk, and below one folder perhaps elsewhere.
#[derive(Debug, Clone, Default)]
pub(crate) struct Volume(Option<Arc<StoredFolder>>);

impl PartialEq for Volume {
    fn eq(&self, other: &Volume) -> bool {
        match (&self.0, &other.0) {
            (Some(folder), Some(other)) => Arc::ptr_eq(folder, other),
            (None, None) => true,
            _ => false,
        }
    }
}

impl Eq for Volume {}

/// A path without links, in the stored files.
struct Resolved<'v> {
    folder: &'v StoredFolder,
    path: PathBuf,
    kind: StoredKind,
}

impl Volume {
    pub fn of(folder: Option<StoredFolder>) -> Volume {
        Volume(folder.map(Arc::new))
    }

    /// The stored files for a path, and its place among them; None if the path is one of the disk.
    fn place<'v, 'p>(&'v self, path: &'p Path) -> Option<(&'v StoredFolder, &'p Path)> {
        ask();
        let folder = self.0.as_deref()?;
        let below = path.strip_prefix(&folder.real).or_else(|_| path.strip_prefix(&folder.written)).ok()?;
        // What belongs to git is on the disk.
        let is_git = |part: Component<'_>| lofting_disk::git::is_name(part.as_os_str());
        let is_on_disk =
            below.ancestors().any(|above| folder.elsewhere.contains(above)) || below.components().any(is_git);
        (!is_on_disk).then_some((folder, below))
    }

    /// Whether a path is one of the disk.
    pub(super) fn is_disk(&self, path: &Path) -> bool {
        self.place(path).is_none()
    }

    /// The bytes of a regular file, if there are at most `limit`.
    pub(super) fn read(&self, path: &Path, links: Links, limit: u64) -> Result<Vec<u8>, ReadProblem> {
        self.stat_and_bytes(path, links, limit).map(|(_, bytes)| bytes)
    }

    /// The state of a regular file, and its bytes if there are at most `limit`.
    pub(super) fn stat_and_bytes(&self, path: &Path, links: Links, limit: u64) -> Result<(Stat, Vec<u8>), ReadProblem> {
        let Some((folder, below)) = self.place(path) else { return open::stat_and_bytes(path, links, limit) };
        let found = folder.resolve(below).ok_or(ReadProblem::NotFound)?;
        match found.kind {
            StoredKind::File if links != Links::Followed && found.path != below => {
                return Err(ReadProblem::NoFile);
            }
            StoredKind::File => {}
            StoredKind::Directory => return Err(ReadProblem::Directory),
            StoredKind::Link | StoredKind::Other => return Err(ReadProblem::NoFile),
        }
        let bytes = folder.files.bytes(&found.path, limit)?;
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if size > limit {
            return Err(ReadProblem::TooLarge(size));
        }
        Ok((Stat { modified: None, size }, bytes))
    }

    /// The entries of a directory, unsorted.
    pub fn list(&self, directory: &Path) -> std::io::Result<Box<dyn Iterator<Item = std::io::Result<Listed>>>> {
        let Some((folder, below)) = self.place(directory) else { return Ok(Box::new(open::list(directory)?)) };
        let Some(Resolved { path, kind: StoredKind::Directory, .. }) = folder.resolve(below) else {
            return Err(std::io::ErrorKind::NotFound.into());
        };
        let listed = folder
            .files
            .list(&path)
            .into_iter()
            .map(|(name, kind)| Ok(Listed { name, kind: file_type(kind), is_link: kind == StoredKind::Link }));
        Ok(Box::new(listed))
    }

    /// Whether there is a link at a path.
    pub fn is_link(&self, path: &Path) -> bool {
        let Some((folder, below)) = self.place(path) else { return open::is_link(path) };
        let (Some(parent), Some(name)) = (below.parent(), below.file_name()) else { return false };
        let parent = folder.resolve(parent);
        parent.is_some_and(|parent| folder.files.kind(&parent.path.join(name)) == Some(StoredKind::Link))
    }

    /// The path with links resolved, if it exists.
    pub fn real(&self, path: &Path) -> Option<PathBuf> {
        match self.place(path) {
            Some((folder, below)) => Some(folder.real.join(folder.resolve(below)?.path)),
            None => open::real(path),
        }
    }

    /// The kind of what is at a path, following links, and its time of last change.
    pub fn kind_of(&self, path: &Path) -> Option<(FileType, Option<SystemTime>)> {
        match self.place(path) {
            Some((folder, below)) => Some((file_type(folder.resolve(below)?.kind), None)),
            None => open::kind_of(path),
        }
    }

    /// The state of a regular file; `None` if there is none.
    pub fn stat(&self, path: &Path) -> Option<Stat> {
        let Some((folder, below)) = self.place(path) else { return Stat::of(path) };
        let found = folder.resolve(below).filter(|found| found.kind == StoredKind::File)?;
        Some(Stat { modified: None, size: found.folder.files.size(&found.path)? })
    }
}

fn file_type(kind: StoredKind) -> FileType {
    match kind {
        StoredKind::File => FileType::File,
        StoredKind::Directory => FileType::Directory,
        StoredKind::Link | StoredKind::Other => FileType::Other,
    }
}

impl StoredFolder {
    /// Whether a file, by its path as the user writes it, has these bytes.
    pub(crate) fn has(&self, path: &Path, bytes: &[u8]) -> bool {
        path.strip_prefix(&self.written).is_ok_and(|below| self.files.has(below, bytes))
    }

    /// What a path finally leads to. A link that leads out of the folder leads nowhere.
    fn resolve(&self, below: &Path) -> Option<Resolved<'_>> {
        let mut path = PathBuf::new();
        let mut kind = StoredKind::Directory;
        let mut ahead: Vec<OsString> = parts(below)?;
        let mut hops = 0;
        while let Some(part) = ahead.pop() {
            if part == ".." {
                if !path.pop() {
                    return None;
                }
                kind = StoredKind::Directory;
                continue;
            }
            path.push(&part);
            kind = self.files.kind(&path)?;
            if kind != StoredKind::Link {
                continue;
            }
            hops += 1;
            if hops > HOPS {
                return None;
            }
            let target = String::from_utf8(self.files.bytes(&path, MAX_LINK).ok()?).ok()?;
            path.pop();
            let target = Path::new(&target);
            if target.is_absolute() {
                ahead.extend(parts(target.strip_prefix(&self.real).ok()?)?);
                path.clear();
            } else {
                ahead.extend(parts(target)?);
            }
        }
        Some(Resolved { folder: self, path, kind })
    }
}

/// The parts of a relative path, the last one first.
fn parts(path: &Path) -> Option<Vec<OsString>> {
    let part = |part: Component<'_>| match part {
        Component::CurDir => Some(None),
        Component::Normal(_) | Component::ParentDir => Some(Some(part.as_os_str().to_owned())),
        Component::RootDir | Component::Prefix(_) => None,
    };
    let all: Option<Vec<Option<OsString>>> = path.components().rev().map(part).collect();
    Some(all?.into_iter().flatten().collect())
}
