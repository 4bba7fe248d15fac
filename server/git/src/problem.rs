//! Why a revision cannot be read.

use std::fmt;
use std::path::PathBuf;

/// Why a revision cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// No working tree contains the directory.
    NoRepository(PathBuf),
    /// The repository is stored in a form that is not read, in words.
    Unsupported(&'static str),
    /// The object database names others, which may lie anywhere.
    Alternates,
    /// Nothing has this name.
    NoRevision(String),
    /// Nothing has this name, or an object is missing, in a clone without its whole history.
    Shallow(String),
    /// Several objects begin with these digits.
    Ambiguous(String),
    /// This branch and the current commit have no commit in common.
    NothingInCommon(String),
    /// An object is not in the repository.
    Missing(String),
    /// Something is not what it should be, in words.
    Damaged(String),
    /// A limit was reached, in words.
    TooMuch(&'static str),
    /// A file of git cannot be read; its path, and why.
    Unreadable(PathBuf, String),
}

impl std::error::Error for Problem {}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::NoRepository(directory) => {
                write!(f, "{} is not in a working tree of git", directory.display())
            }
            Problem::Unsupported(what) => write!(f, "this repository {what}, which is not supported"),
            Problem::Alternates => f.write_str(
                "this repository takes objects from other directories (objects/info/alternates), which are not read: \
                 `git repack -a -d` copies them, and the file can be deleted then",
            ),
            Problem::NoRevision(name) => write!(f, "there is no revision `{name}` in this repository"),
            Problem::Shallow(name) => write!(
                f,
                "there is no revision `{name}` in this clone, which does not have the whole history: fetch more of it \
                 (`git fetch --unshallow`, or `fetch-depth: 0` of actions/checkout)"
            ),
            Problem::Ambiguous(name) => write!(f, "several objects begin with `{name}`: write more of its digits"),
            Problem::NothingInCommon(name) => write!(f, "`{name}` and the current commit have no commit in common"),
            Problem::Missing(name) => write!(f, "the object `{name}` is not in this repository"),
            Problem::Damaged(what) => write!(f, "the repository is damaged: {what}"),
            Problem::TooMuch(what) => f.write_str(what),
            Problem::Unreadable(path, why) => write!(f, "{}: {why}", path.display()),
        }
    }
}
