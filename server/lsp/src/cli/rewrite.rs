//! Writing a file anew: as a whole or not at all.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

/// Replaces the text of a file, if it is still the one it is replaced for. Links are not followed: what they lead to
/// was not named. A failure leaves the file as it is.
pub(crate) fn rewrite(path: &Path, before: &str, after: &str) -> Result<(), String> {
    let said = |error: std::io::Error| error.to_string();
    let meta = std::fs::symlink_metadata(path).map_err(said)?;
    if !meta.is_file() {
        return Err("it is a link or no regular file".to_owned());
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
        // Nothing of ours is left, whatever failed.
        let _ = std::fs::remove_file(&beside);
        error.to_string()
    })
}

/// Writes a file where there is none.
fn write_new(path: &Path, text: &str) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}
