//! A new directory that takes the place of another one as a whole, once it is complete.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use crate::folder::{Folder, temporary};
use crate::named::{Named, resolve};
use crate::{Refusal, git};

/// A directory that is being written, beside the one whose place it takes. That one stays as it is until then, also if this
/// process is killed.
#[derive(Debug)]
#[must_use]
pub struct Replacement {
    /// What contains both.
    above: Folder,
    /// The name of the old directory.
    name: OsString,
    /// Whether there is an old one.
    has_old: bool,
    /// The new directory, and its name for now.
    new: Folder,
    new_name: OsString,
}

/// Begins a directory that is to take the place of one that the user named. Nothing is done if that is a link, contains
/// the current directory, or contains something that belongs to git. Missing directories above it are made.
///
/// # Errors
///
/// One of these, or the operating system refused.
pub fn replacement(path: &Path) -> Result<Replacement, Refusal> {
    let real = resolve(path, Named::Itself)?;
    let has_old = match std::fs::symlink_metadata(&real) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        Err(error) => return Err(error.into()),
        Ok(meta) if !meta.is_dir() => return Err(Refusal::NoDirectory(real)),
        Ok(_) => true,
    };
    if has_old {
        if std::env::current_dir()?.canonicalize()?.starts_with(&real) {
            return Err(Refusal::InUse);
        }
        refuse_git(&real)?;
    }
    let (Some(parent), Some(name)) = (real.parent(), real.file_name()) else { return Err(Refusal::InUse) };
    let (above, new_name) = (Folder::at(parent, true)?, temporary(name));
    let new = above.make(&new_name)?;
    Ok(Replacement { above, name: name.to_owned(), has_old, new, new_name })
}

impl Replacement {
    /// The new directory.
    pub fn folder(&self) -> &Folder {
        &self.new
    }

    /// The new directory is complete: it takes the place of the old one, which is deleted. Links in that are deleted and not
    /// followed.
    ///
    /// # Errors
    ///
    /// The operating system refused. Either the old directory is as it was, or what is left of it is where the error says.
    pub fn complete(self) -> Result<(), Refusal> {
        if !self.has_old {
            let placed = self.above.rename(&self.new_name, &self.name);
            return placed.or_else(|error| self.give_up().and(Err(error.into())));
        }
        let old = temporary(&self.name);
        if let Err(error) = self.above.rename(&self.name, &old) {
            return self.give_up().and(Err(error.into()));
        }
        if let Err(error) = self.above.rename(&self.new_name, &self.name) {
            self.above.rename(&old, &self.name).map_err(|error| self.stays("the old content", &old, error))?;
            return self.give_up().and(Err(error.into()));
        }
        // The standard library enters directories without following links.
        std::fs::remove_dir_all(self.above.path().join(&old))
            .map_err(|error| self.stays("the old content", &old, error))
    }

    /// The new directory is given up and deleted. The old one was not touched.
    ///
    /// # Errors
    ///
    /// The operating system refused; what is left is where the error says.
    pub fn give_up(&self) -> Result<(), Refusal> {
        std::fs::remove_dir_all(self.new.path()).map_err(|error| self.stays("what was written", &self.new_name, error))
    }

    /// Why something is left beside the directory, and where.
    fn stays(&self, what: &str, name: &OsString, error: io::Error) -> Refusal {
        let place: PathBuf = self.above.path().join(name);
        let why = format!("{what}, which is now {}, cannot be moved or deleted: {error}", place.display());
        Refusal::System(io::Error::new(error.kind(), why))
    }
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
    use super::replacement;
    use crate::Access;
    use std::fs;
    use std::path::Path;

    fn names(path: &Path) -> Vec<String> {
        let entries = fs::read_dir(path).expect("a directory").map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<String> = entries.map(|name| name.into_string().expect("text")).collect();
        names.sort();
        names
    }

    #[test]
    fn the_old_content_is_there_until_the_new_one_is_complete() {
        let directory = tempfile::tempdir().expect("a directory");
        let root = directory.path().canonicalize().expect("a directory");
        let out = root.join("a/out");
        for (old, is_complete) in [(None, false), (None, true), (Some("old"), false), (Some("old"), true)] {
            if let Some(old) = old {
                fs::write(out.join(old), "").expect("a file");
            }
            let before = out.exists().then(|| names(&out));
            let new = replacement(&out).expect("it begins");
            new.folder().write(Path::new("b/new"), b"x", Access::Quick).expect("a file");
            // A process that is killed leaves it like this.
            assert_eq!(out.exists().then(|| names(&out)), before);
            if is_complete {
                new.complete().expect("it takes the place");
                assert_eq!(names(&out), ["b"]);
            } else {
                new.give_up().expect("it is deleted");
                assert_eq!(out.exists().then(|| names(&out)), before);
            }
            assert_eq!(names(&root.join("a")), if out.exists() { &["out"][..] } else { &[] });
        }
    }

    #[test]
    fn something_that_came_meanwhile_stays() {
        let directory = tempfile::tempdir().expect("a directory");
        let root = directory.path().canonicalize().expect("a directory");
        let out = root.join("out");
        let new = replacement(&out).expect("it begins");
        fs::create_dir(&out).expect("a directory");
        fs::write(out.join("other"), "").expect("a file");
        assert!(new.complete().is_err());
        assert_eq!((names(&root), names(&out)), (vec!["out".to_owned()], vec!["other".to_owned()]));
    }
}
