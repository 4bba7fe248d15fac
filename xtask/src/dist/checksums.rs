//! `SHA256SUMS`, as `sha256sum -c` reads it, over all files of the folder.

use std::path::{Path, PathBuf};

use anyhow::Context;

use super::entries::{read, sha256, write};

pub const NAME: &str = "SHA256SUMS";

/// The names and sums of all packages in a folder, sorted.
pub fn of_folder(folder: &Path) -> anyhow::Result<Vec<(String, String)>> {
    let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut sums = Vec::new();
    for entry in entries.flatten().filter(|entry| entry.path().is_file()) {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name != NAME {
            sums.push((name, sha256(&read(&entry.path())?)));
        }
    }
    sums.sort();
    Ok(sums)
}

pub fn make(folder: &Path) -> anyhow::Result<PathBuf> {
    let lines: String = of_folder(folder)?.iter().map(|(name, sum)| format!("{sum}  {name}\n")).collect();
    let path = folder.join(NAME);
    write(&path, lines.as_bytes())?;
    Ok(path)
}
