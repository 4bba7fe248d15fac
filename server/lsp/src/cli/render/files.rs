//! Writes rendered files below a directory.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Component, Path};

use anyhow::{Context, bail};
use lofting_disk::{Access, Folder, Named};
use lofting_eval::bytes;
use lofting_workspace::{RenderedContent, RenderedFile};

use super::print::Printer;
use crate::terminal;

/// Writes each file into a new directory, which then takes the place of the one that was named.
pub(super) fn replace(files: &[RenderedFile], directory: &Path, printer: &Printer<'_>) -> anyhow::Result<()> {
    has_good_names(files, directory)?;
    let new = lofting_disk::replacement(directory).with_context(|| shown(directory))?;
    match write_into(new.folder(), files, directory, printer) {
        Ok(()) => new.complete().with_context(|| shown(directory)),
        Err(why) => match new.give_up() {
            Ok(()) => Err(why),
            Err(left) => Err(why.context(left)),
        },
    }
}

/// Writes each file below the directory.
pub(super) fn write_files(files: &[RenderedFile], directory: &Path, printer: &Printer<'_>) -> anyhow::Result<()> {
    has_good_names(files, directory)?;
    // Nothing is written if the directory cannot be used, not even a part of it.
    let folder = Folder::named(directory, Named::Itself, true).with_context(|| shown(directory))?;
    write_into(&folder, files, directory, printer)
}

/// Fails if a name leads out of the directory, or several files have one name.
fn has_good_names(files: &[RenderedFile], directory: &Path) -> anyhow::Result<()> {
    let mut names = BTreeSet::new();
    for file in files {
        let inside = Path::new(&file.name).components().all(|part| matches!(part, Component::Normal(_)));
        if !inside {
            bail!("{}: this path leads out of {}", file.name, directory.display());
        }
        if !names.insert(&file.name) {
            bail!("{}: several files would be written to this path", file.name);
        }
    }
    Ok(())
}

/// Writes each file, text files first, as ytt does. Messages name them by the directory that the user named.
fn write_into(folder: &Folder, files: &[RenderedFile], directory: &Path, printer: &Printer<'_>) -> anyhow::Result<()> {
    let is_text = |file: &&RenderedFile| matches!(file.content, RenderedContent::Text(_));
    let (texts, others): (Vec<&RenderedFile>, Vec<&RenderedFile>) = files.iter().partition(is_text);
    for file in texts.into_iter().chain(others) {
        let path = directory.join(&file.name);
        let text = match &file.content {
            RenderedContent::Text(text) => Cow::Borrowed(text.as_str()),
            RenderedContent::Documents(documents) => {
                documents.iter().enumerate().map(|(index, document)| printer.yaml(index, document)).collect()
            }
        };
        folder.write(Path::new(&file.name), &bytes::of(&text), Access::Quick).with_context(|| shown(&path))?;
        terminal::print(&format!("creating: {}\n", shown(&path)))?;
    }
    Ok(())
}

/// A path on one line.
fn shown(path: &Path) -> String {
    terminal::line(&path.to_string_lossy()).into_owned()
}
