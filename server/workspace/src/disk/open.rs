//! Opens files: up to a size limit, regular files only, and with every failure as a value for a message.
//!
//! A name can stand for anything: a pipe without a writer, an endless device, a file that grows. So a file is
//! examined, opened without blocking, examined again (it may have been replaced), and read up to a limit.

use std::ffi::OsString;
use std::fmt;
use std::fs::{File, Metadata, OpenOptions};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Files above this size (bytes) are not read. A text of this size still parses in under a second.
pub const MAX_FILE_SIZE: u64 = 50 * 1024 * 1024;

/// Tells whether a file has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stat {
    /// Last change, where the file system knows it.
    pub modified: Option<SystemTime>,
    /// Size in bytes.
    pub size: u64,
}

impl Stat {
    /// The state of a regular file; `None` if there is none. Opens nothing.
    pub fn of(path: &Path) -> Option<Stat> {
        let meta = std::fs::metadata(path).ok()?;
        meta.is_file().then(|| Stat { modified: meta.modified().ok(), size: meta.len() })
    }
}

/// Time of last change and size in bytes of whatever is at a path that the user named, such as a directory.
pub fn last_change(path: &Path) -> Option<(SystemTime, u64)> {
    let meta = std::fs::metadata(path).ok()?;
    Some((meta.modified().ok()?, meta.len()))
}

/// Why a file cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadProblem {
    /// It is not there.
    NotFound,
    /// A directory is where a file was expected.
    Directory,
    /// A pipe, a device or a socket: reading it could block or never end.
    NoFile,
    /// It is larger than [`MAX_FILE_SIZE`]; its size in bytes.
    TooLarge(u64),
    /// The first byte (from 0) that is not UTF-8.
    NotUtf8(usize),
    /// It lies outside the reach of the text that names it.
    OutOfReach,
    /// Anything else, in the words of the operating system.
    Other(String),
}

impl fmt::Display for ReadProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadProblem::NotFound => f.write_str("there is no such file"),
            ReadProblem::Directory => f.write_str("this is a directory, not a file"),
            ReadProblem::NoFile => f.write_str("this is not a regular file"),
            ReadProblem::TooLarge(size) => write!(
                f,
                "the file has {} MB; files above {} MB are not read",
                size / (1024 * 1024),
                MAX_FILE_SIZE / (1024 * 1024)
            ),
            ReadProblem::NotUtf8(at) => {
                write!(f, "the file is not UTF-8 text: byte {at} cannot be decoded (save it as UTF-8)")
            }
            ReadProblem::OutOfReach => f.write_str(super::reach::OUT_OF_REACH),
            ReadProblem::Other(words) => f.write_str(words),
        }
    }
}

/// Whether a symbolic link to a file is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Links {
    Followed,
    Refused,
}

/// The bytes of a regular file, if there are at most `limit`.
pub(super) fn read(path: &Path, links: Links, limit: u64) -> Result<Vec<u8>, ReadProblem> {
    let before = match links {
        Links::Followed => std::fs::metadata(path),
        Links::Refused => std::fs::symlink_metadata(path),
    };
    // Opening a device can have effects.
    refuse(&before.map_err(problem)?, limit)?;
    let file = open(path, links).map_err(problem)?;
    let meta = file.metadata().map_err(problem)?;
    refuse(&meta, limit)?;
    let mut bytes = Vec::with_capacity(usize::try_from(meta.len()).unwrap_or(0) + 1);
    // The file may grow while it is read, and some have a size of 0 and no end.
    file.take(limit + 1).read_to_end(&mut bytes).map_err(problem)?;
    match u64::try_from(bytes.len()) {
        Ok(size) if size <= limit => Ok(bytes),
        _ => Err(ReadProblem::TooLarge(limit + 1)),
    }
}

fn refuse(meta: &Metadata, limit: u64) -> Result<(), ReadProblem> {
    if meta.is_dir() {
        return Err(ReadProblem::Directory);
    }
    if !meta.is_file() {
        return Err(ReadProblem::NoFile);
    }
    if meta.len() > limit {
        return Err(ReadProblem::TooLarge(meta.len()));
    }
    Ok(())
}

#[cfg(unix)]
fn open(path: &Path, links: Links) -> std::io::Result<File> {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    // std adds CLOEXEC.
    let mut flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    if links == Links::Refused {
        flags |= OFlags::NOFOLLOW;
    }
    OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path)
}

#[cfg(not(unix))]
fn open(path: &Path, _links: Links) -> std::io::Result<File> {
    OpenOptions::new().read(true).open(path)
}

pub(super) fn problem(error: std::io::Error) -> ReadProblem {
    match error.kind() {
        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => ReadProblem::NotFound,
        std::io::ErrorKind::IsADirectory => ReadProblem::Directory,
        _ => ReadProblem::Other(error.to_string()),
    }
}

/// The kind of a directory entry; links belong to none of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileType {
    File,
    Directory,
    Other,
}

/// An entry of a directory.
#[derive(Debug, Clone)]
pub(crate) struct Listed {
    pub name: OsString,
    pub kind: FileType,
    /// It is a link, wherever it leads.
    pub is_link: bool,
}

/// The entries of a directory, unsorted.
pub(super) fn list(directory: &Path) -> std::io::Result<impl Iterator<Item = std::io::Result<Listed>> + use<>> {
    let entries = std::fs::read_dir(directory)?;
    Ok(entries.map(|entry| {
        let entry = entry?;
        let kind = entry.file_type()?;
        let is_link = kind.is_symlink();
        let kind = match (kind.is_file(), kind.is_dir()) {
            (true, _) => FileType::File,
            (_, true) => FileType::Directory,
            _ => FileType::Other,
        };
        Ok(Listed { name: entry.file_name(), kind, is_link })
    }))
}

/// Whether there is a link at a path.
pub(super) fn is_link(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink())
}

/// The path with links resolved, if it exists.
pub(super) fn real(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok()
}

/// The kind of what is at a path, following links, and its time of last change.
pub(super) fn kind_of(path: &Path) -> Option<(FileType, Option<SystemTime>)> {
    let meta = std::fs::metadata(path).ok()?;
    let kind = match (meta.is_file(), meta.is_dir()) {
        (true, _) => FileType::File,
        (_, true) => FileType::Directory,
        _ => FileType::Other,
    };
    Some((kind, meta.modified().ok()))
}
