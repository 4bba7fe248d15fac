//! Empties a directory for something that takes the place of its content.

use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::folder::{Folder, temporary};
use crate::named::{Named, resolve};
use crate::{Refusal, git};

/// A directory that was emptied. Its old content is beside it until the new one is complete, or was given up.
#[derive(Debug)]
#[must_use]
pub struct Emptied {
    real: PathBuf,
    /// What is above it, and the name of the old content there; None if there was no directory.
    old: Option<(Folder, OsString)>,
}

impl Emptied {
    /// The new content is complete: deletes the old one. Links in it are deleted and not followed.
    ///
    /// # Errors
    ///
    /// The operating system refused; what is left of it stays where the error says.
    pub fn complete(self) -> Result<(), Refusal> {
        let Some((above, old)) = &self.old else { return Ok(()) };
        // The standard library enters directories without following links.
        std::fs::remove_dir_all(above.path().join(old)).map_err(|error| self.old_stays("cannot be deleted", error))
    }

    /// The new content is given up: deletes what there is of it, and puts the old one back.
    ///
    /// # Errors
    ///
    /// The operating system refused; the old content stays where the error says.
    pub fn restore(self) -> Result<(), Refusal> {
        let (Some((above, old)), Some(name)) = (&self.old, self.real.file_name()) else { return Ok(()) };
        let removed = match std::fs::remove_dir_all(&self.real) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        };
        let back = removed.and_then(|()| above.rename(old, name));
        back.map_err(|error| self.old_stays("cannot be put back", error))
    }

    /// Why the old content is still beside the directory, and where.
    fn old_stays(&self, why: &str, error: io::Error) -> Refusal {
        let place = self.old.as_ref().map_or_else(PathBuf::new, |(above, old)| above.path().join(old));
        let why = format!("the old content, which is now {}, {why}: {error}", place.display());
        Refusal::System(io::Error::new(error.kind(), why))
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
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Emptied { real, old: None }),
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

#[cfg(test)]
mod tests {
    use super::empty;
    use std::fs;

    #[test]
    fn old_content_comes_back_or_is_named() {
        let directory = tempfile::tempdir().expect("a directory");
        let root = directory.path().canonicalize().expect("a directory");
        let out = root.join("out");
        fs::create_dir(&out).expect("a directory");
        fs::write(out.join("old"), "old").expect("a file");
        // Nothing was written, or a part.
        for part in [None, Some("new")] {
            let emptied = empty(&out).expect("it is emptied");
            assert!(!out.exists());
            if let Some(part) = part {
                fs::create_dir(&out).expect("a directory");
                fs::write(out.join(part), "new").expect("a file");
            }
            emptied.restore().expect("it comes back");
            let names = fs::read_dir(&out).expect("a directory").map(|entry| entry.expect("an entry").file_name());
            assert_eq!(names.collect::<Vec<_>>(), ["old"]);
        }
        // Something else is in its place.
        let emptied = empty(&out).expect("it is emptied");
        fs::write(&out, "x").expect("a file");
        let why = emptied.restore().expect_err("a file is there").to_string();
        let kept = fs::read_dir(&root).expect("a directory").map(|entry| entry.expect("an entry").path());
        let kept = kept.filter(|path| path.is_dir()).collect::<Vec<_>>();
        assert!(why.contains(&kept[0].display().to_string()), "{why}");
        assert_eq!(fs::read_to_string(kept[0].join("old")).expect("a file"), "old");
    }
}
