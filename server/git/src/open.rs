//! Opens git's own files: regular ones of a bounded size, and never through a link at the end of their path.

use crate::problem::Problem;
use std::fs::{File, Metadata};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// What is at a path, without following a link there; None if there is nothing.
fn look(path: &Path) -> Option<Metadata> {
    std::fs::symlink_metadata(path).ok()
}

/// The text of a file of git, up to a limit in bytes; None if there is none.
pub(crate) fn text(path: &Path, most: u64) -> Result<Option<String>, Problem> {
    let unreadable = |why: String| Problem::Unreadable(path.to_owned(), why);
    let Some(meta) = look(path) else { return Ok(None) };
    // Opening anything else could block, or have effects.
    if !meta.is_file() {
        return if meta.is_dir() { Ok(None) } else { Err(unreadable("this is not a regular file".to_owned())) };
    }
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(error.to_string())),
    };
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes).map_err(|error| unreadable(error.to_string()))?;
    if u64::try_from(bytes.len()).is_ok_and(|size| size > most) {
        return Err(unreadable("it is too large for a file of git".to_owned()));
    }
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

/// Whether there is a directory, and no link, at a path.
pub(crate) fn is_directory(path: &Path) -> bool {
    look(path).is_some_and(|meta| meta.is_dir())
}

/// Whether there is anything at a path.
pub(crate) fn exists(path: &Path) -> bool {
    look(path).is_some()
}

/// Whether a file at a path may be opened: there is none, or it is a regular one.
pub(crate) fn is_openable(path: &Path) -> bool {
    look(path).is_none_or(|meta| meta.is_file())
}

/// The path with links resolved.
pub(crate) fn real(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok()
}

/// The files of a directory, up to a limit of entries; an error if one of them is not a regular file.
pub(crate) fn only_files(directory: &Path, most: usize) -> Result<(), Problem> {
    let Ok(entries) = std::fs::read_dir(directory) else { return Ok(()) };
    for (index, entry) in entries.flatten().enumerate() {
        if index >= most {
            return Err(Problem::TooMuch("the repository has too many packs of objects: run `git gc`"));
        }
        if !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            return Err(Problem::Unreadable(entry.path(), "this is not a regular file".to_owned()));
        }
    }
    Ok(())
}

/// The regular files below a directory, by their names relative to it with slashes; an error if there are more than the
/// limit.
pub(crate) fn names_below(directory: &Path, most: usize) -> Result<Vec<String>, Problem> {
    let mut found = Vec::new();
    let mut open = vec![(directory.to_owned(), String::new())];
    let mut seen = 0;
    while let Some((folder, before)) = open.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            seen += 1;
            if seen > most {
                return Err(Problem::TooMuch("the repository has too many tags"));
            }
            let Some(name) = entry.file_name().to_str().map(|name| format!("{before}{name}")) else { continue };
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => open.push((entry.path(), format!("{name}/"))),
                Ok(kind) if kind.is_file() => found.push(name),
                _ => {}
            }
        }
    }
    Ok(found)
}
