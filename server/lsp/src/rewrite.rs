//! Rewrites a file completely or not at all; used by all commands that change files.

use std::fmt;
use std::path::{Path, PathBuf};

use lofting_disk::{Access, Folder, Named, Refusal, resolve};
use lofting_text::{Breaks, visible};

/// What to do with a symbolic link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Links {
    /// Its target is written: the user named the link. It may not lead out of its repository.
    Followed,
    /// Nothing is written: the user did not name its target.
    Refused,
}

/// Why a file was not rewritten.
#[derive(Debug)]
pub(crate) enum NotRewritten {
    /// It cannot be read or written.
    Refused(Refusal),
    /// It has another text than before.
    Changed,
}

/// Why none of several files was rewritten.
#[derive(Debug)]
pub(crate) struct NoneRewritten {
    /// The file that cannot be rewritten.
    path: PathBuf,
    why: NotRewritten,
    /// Files that were, and that could not be given their text from before.
    left: Vec<PathBuf>,
}

impl fmt::Display for NotRewritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotRewritten::Refused(refusal) => refusal.fmt(f),
            NotRewritten::Changed => f.write_str("it was changed meanwhile"),
        }
    }
}

impl fmt::Display for NoneRewritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |path: &Path| visible(&path.to_string_lossy(), Breaks::Shown).into_owned();
        write!(f, "{}: {}", shown(&self.path), self.why)?;
        if self.left.is_empty() {
            return Ok(());
        }
        let left: Vec<String> = self.left.iter().map(|path| shown(path)).collect();
        write!(f, " (already changed: {})", left.join(", "))
    }
}

impl std::error::Error for NotRewritten {}

impl std::error::Error for NoneRewritten {}

impl From<Refusal> for NotRewritten {
    fn from(refusal: Refusal) -> Self {
        NotRewritten::Refused(refusal)
    }
}

/// Replaces the text of a file if it is still `before`. A failure leaves the file unchanged.
pub(crate) fn rewrite(path: &Path, links: Links, before: &str, after: &str) -> Result<(), NotRewritten> {
    let named = match links {
        Links::Followed => Named::Inside,
        Links::Refused => Named::Itself,
    };
    let (folder, name) = place(path, named)?;
    let found = folder.read(&name, lofting_workspace::MAX_FILE_SIZE)?;
    if found.is_none_or(|found| found.bytes != before.as_bytes()) {
        return Err(NotRewritten::Changed);
    }
    Ok(folder.write(&name, after.as_bytes(), Access::Durable)?)
}

/// Replaces the texts of several files that are still what they were before, or none of them.
pub(crate) fn rewrite_all<'c>(
    changes: impl IntoIterator<Item = (&'c Path, &'c str, &'c str)>,
) -> Result<(), NoneRewritten> {
    let mut done: Vec<(&Path, &str, &str)> = Vec::new();
    for (path, before, after) in changes {
        if let Err(why) = rewrite(path, Links::Refused, before, after) {
            let undone =
                done.iter().filter(|(path, before, after)| rewrite(path, Links::Refused, after, before).is_err());
            let left = undone.map(|(path, ..)| path.to_path_buf()).collect();
            return Err(NoneRewritten { path: path.to_owned(), why, left });
        }
        done.push((path, before, after));
    }
    Ok(())
}

/// Makes a file with a text, or replaces the one that is there; folders above it have to be there, and it may not be a link.
pub(crate) fn create(path: &Path, text: &str) -> Result<(), Refusal> {
    let (folder, name) = place(path, Named::Itself)?;
    folder.write(&name, text.as_bytes(), Access::Durable)
}

/// The folder in which a file is written, and the name of the file there.
fn place(path: &Path, named: Named) -> Result<(Folder, PathBuf), Refusal> {
    let real = resolve(path, named)?;
    let (Some(above), Some(name)) = (real.parent(), real.file_name()) else { return Err(Refusal::Directory) };
    Ok((Folder::named(above, Named::Inside, false)?, PathBuf::from(name)))
}
