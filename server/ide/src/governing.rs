//! The schema that a place in a document answers to.

use crate::document_kind::{DocumentKind, document_kind};
use crate::path::{Step, schemas_below};
use lofting_document::FileId;
use lofting_schema::{Schema, SchemaId, Step as SchemaStep};
use lofting_syntax::{Document, Tree};
use lofting_workspace::{FileKind, Governed, Snapshot};
use std::sync::Arc;

#[cfg(test)]
mod tests;

/// A schema and the part of a document that it governs.
#[derive(Debug, Clone)]
pub(crate) struct Governing {
    pub schema: Arc<Schema>,
    /// The node that the part has to fit.
    node: SchemaId,
    /// Steps from the document's root to the part.
    above: usize,
}

impl Governing {
    /// A schema for a document as a whole.
    pub fn whole(schema: Arc<Schema>) -> Self {
        Governing { node: schema.root(), schema, above: 0 }
    }

    /// The nodes that hold at the end of a path from the document's root.
    pub fn nodes_at(&self, path: &[Step]) -> Vec<SchemaId> {
        path.get(self.above..).map(|below| schemas_below(&self.schema, self.node, below)).unwrap_or_default()
    }
}

/// The schema for the value at the end of `path` in `document`; `None` where there is none, and in documents that are no
/// values (templates, schemas). `document` is `None` in a text that has no document yet; `offset` is where the user is,
/// which tells items of one array apart.
pub(crate) fn governing(
    snapshot: &Snapshot,
    file: FileId,
    tree: &Tree,
    document: Option<Document<'_>>,
    path: &[Step],
    offset: usize,
) -> Option<Governing> {
    let governed = match snapshot.kind(file) {
        FileKind::PlainValues => true,
        // A file with data values holds no other documents, but while it is being typed it may.
        FileKind::DataValues => document_kind(tree, document?, None) == DocumentKind::Values,
        FileKind::Parts => return part(snapshot, file, document?, path, offset),
        _ => false,
    };
    if !governed {
        return None;
    }
    snapshot.association(file).schema.as_ref().map(|schema| Governing::whole(schema.schema.clone()))
}

/// The innermost governed part that the path leads into; of several in one array the last that begins above.
fn part(snapshot: &Snapshot, file: FileId, document: Document<'_>, path: &[Step], offset: usize) -> Option<Governing> {
    let range = document.range();
    let leads_here = |part: &Governed| {
        range.start <= part.key.start
            && part.key.start < range.end.max(range.start + 1)
            && part.key.start <= offset
            && part.at.len() <= path.len()
            && part.at.iter().zip(path).all(|(at, step)| match (at, step) {
                (SchemaStep::Key(at), Step::Key(key)) => at == key,
                (SchemaStep::Index(_) | SchemaStep::Item, Step::Item) => true,
                _ => false,
            })
    };
    let parts = snapshot.governed(file);
    let part = parts.into_iter().filter(leads_here).max_by_key(|part| (part.at.len(), part.key.start))?;
    Some(Governing { schema: part.schema, node: part.node, above: part.at.len() })
}
