//! Empties a directory for something that takes the place of its content.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::folder::{Folder, temporary};
use crate::named::{Named, resolve};
use crate::{Refusal, git};

/// A directory that was emptied. Its old content is beside it until the new one is complete; if that never happens, the new
/// one is deleted instead.
#[derive(Debug)]
#[must_use]
pub struct Emptied {
    real: PathBuf,
    /// What is above it, and the name of the old content there; None if there was no directory, or if the new content is
    /// complete.
    old: Option<(Folder, OsString)>,
}

impl Emptied {
    /// The new content is complete: deletes the old one. Links in it are deleted and not followed.
    ///
    /// # Errors
    ///
    /// The operating system refused; what is left of it stays where the error says.
    pub fn complete(mut self) -> Result<(), Refusal> {
        let Some((above, name)) = self.old.take() else { return Ok(()) };
        let old = above.path().join(name);
        // The standard library enters directories without following links.
        std::fs::remove_dir_all(&old).map_err(|error| {
            let why = format!("the old content, which is now {}, cannot be deleted: {error}", old.display());
            Refusal::System(std::io::Error::new(error.kind(), why))
        })
    }
}

impl Drop for Emptied {
    fn drop(&mut self) {
        if let (Some((above, old)), Some(name)) = (&self.old, self.real.file_name()) {
            // Whatever failed before is reported; the old content is never deleted here.
            let _ = std::fs::remove_dir_all(&self.real);
            let _ = above.rename(old, name);
        }
    }
}

/// Empties a directory that the user named, if it exists. Nothing is done if the directory is a link, contains the current
/// one, or contains something that belongs to git.
///
/// # Errors
///
/// One of these, or the operating system refused.
pub fn empty(path: &Path) -> Result<Emptied, Refusal> {
    let real = resolve(path, Named::Itself)?;
    match std::fs::symlink_metadata(&real) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Emptied { real, old: None }),
        Err(error) => return Err(error.into()),
        Ok(meta) if !meta.is_dir() => return Err(Refusal::NoDirectory(real)),
        Ok(_) => {}
    }
    if std::env::current_dir()?.canonicalize()?.starts_with(&real) {
        return Err(Refusal::InUse);
    }
    refuse_git(&real)?;
    let (Some(parent), Some(name)) = (real.parent(), real.file_name()) else { return Err(Refusal::InUse) };
    let (above, old) = (Folder::at(parent, false)?, temporary(name));
    above.rename(name, &old)?;
    Ok(Emptied { real, old: Some((above, old)) })
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
