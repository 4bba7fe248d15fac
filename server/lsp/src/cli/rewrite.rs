//! Rewrites a file completely or not at all; used by all commands that change files.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

/// What to do with a symbolic link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Links {
    /// Its target is written: the user named the link.
    Followed,
    /// Nothing is written: the user did not name its target.
    Refused,
}

/// Replaces the text of a file if it is still `before`. A failure leaves the file unchanged.
pub(crate) fn rewrite(path: &Path, links: Links, before: &str, after: &str) -> Result<(), String> {
    let said = |error: std::io::Error| error.to_string();
    let target;
    let path = match links {
        Links::Followed => {
            target = std::fs::canonicalize(path).map_err(said)?;
            &target
        }
        Links::Refused => path,
    };
    let meta = std::fs::symlink_metadata(path).map_err(said)?;
    if meta.is_symlink() {
        return Err("it is a symbolic link: name the file it leads to".to_owned());
    }
    if !meta.is_file() {
        return Err("it is not a regular file".to_owned());
    }
    if meta.permissions().readonly() {
        return Err("it is read-only".to_owned());
    }
    if lofting_workspace::read_text(path).map_err(|problem| problem.to_string())? != before {
        return Err("it was changed meanwhile".to_owned());
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.lofting-{}", std::process::id()));
    let written = write_new(&beside, after)
        .and_then(|()| std::fs::set_permissions(&beside, meta.permissions()))
        .and_then(|()| std::fs::rename(&beside, path));
    written.map_err(|error| {
        // The temporary file is removed, whatever failed.
        let _ = std::fs::remove_file(&beside);
        error.to_string()
    })
}

/// Writes a file that does not exist yet.
fn write_new(path: &Path, text: &str) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}
