//! Rewrites a file completely or not at all; used by all commands that change files.

use std::path::Path;

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

fn replace(path: &Path, links: Links, before: &str, after: &str) -> Result<Result<(), String>, Refusal> {
    let named = match links {
        Links::Followed => Named::Inside,
        Links::Refused => Named::Itself,
    };
    let real = resolve(path, named)?;
    let (Some(above), Some(name)) = (real.parent(), real.file_name()) else { return Err(Refusal::Directory) };
    let folder = Folder::named(above, Named::Inside, false)?;
    let name = Path::new(name);
    let found = folder.read(name, lofting_workspace::MAX_FILE_SIZE)?;
    if found.is_none_or(|found| found.bytes != before.as_bytes()) {
        return Ok(Err("it was changed meanwhile".to_owned()));
    }
    folder.write(name, after.as_bytes(), Access::Durable)?;
    Ok(Ok(()))
}
