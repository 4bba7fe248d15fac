//! Files that grow: the log.

use std::fs::File;
use std::path::Path;

use crate::Refusal;
use crate::folder::Folder;
use crate::named::{Named, resolve};

/// Opens a file that the user named for writing at its end; the file is created if needed, its directory is not.
///
/// # Errors
///
/// The path leads through a link that may not be followed, belongs to git, is not a regular file, or has several names.
pub fn append(path: &Path) -> Result<File, Refusal> {
    let real = resolve(path, Named::Itself)?;
    let (Some(above), Some(name)) = (real.parent(), real.file_name()) else { return Err(Refusal::Directory) };
    Folder::at(above, false)?.append(name)
}
