//! What code asks about files, as data: so that questions can be sent, counted and compared.

use crate::evaluator::LibraryFile;
use serde::{Deserialize, Serialize};

/// A question about files of the input set, by their path inside ytt.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum FileQuestion {
    /// The file that a `load` names. The path is relative to the loading file's directory (already resolved, without a
    /// leading `/`), or `@lib:path`.
    Library(String),
    /// The content of a file, for `data.read`.
    Read(String),
    /// The paths of all files below a path (all files for an empty one), except those of private libraries there.
    List(String),
    /// The directory of a private library. Both directories are empty or end in a slash.
    Find {
        /// The directory of the code that names it.
        from: String,
        /// Its name.
        name: String,
    },
}

/// The answer to a [`FileQuestion`] of the same name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum FileAnswer {
    /// The file.
    Library(LibraryFile),
    /// Its bytes, if there is such a file: it may be a picture or a key.
    Read(Option<Vec<u8>>),
    /// The paths, if it is known which files ytt gets.
    List(Option<Vec<String>>),
    /// The directory, if there is such a library.
    Find(Option<String>),
}

impl FileQuestion {
    /// The answer where nothing is there.
    pub fn nothing(&self) -> FileAnswer {
        match self {
            FileQuestion::Library(_) => FileAnswer::Library(LibraryFile::Missing),
            FileQuestion::Read(_) => FileAnswer::Read(None),
            FileQuestion::List(_) => FileAnswer::List(Some(Vec::new())),
            FileQuestion::Find { .. } => FileAnswer::Find(None),
        }
    }

    /// How many bytes of text it has, all paths and names together.
    pub fn length(&self) -> usize {
        match self {
            FileQuestion::Library(path) | FileQuestion::Read(path) | FileQuestion::List(path) => path.len(),
            FileQuestion::Find { from, name } => from.len() + name.len(),
        }
    }
}
