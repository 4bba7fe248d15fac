//! The role that ytt's annotations give to documents (docs/ytt.md 3.3).

use crate::{Claim, Role, SchemaName};
use lofting_document::{Document, DocumentSet};

/// All claims in a file's documents. Documents for a private library belong to the library with that name.
pub(super) fn claims(set: &DocumentSet) -> Vec<Claim> {
    let mut claims = Vec::new();
    for (number, document) in set.documents.iter().enumerate() {
        let mut add = |role| claims.push(claim_of(number, document, role));
        let values = document.is_data_values();
        if document.heads().next().is_some_and(|head| head.name == "data/values-schema") {
            add(Role::Schema(data_values(document)));
        }
        if values {
            add(Role::Instance(data_values(document)));
        }
        if !document.is_schema() && !values && set.is_template {
            add(Role::Template);
        }
    }
    claims
}

/// A claim that the document with this index is a schema of data values.
pub(crate) fn claim(number: usize, document: &Document) -> Claim {
    claim_of(number, document, Role::Schema(data_values(document)))
}

fn claim_of(number: usize, document: &Document, role: Role) -> Claim {
    let start = document.span.range().start;
    Claim { document: number, at: Vec::new(), key: start..start, role }
}

/// Each library has its own data values, and so its own schema.
fn data_values(document: &Document) -> SchemaName {
    let library = if document.notes.has("library/ref") { PRIVATE } else { OWN };
    SchemaName { kind: "data/values".into(), name: library.into(), namespace: None, slot: "" }
}

/// The name of the library that contains the file.
pub const OWN: &str = "";

/// The name that stands for all private libraries, for documents that an annotation assigns to one.
pub const PRIVATE: &str = "@";
