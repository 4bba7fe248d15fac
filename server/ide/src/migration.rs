//! Moves of keys in a whole workspace: in values, in what code reads, in flags, in commands and in the schema itself.
//!
//! If one file is refused, none must be changed. Places that cannot be changed, but lose no value, are reported.

mod annotations;
mod code;
mod given;
mod schema;

use crate::answers::OutsideEdit;
use lofting_document::{Document, FileId, Span};
use lofting_migration::{Move, migrated};
use lofting_workspace::{FileKind, Snapshot};
use std::collections::BTreeMap;
use std::path::Path;

/// The result of moves in a workspace.
#[derive(Debug, Default)]
pub struct Migration {
    /// The new texts.
    pub changed: BTreeMap<FileId, String>,
    /// Edits of files that are not ours: scripts with commands that set a data value.
    pub outside: Vec<OutsideEdit>,
    /// Files that cannot be changed without losing something, with the reasons.
    pub refused: Vec<(FileId, String)>,
    /// Places that are left as they are, with what is left to be done.
    pub left: Vec<LeftAlone>,
}

/// A place that is left as it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LeftAlone {
    /// The place; None in a file that is not ours, which the words name.
    pub span: Option<Span>,
    /// What it is, in words.
    pub words: String,
    /// It certainly is about what is moved, so that it has to be changed by hand.
    pub has_to_change: bool,
}

impl LeftAlone {
    fn new(span: Span, words: impl Into<String>) -> LeftAlone {
        LeftAlone { span: Some(span), words: words.into(), has_to_change: true }
    }
}

/// Applies moves of the keys of a schema to the files among those that are asked for.
pub fn migration(snapshot: &Snapshot, schema: FileId, moves: &[Move], is_asked: &dyn Fn(&Path) -> bool) -> Migration {
    let mut migration = Migration::default();
    let mut files: Vec<FileId> =
        snapshot.files().filter(|file| *file != schema && is_asked(snapshot.path(*file))).collect();
    files.sort_by_cached_key(|file| snapshot.path(*file).to_owned());
    for file in files {
        lofting_memo::step();
        values(snapshot, (schema, file), moves, &mut migration);
    }
    code::look(snapshot, schema, moves, is_asked, &mut migration);
    given::look(snapshot, schema, moves, is_asked, &mut migration);
    if is_asked(snapshot.path(schema)) {
        annotations::look(snapshot, schema, moves, &mut migration);
        schema::look(snapshot, schema, moves, &mut migration);
    }
    migration.left.sort();
    migration.left.dedup();
    migration
}

/// Migrates a file with values of the schema.
fn values(snapshot: &Snapshot, (schema, file): (FileId, FileId), moves: &[Move], migration: &mut Migration) {
    let is_code = matches!(
        snapshot.kind(file),
        FileKind::Schema | FileKind::Template | FileKind::Library | FileKind::Configuration
    );
    if is_code {
        return;
    }
    let association = snapshot.association(file);
    let by_set = association.schemas().map(|governing| governing.state.files.contains(&schema));
    // Parts of documents have paths of their own.
    let parts = snapshot.governed(file);
    let by_part = parts.iter().map(|part| part.reason.file == schema && part.at.is_empty());
    let governed: Vec<bool> = by_set.chain(by_part).collect();
    if !governed.contains(&true) {
        return;
    }
    annotations::look(snapshot, file, moves, migration);
    let before = snapshot.text(file).to_string();
    let meant: Vec<usize> = parts.iter().filter(|part| part.reason.file == schema).map(|part| part.document).collect();
    let kind = snapshot.kind(file);
    let is_meant = |number: usize, document: &Document| match kind {
        FileKind::DataValues => is_values(document),
        FileKind::Parts => meant.contains(&number),
        _ => true,
    };
    match migrated(&before, snapshot.profile(file), moves, &is_meant) {
        Ok(after) if after == before => {}
        Ok(_) if governed.contains(&false) => {
            migration.refused.push((file, "another schema governs it as well".to_owned()));
        }
        Ok(after) => {
            migration.changed.insert(file, after);
        }
        Err(refusal) => migration.refused.push((file, refusal.to_string())),
    }
}

/// Whether a document holds data values of the root library.
fn is_values(document: &Document) -> bool {
    document.is_data_values() && !document.notes.has("library/ref")
}

#[cfg(test)]
mod tests;
