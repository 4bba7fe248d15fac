//! Which files there are: on disk for the command line, in the file table for an editor.

use std::path::{Path, PathBuf};

/// What stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// Nothing.
    Missing,
}

/// A view of the file system.
pub trait Lister {
    /// What stands at `path`.
    fn entry(&self, path: &Path) -> Entry;
    /// All files below `directory`, in any order, links not followed.
    fn files_below(&self, directory: &Path) -> Result<Vec<PathBuf>, String>;
    /// The text of a file, for `--data-value-file`.
    fn text(&self, path: &Path) -> Result<String, String>;
}

/// The file system itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct DiskLister;

/// More files than this below one directory are refused: somebody gave `-f /`.
const MAX_FILES: usize = 200_000;

impl Lister for DiskLister {
    fn entry(&self, path: &Path) -> Entry {
        match std::fs::metadata(path) {
            Ok(meta) if meta.is_dir() => Entry::Directory,
            Ok(_) => Entry::File,
            Err(_) => Entry::Missing,
        }
    }

    fn files_below(&self, directory: &Path) -> Result<Vec<PathBuf>, String> {
        let mut open = vec![directory.to_path_buf()];
        let mut files = Vec::new();
        while let Some(next) = open.pop() {
            let entries = std::fs::read_dir(&next).map_err(|error| error.to_string())?;
            for entry in entries {
                let entry = entry.map_err(|error| error.to_string())?;
                let kind = entry.file_type().map_err(|error| error.to_string())?;
                if kind.is_dir() {
                    open.push(entry.path());
                } else if kind.is_file() {
                    files.push(entry.path());
                }
                if files.len() > MAX_FILES {
                    return Err(format!("more than {MAX_FILES} files are below this directory"));
                }
            }
        }
        Ok(files)
    }

    fn text(&self, path: &Path) -> Result<String, String> {
        crate::disk::read_text(path).map_err(|problem| problem.to_string())
    }
}
