//! Rename: of data values in schemas, values files, flags and code, of names in code, of documents that others refer
//! to, and of fields of schemas whose values are in other documents; everywhere at once, or not at all.

use crate::field::Field;
use crate::named::Named;
use crate::starlark::{self, CodeName};
use lofting_document::{FileId, Span};
use lofting_text::Text;
use lofting_workspace::Snapshot;
use std::ops::Range;
use std::path::PathBuf;

mod data_value;
mod field;
mod named;
#[cfg(test)]
pub(crate) mod tests;

/// What can be renamed at a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renameable {
    /// The bytes of the name.
    pub range: Range<usize>,
    /// The present name.
    pub name: String,
}

/// The edits of a rename.
#[derive(Debug, Clone, Default)]
pub struct Renamed {
    /// Spans with their new text.
    pub edits: Vec<(Span, String)>,
    /// Edits of files that are not ours: scripts with commands that set a data value.
    pub outside: Vec<OutsideEdit>,
}

/// An edit of a file that is not one of the workspace's.
#[derive(Debug, Clone)]
pub struct OutsideEdit {
    /// The file.
    pub path: PathBuf,
    /// Its text, for positions.
    pub text: Text,
    /// The bytes that are replaced.
    pub range: Range<usize>,
    /// The new text.
    pub new: String,
}

/// Why a rename is refused, as a message for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal(pub String);

/// What a rename at `offset` (bytes) would change; an error says why that is not possible.
pub fn prepare_rename(snapshot: &Snapshot, file: FileId, offset: usize) -> Result<Renameable, Refusal> {
    starlark::rename::fixed(snapshot, file, offset)?;
    if let Some(named) = Named::at(snapshot, file, offset) {
        return named::prepare(named);
    }
    if let Some(field) = Field::at(snapshot, file, offset) {
        return Ok(Renameable { range: field.origin, name: field.name });
    }
    match CodeName::at(snapshot, file, offset) {
        Some(found) => starlark::rename::prepare(snapshot, &found),
        None => data_value::prepare(snapshot, file, offset),
    }
}

/// The edits that rename what is at `offset` (bytes).
pub fn rename(snapshot: &Snapshot, file: FileId, offset: usize, name: &str) -> Result<Renamed, Refusal> {
    starlark::rename::fixed(snapshot, file, offset)?;
    if let Some(named) = Named::at(snapshot, file, offset) {
        return named::rename(&named, name);
    }
    if let Some(field) = Field::at(snapshot, file, offset) {
        return field::rename(snapshot, &field, name);
    }
    match CodeName::at(snapshot, file, offset) {
        Some(found) => starlark::rename::rename(snapshot, &found, name),
        None => data_value::rename(snapshot, file, offset, name),
    }
}
