//! The documents of JSON Schemas, and those that each of them refers to directly.

use crate::association::state::AssociationState;
use crate::files::file::File;
use lofting_dialect::Dialect;
use lofting_dialect::json_schema::{DocumentsNamed, JsonSchema};
use lofting_document::{Document, Issue, Options, lower};
use lofting_memo::Weigh;
use std::sync::Arc;

/// The URIs of the documents that a file refers to.
#[derive(Default)]
pub(crate) struct SchemaLinks(DocumentsNamed);

impl Weigh for SchemaLinks {
    fn weight(&self) -> usize {
        self.by_schema().chain(self.elsewhere()).map(str::len).sum()
    }
}

impl SchemaLinks {
    /// Those that its schema refers to.
    pub fn by_schema(&self) -> impl Iterator<Item = &str> {
        self.0.by_schema.iter().map(String::as_str)
    }

    /// Those that are referred to where there is a schema only if another document leads there.
    pub fn elsewhere(&self) -> impl Iterator<Item = &str> {
        self.0.elsewhere.iter().map(String::as_str)
    }
}

/// The answer of [`links`], if it is known already.
pub(crate) fn known_links(state: &AssociationState, file: &File, uri: &Arc<str>) -> Option<Arc<SchemaLinks>> {
    state.memos.schema_links.peek(&(file.id, uri.clone()), &state.inputs([file.revision]))
}

/// The documents to which the schema in a file refers directly, by URI.
pub(crate) fn links(state: &AssociationState, file: &File, uri: &Arc<str>) -> Arc<SchemaLinks> {
    let inputs = state.inputs([file.revision]);
    let named = |document: Arc<Document>| SchemaLinks(DocumentsNamed::read(uri, &document.value));
    let links = || first_document(state, file).map(named).unwrap_or_default();
    state.memos.schema_links.get((file.id, uri.clone()), &inputs, links)
}

/// The first document of a file as JSON Schema reads it.
pub(crate) struct SchemaDocument {
    first: Option<Arc<Document>>,
    /// It is nested too deeply, or its aliases repeat too much, so that a part of it is unknown.
    is_cut: bool,
    /// A rough size in bytes.
    size: usize,
}

/// How many bytes a document takes for each byte of its text, roughly.
const PER_BYTE: usize = 8;

impl Weigh for SchemaDocument {
    fn weight(&self) -> usize {
        self.size
    }
}

/// The first document of a file, as JSON Schema reads it. A bundle is asked for once for each kind, and for its links.
pub(crate) fn first_document(state: &AssociationState, file: &File) -> Option<Arc<Document>> {
    schema_document(state, file).first.clone()
}

/// Whether a part of the first document of a file is unknown, because reading it has limits.
pub(crate) fn is_cut(state: &AssociationState, file: &File) -> bool {
    schema_document(state, file).is_cut
}

fn schema_document(state: &AssociationState, file: &File) -> Arc<SchemaDocument> {
    let first = || {
        let read = lower(file.id, file.tree(), JsonSchema.profile(), Options::default());
        let is_limit = |issue: &Issue| matches!(issue, Issue::AliasLimit { .. } | Issue::DepthLimit { .. });
        SchemaDocument {
            is_cut: read.issues.iter().any(is_limit),
            first: read.documents.into_iter().next().map(Arc::new),
            size: PER_BYTE * file.size(),
        }
    };
    state.memos.schema_documents.get(file.id, &state.inputs([file.revision]), first)
}
