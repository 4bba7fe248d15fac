//! What ytt's annotations make of documents (docs/ytt.md 3.3).

use crate::{Claim, Role, SchemaName};
use lofting_document::{Document, DocumentSet};

/// All claims in a file's documents. Documents addressed to a private library belong to the library of that name.
pub(super) fn claims(set: &DocumentSet) -> Vec<Claim> {
    let mut claims = Vec::new();
    for (number, document) in set.documents.iter().enumerate() {
        let start = document.span.range().start;
        let mut claim = |role| claims.push(Claim { document: number, at: Vec::new(), key: start..start, role });
        let (schema, values) = (document.is_schema(), document.is_data_values());
        if schema {
            claim(Role::Schema(data_values(document)));
        }
        if values {
            claim(Role::Instance(data_values(document)));
        }
        if !schema && !values && set.is_template {
            claim(Role::Template);
        }
    }
    claims
}

/// Data values have one schema for each library.
fn data_values(document: &Document) -> SchemaName {
    let library = if document.notes.has("library/ref") { PRIVATE } else { OWN };
    SchemaName { kind: "data/values".into(), name: library.into(), namespace: None, slot: "" }
}

/// The name of the library that the file is in.
pub const OWN: &str = "";

/// The name that stands for all private libraries, to which an annotation addresses a document.
pub const PRIVATE: &str = "@";
