//! Rewrites a file completely or not at all; used by all commands that change files.

use std::path::{Path, PathBuf};

use lofting_disk::{Access, Folder, Named, Refusal, resolve};

/// What to do with a symbolic link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Links {
    /// Its target is written: the user named the link. It may not lead out of its repository.
    Followed,
    /// Nothing is written: the user did not name its target.
    Refused,
}

/// Replaces the text of a file if it is still `before`. A failure leaves the file unchanged.
pub(crate) fn rewrite(path: &Path, links: Links, before: &str, after: &str) -> Result<(), String> {
    replace(path, links, before, after).map_err(|refusal| refusal.to_string())?
}

/// Replaces the texts of several files that are still what they were before, or none of them. The error names the file that
/// cannot be written.
pub(crate) fn rewrite_all<'c>(
    changes: impl IntoIterator<Item = (&'c Path, &'c str, &'c str)>,
) -> Result<(), (PathBuf, String)> {
    let mut done: Vec<(&Path, &str, &str)> = Vec::new();
    for (path, before, after) in changes {
        if let Err(why) = rewrite(path, Links::Refused, before, after) {
            let undone =
                done.iter().filter(|(path, before, after)| rewrite(path, Links::Refused, after, before).is_err());
            let left: Vec<String> = undone.map(|(path, ..)| path.display().to_string()).collect();
            let why = if left.is_empty() { why } else { format!("{why} (already changed: {})", left.join(", ")) };
            return Err((path.to_owned(), why));
        }
        done.push((path, before, after));
    }
    Ok(())
}

fn replace(path: &Path, links: Links, before: &str, after: &str) -> Result<Result<(), String>, Refusal> {
    let named = match links {
        Links::Followed => Named::Inside,
        Links::Refused => Named::Itself,
    };
    let (folder, name) = place(path, named)?;
    let found = folder.read(&name, lofting_workspace::MAX_FILE_SIZE)?;
    if found.is_none_or(|found| found.bytes != before.as_bytes()) {
        return Ok(Err("it was changed meanwhile".to_owned()));
    }
    folder.write(&name, after.as_bytes(), Access::Durable)?;
    Ok(Ok(()))
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
