//! Writes rendered files below a directory.

use std::collections::BTreeSet;
use std::path::{Component, Path};

use lofting_workspace::{RenderedContent, RenderedFile};

use super::super::terminal;
use super::print::Printer;

/// Removes a directory with its content. The root of a file system and directories that contain the current one are
/// refused.
pub(super) fn empty(directory: &Path) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", directory.display());
    let whole = match directory.canonicalize() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        whole => whole.map_err(failed)?,
    };
    let here = std::env::current_dir().and_then(|here| here.canonicalize()).map_err(failed)?;
    if here.starts_with(&whole) {
        return Err(format!("{}: this directory is in use and is not emptied", directory.display()));
    }
    std::fs::remove_dir_all(&whole).map_err(failed)
}

/// Writes each file below the directory, text files first, as ytt does.
pub(super) fn write_files(files: &[RenderedFile], directory: &Path, printer: &Printer<'_>) -> Result<(), String> {
    let mut names = BTreeSet::new();
    for file in files {
        let inside = Path::new(&file.name).components().all(|part| matches!(part, Component::Normal(_)));
        if !inside {
            return Err(format!("{}: this path leads out of {}", file.name, directory.display()));
        }
        if !names.insert(&file.name) {
            return Err(format!("{}: several files would be written to this path", file.name));
        }
    }
    let is_text = |file: &&RenderedFile| matches!(file.content, RenderedContent::Text(_));
    let (texts, others): (Vec<&RenderedFile>, Vec<&RenderedFile>) = files.iter().partition(is_text);
    for file in texts.into_iter().chain(others) {
        let path = directory.join(&file.name);
        let text = match &file.content {
            RenderedContent::Text(text) => text.clone(),
            RenderedContent::Documents(documents) => {
                documents.iter().enumerate().map(|(index, document)| printer.yaml(index, document)).collect()
            }
        };
        let parent = path.parent().unwrap_or(directory);
        std::fs::create_dir_all(parent)
            .and_then(|()| std::fs::write(&path, text))
            .map_err(|error| format!("{}: {error}", path.display()))?;
        terminal::print(&format!("creating: {}\n", terminal::line(&path.to_string_lossy())))
            .map_err(|error| error.to_string())?;
    }
    Ok(())
}
