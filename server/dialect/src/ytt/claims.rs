//! What ytt's annotations make of documents (docs/ytt.md 3.3).

use crate::{Claim, Role, SchemaName};
use lofting_document::{Document, DocumentSet};

/// All claims in a file's documents. Documents addressed to a private library belong to the library of that name.
pub(super) fn claims(set: &DocumentSet) -> Vec<Claim> {
    let claim = |(number, document): (usize, &Document)| {
        let role = match (document.is_schema(), document.is_data_values()) {
            (true, _) => Role::Schema(data_values(document)),
            (false, true) => Role::Instance(data_values(document)),
            (false, false) if set.is_template => Role::Template,
            (false, false) => return None,
        };
        let start = document.span.range().start;
        Some(Claim { document: number, at: Vec::new(), key: start..start, role })
    };
    set.documents.iter().enumerate().filter_map(claim).collect()
}

/// Data values have one schema for each library.
fn data_values(document: &Document) -> SchemaName {
    let library = if document.notes.has("library/ref") { PRIVATE } else { OWN };
    SchemaName { kind: "data/values".into(), name: library.into(), namespace: None, slot: "" }
}

/// The library that the file is in.
pub const OWN: &str = "";

/// A private library, by an annotation.
pub const PRIVATE: &str = "@";
