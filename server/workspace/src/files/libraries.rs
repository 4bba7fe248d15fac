//! Where ytt's schemas and private libraries usually are.

use crate::disk::path::shown;
use crate::files::sources::Sources;
use std::path::{Path, PathBuf};

/// Directories in which repositories keep the inputs of `ytt -f`.
pub(crate) const SCHEMA_DIRECTORIES: [&str; 3] = ["config", "schema", "ytt"];

/// Name of the directory of private libraries (docs/ytt.md 15).
pub(crate) const LIBRARIES: &str = "_ytt_lib";

/// The directory of the private library that contains `path`, and the library's name. Names can have several parts
/// (`_ytt_lib/github.com/org/lib`), and only the call tells how many, so the first directory with files is taken as the
/// library's.
pub(crate) fn library_of(state: &Sources, path: &Path) -> Option<(PathBuf, String)> {
    let parent = path.parent()?;
    let libraries = parent.ancestors().find(|directory| directory.file_name().is_some_and(|name| name == LIBRARIES))?;
    let mut directory = libraries.to_owned();
    for part in parent.strip_prefix(libraries).ok()?.components() {
        directory.push(part);
        if state.index.in_directory(&directory).is_some() {
            let name = shown(libraries, &directory);
            return Some((directory, name));
        }
    }
    None
}
