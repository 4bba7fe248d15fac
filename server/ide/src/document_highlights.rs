//! Highlights: the occurrences of the thing at the cursor in the same file.

use crate::anchors;
use crate::data_value::{DataValue, governed};
use crate::field::Field;
use crate::named::Named;
use crate::starlark::{CodeName, Role};
use lofting_document::{FileId, Span};
use lofting_syntax::Tree;
use lofting_text::Text;
use lofting_workspace::{FileKind, Snapshot};
use std::ops::Range;

#[cfg(test)]
mod tests;

/// One occurrence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Highlight {
    /// Its bytes.
    pub range: Range<usize>,
    /// It sets the value instead of only reading it.
    pub is_write: bool,
}

/// The occurrences in `file` of the name in code, data value, field of a schema or anchor at `offset` (bytes), in order.
pub fn document_highlights(snapshot: &Snapshot, file: FileId, offset: usize) -> Vec<Highlight> {
    if let Some(found) = CodeName::in_file(snapshot, file, offset) {
        let here = found.places.into_iter().filter(|(span, _)| span.file == file);
        return here
            .map(|(span, role)| Highlight { range: span.range(), is_write: !matches!(role, Role::Use | Role::Alias) })
            .collect();
    }
    if let Some(found) = data_value(snapshot, file, offset) {
        return found;
    }
    if let Some(named) = Named::at(snapshot, file, offset) {
        let is_write = |span: &Span| named.declared.contains(span);
        let here = named.places(true).into_iter().filter(|span| span.file == file);
        return here.map(|span| Highlight { range: span.range(), is_write: is_write(&span) }).collect();
    }
    if let Some(found) = field(snapshot, file, offset) {
        return found;
    }
    anchor(&snapshot.tree(file), &snapshot.text(file), offset)
}

/// In larger files (in bytes) the keys of a data value or field are not searched: editors request highlights after every move of
/// the cursor, and mark equal words themselves if there is no answer.
const QUICK: usize = 64 * 1024;

fn data_value(snapshot: &Snapshot, file: FileId, offset: usize) -> Option<Vec<Highlight>> {
    if snapshot.text(file).len() > QUICK {
        return None;
    }
    let files = [governed(snapshot, file)?];
    let value = DataValue::at(snapshot, &files, file, offset)?;
    let is_write = matches!(files[0].kind, FileKind::Schema | FileKind::DataValues | FileKind::PlainValues);
    let places = value.places_in(snapshot, &files[0]);
    Some(places.into_iter().map(|span| Highlight { range: span.range(), is_write }).collect())
}

/// A field of a schema, in it and in values and expressions.
fn field(snapshot: &Snapshot, file: FileId, offset: usize) -> Option<Vec<Highlight>> {
    if snapshot.text(file).len() > QUICK {
        return None;
    }
    let places = Field::at(snapshot, file, offset)?.places_in_file(snapshot, file);
    Some(places.into_iter().map(|(span, is_write)| Highlight { range: span.range(), is_write }).collect())
}

/// An anchor and its aliases, up to the next anchor with the same name.
fn anchor(tree: &Tree, text: &Text, offset: usize) -> Vec<Highlight> {
    let Some(anchored) = anchors::anchored_at(tree, text, offset) else { return Vec::new() };
    let mut found = vec![Highlight { range: anchored.anchor.range(), is_write: true }];
    found.extend(anchored.aliases.into_iter().map(|alias| Highlight { range: alias.range(), is_write: false }));
    found
}
