//! Document links: names of files and web pages that can be followed with a click.

use lofting_document::FileId;
use lofting_workspace::{FileKind, Link, Snapshot};

#[cfg(test)]
mod tests;

/// The links of a file, in the order of the text: schemas that it names, files that its code loads, `$ref`s to other
/// files, and the names in a `lofting.toml`.
pub fn document_links(snapshot: &Snapshot, file: FileId) -> Vec<Link> {
    let is_ours = snapshot.shows_structure(file) || snapshot.kind(file) == FileKind::Configuration;
    if is_ours { snapshot.links(file) } else { Vec::new() }
}
