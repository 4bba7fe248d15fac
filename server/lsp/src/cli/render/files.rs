//! Writes rendered files below a directory.

use std::collections::BTreeSet;
use std::path::{Component, Path};

use lofting_disk::{Access, Folder, Named, Refusal};
use lofting_workspace::{RenderedContent, RenderedFile};

use super::print::Printer;
use crate::terminal;

/// Removes a directory that the user named, with its content.
pub(super) fn empty(directory: &Path) -> Result<(), String> {
    lofting_disk::empty(directory).map_err(|refusal| refused(directory, &refusal))
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
    // Nothing is written if the directory cannot be used, not even a part of it.
    let folder = Folder::named(directory, Named::Itself, true).map_err(|refusal| refused(directory, &refusal))?;
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
        folder
            .write(Path::new(&file.name), text.as_bytes(), Access::Quick)
            .map_err(|refusal| refused(&path, &refusal))?;
        terminal::print(&format!("creating: {}\n", terminal::line(&path.to_string_lossy())))
            .map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn refused(path: &Path, why: &Refusal) -> String {
    format!("{}: {why}", terminal::line(&path.to_string_lossy()))
}
