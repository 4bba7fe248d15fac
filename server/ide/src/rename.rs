//! Rename: of data values in schemas, values files, flags and code, of names in code, of documents that others refer
//! to, of fields of schemas whose values are in other documents, and of anchors; everywhere at once, or not at all.

use crate::answers::{Refusal, Renameable, Renamed};
use crate::field::Field;
use crate::named::Named;
use crate::starlark::{self, CodeName};
use lofting_document::FileId;
use lofting_workspace::Snapshot;

mod anchor;
mod data_value;
mod field;
mod named;
#[cfg(test)]
pub(crate) mod tests;

/// What a rename at `offset` (bytes) would change; an error says why that is not possible.
pub fn prepare_rename(snapshot: &Snapshot, file: FileId, offset: usize) -> Result<Renameable, Refusal> {
    starlark::rename::fixed(snapshot, file, offset)?;
    if let Some(anchor) = anchor::prepare(snapshot, file, offset) {
        return Ok(anchor);
    }
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
    if let Some(renamed) = anchor::rename(snapshot, file, offset, name) {
        return renamed;
    }
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
