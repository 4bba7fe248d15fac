//! What there is at a path, and why it cannot be read.

use super::open::stat_of;
use std::ffi::OsString;
use std::fmt;
use std::path::Path;
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
        stat_of(path)
    }
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

impl std::error::Error for ReadProblem {}

/// Whether symbolic links in the path of a file are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Links {
    Followed,
    /// Those on the way to its directory are.
    RefusedAtEnd,
    /// None is, as far as the system can tell: Linux since 5.6, elsewhere only a link at the end.
    Refused,
}

/// The words for a failure of the operating system.
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
