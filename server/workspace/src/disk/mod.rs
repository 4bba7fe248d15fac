//! Paths, and the only access to the file system. Every read goes through a [`Reach`], which bounds what may be read.
//! Files are opened and directories listed only in `open`. In a browser there is no disk: there, `memory` takes its place.

pub(crate) mod asked;
pub(crate) mod built_in;
mod found;
pub(crate) mod glob;
pub(crate) mod glob_lists;
#[cfg(any(test, target_family = "wasm"))]
pub mod memory;
pub(crate) mod mirror;
#[cfg(not(target_family = "wasm"))]
mod open;
pub(crate) mod path;
mod reach;
mod stored;
#[cfg(test)]
mod tests;
pub(crate) mod uri;
pub(crate) mod walk;

pub(crate) use found::{FileType, Stat};
pub use found::{MAX_FILE_SIZE, ReadProblem};
#[cfg(target_family = "wasm")]
use memory as open;
pub(crate) use open::directory_changed;
pub use open::last_change;
pub(crate) use reach::{Directory, OUT_OF_REACH, Repositories, WalkProblem, decoded, is_repository, repository_of};
pub use reach::{Reach, Trust};
pub(crate) use stored::Volume;
pub use stored::{Stored, StoredFolder, StoredKind};

use std::path::Path;

/// The bytes of a file that the user named, up to the size limit.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, ReadProblem> {
    Reach::of_user().bytes(path)
}

/// The text in a pipe that the user named, as shells make for `<(command)`: all of it is waited for, up to the size limit. None
/// if something else is at the path.
pub fn read_pipe(path: &Path) -> Option<Result<String, ReadProblem>> {
    Some(open::pipe(path, MAX_FILE_SIZE)?.and_then(decoded))
}

/// The text of a file that the user named, up to the size limit.
pub fn read_text(path: &Path) -> Result<String, ReadProblem> {
    Reach::of_user().text(path)
}
