//! Writing what was formatted: only over the text that it was made from.

use lofting_workspace::read_text;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

/// Puts `new` in place of `old` in a file. A link that was only found in a directory is not followed.
pub(super) fn write(path: &Path, is_named: bool, old: &str, new: &str) -> Result<(), String> {
    let is_link = std::fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink());
    if is_link && !is_named {
        return Err("this is a link: name it to format what it leads to".to_owned());
    }
    if read_text(path).map_err(|problem| problem.to_string())? != old {
        return Err("the file was changed meanwhile; nothing was written".to_owned());
    }
    // In place, so that owner, rights and links of the file stay.
    let file = OpenOptions::new().write(true).truncate(true).open(path);
    let written = file.and_then(|mut file| file.write_all(new.as_bytes()));
    written.map_err(|error| format!("it could not be written: {error}"))
}
