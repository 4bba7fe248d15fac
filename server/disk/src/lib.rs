//! Writes files: below a directory that the user named, completely or not at all, and nowhere else.
//!
//! Everything that the program writes goes through this crate. What it is asked to write may be named by a repository,
//! and what is at that place may come from one: a link to `~/.bashrc`, a pipe that keeps a writer waiting, git's own
//! hooks. So every directory is entered by one component at a time, each opened relative to the previous one and never
//! through a link (`openat` with `O_NOFOLLOW`). This holds on every Unix, even while another program replaces
//! directories; Linux's `openat2` would only save calls. Crates that confine paths (`cap-std`) follow links that stay
//! inside, and would still need this walk. A file is written under a new name and renamed, so that whatever was at its
//! path before is neither opened nor changed.
#![forbid(unsafe_code)]

mod append;
mod eviction;
mod folder;
pub mod git;
mod named;
mod replacement;
#[cfg(not(unix))]
#[path = "steps_elsewhere.rs"]
mod steps;
#[cfg(unix)]
#[path = "steps_unix.rs"]
mod steps;

pub use append::append;
pub use eviction::CopyLimits;
pub use folder::{Access, Folder, Text};
pub use named::{Named, resolve};
pub use replacement::{Replacement, replacement};

use std::fmt;
use std::io;
use std::path::PathBuf;

/// What is at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FoundKind {
    File,
    Directory,
    Link,
    Other,
}

/// Why nothing was written.
#[derive(Debug)]
pub enum Refusal {
    /// A component of the path is a symbolic link; its path, and where it leads if that exists.
    Link(PathBuf, Option<PathBuf>),
    /// The path leads out of the directory.
    LeadsOut,
    /// A pipe, a device or a socket.
    NoFile,
    /// A directory where a file is expected.
    Directory,
    /// A file where a directory is expected; its path.
    NoDirectory(PathBuf),
    /// The file is read-only.
    ReadOnly,
    /// The file has several names (hard links), and all of them would be changed.
    SeveralNames,
    /// It belongs to git: the path of git's file or directory.
    Git(PathBuf),
    /// The directory contains the current one.
    InUse,
    /// The operating system refused.
    System(io::Error),
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Refusal {
        Refusal::System(error)
    }
}

impl std::error::Error for Refusal {}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Link(link, Some(target)) => write!(
                f,
                "{} is a symbolic link, and nothing is written through links: name what it leads to, {}",
                shown(link),
                shown(target)
            ),
            Refusal::Link(link, None) => {
                write!(f, "{} is a symbolic link, and nothing is written through links", shown(link))
            }
            Refusal::LeadsOut => f.write_str("this path leads out of the directory"),
            Refusal::NoFile => f.write_str("it is not a regular file"),
            Refusal::Directory => f.write_str("it is a directory"),
            Refusal::NoDirectory(path) => write!(f, "{} is not a directory", shown(path)),
            Refusal::ReadOnly => f.write_str("it is read-only"),
            Refusal::SeveralNames => f.write_str("the file has other names (hard links)"),
            Refusal::Git(path) => write!(f, "{} belongs to git, and nothing is written or deleted there", shown(path)),
            Refusal::InUse => f.write_str("this directory is in use and is not emptied"),
            Refusal::System(error) => error.fmt(f),
        }
    }
}

/// A path on one line, without control characters: it may come from a repository.
fn shown(path: &std::path::Path) -> String {
    path.to_string_lossy().chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
