//! The schema that a document of a file answers to.

use crate::document_kind::{DocumentKind, document_kind};
use lofting_document::FileId;
use lofting_schema::Schema;
use lofting_syntax::{Document, Tree};
use lofting_workspace::{FileKind, Snapshot};
use std::sync::Arc;

/// The schema for the values in `document`; `None` where the file has none, and for documents that
/// are no values (templates, schemas). `document` is `None` in a text that has no document yet.
pub(crate) fn governing_schema(
    snapshot: &Snapshot,
    file: FileId,
    tree: &Tree,
    document: Option<Document<'_>>,
) -> Option<Arc<Schema>> {
    let governed = match snapshot.kind(file) {
        FileKind::PlainValues => true,
        // A file with data values holds no other documents, but while it is being typed it may.
        FileKind::DataValues => document_kind(tree, document?, None) == DocumentKind::Values,
        _ => false,
    };
    if !governed {
        return None;
    }
    snapshot.association(file).schema.map(|schema| schema.schema)
}
