//! The documents of JSON Schemas, and those that each of them refers to directly.

use crate::association::state::AssociationState;
use crate::files::file::File;
use lofting_dialect::Dialect;
use lofting_dialect::json_schema::{JsonSchema, documents_named};
use lofting_document::{Document, Options, lower};
use lofting_memo::Weigh;
use std::sync::Arc;

/// The URIs of the documents that a file refers to.
pub(crate) struct SchemaLinks(Vec<String>);

impl Weigh for SchemaLinks {
    fn weight(&self) -> usize {
        self.0.iter().map(String::len).sum()
    }
}

impl SchemaLinks {
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

/// The answer of [`links`], if it is known already.
pub(crate) fn known_links(state: &AssociationState, file: &File, uri: &Arc<str>) -> Option<Arc<SchemaLinks>> {
    state.memos.schema_links.peek(&(file.id, uri.clone()), &state.inputs([file.revision]))
}

/// The documents to which the schema in a file refers directly, by URI.
pub(crate) fn links(state: &AssociationState, file: &File, uri: &Arc<str>) -> Arc<SchemaLinks> {
    let inputs = state.inputs([file.revision]);
    let named = |document: Arc<Document>| documents_named(uri, &document.value);
    let links = || SchemaLinks(first_document(state, file).map(named).unwrap_or_default());
    state.memos.schema_links.get((file.id, uri.clone()), &inputs, links)
}

/// The first document of a file as JSON Schema reads it, together with a rough size in bytes.
pub(crate) struct SchemaDocument(Option<Arc<Document>>, usize);

/// How many bytes a document takes for each byte of its text, roughly.
const PER_BYTE: usize = 8;

impl Weigh for SchemaDocument {
    fn weight(&self) -> usize {
        self.1
    }
}

/// The first document of a file, as JSON Schema reads it. A bundle is asked for once for each kind, and for its links.
pub(crate) fn first_document(state: &AssociationState, file: &File) -> Option<Arc<Document>> {
    let first = || {
        let documents = lower(file.id, file.tree(), JsonSchema.profile(), Options::default()).documents;
        SchemaDocument(documents.into_iter().next().map(Arc::new), PER_BYTE * file.size())
    };
    state.memos.schema_documents.get(file.id, &state.inputs([file.revision]), first).0.clone()
}
