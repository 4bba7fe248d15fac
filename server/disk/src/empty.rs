//! Deletes a directory with everything in it.

use std::path::Path;

use crate::named::{Named, resolve};
use crate::{Refusal, git};

/// Deletes a directory that the user named, if it exists. Links in it are deleted and not followed. Nothing is deleted
/// if the directory is a link, contains the current one, or contains something that belongs to git.
///
/// # Errors
///
/// One of these, or the operating system refused.
pub fn empty(path: &Path) -> Result<(), Refusal> {
    let real = resolve(path, Named::Itself)?;
    match std::fs::symlink_metadata(&real) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error.into()),
        Ok(meta) if !meta.is_dir() => return Err(Refusal::NoDirectory(real)),
        Ok(_) => {}
    }
    if std::env::current_dir()?.canonicalize()?.starts_with(&real) {
        return Err(Refusal::InUse);
    }
    refuse_git(&real)?;
    // The standard library enters directories without following links.
    Ok(std::fs::remove_dir_all(&real)?)
}

/// Fails if something below a directory belongs to git.
fn refuse_git(directory: &Path) -> Result<(), Refusal> {
    let mut open = vec![directory.to_owned()];
    while let Some(next) = open.pop() {
        if git::is_directory(&next) {
            return Err(Refusal::Git(next));
        }
        for entry in std::fs::read_dir(&next)? {
            let entry = entry?;
            if git::is_name(&entry.file_name()) {
                return Err(Refusal::Git(entry.path()));
            }
            // The kind of a link is that of the link.
            if entry.file_type()?.is_dir() {
                open.push(entry.path());
            }
        }
    }
    Ok(())
}
