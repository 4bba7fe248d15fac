//! Keys that declare something, in schemas of any language.

use crate::token_kinds::{SemanticKind, SemanticModifiers, Stretch};
use lofting_document::FileId;
use lofting_schema::Schema;
use lofting_workspace::{FileKind, Snapshot};
use std::sync::Arc;

/// The keys of a file that declare something in the schemas that it holds.
pub(super) fn declarations(snapshot: &Snapshot, file: FileId, kind: FileKind) -> Vec<Stretch> {
    let mut schemas: Vec<Arc<Schema>> = snapshot.schemas_in(file);
    if kind == FileKind::Schema {
        schemas.extend(snapshot.association(file).schemas().map(|schema| schema.schema.clone()));
    }
    let mut found = Vec::new();
    for schema in &schemas {
        let keys = schema.nodes().flat_map(|(_, node)| node.map.iter().flat_map(|map| &map.keys));
        for key in keys {
            let node = schema.node(key.schema);
            let name = node.declared.name;
            if name.file == file {
                found.push(Stretch {
                    range: name.range(),
                    kind: SemanticKind::Property,
                    modifiers: SemanticModifiers::DECLARATION
                        | SemanticModifiers::REQUIRED.only_if(key.required)
                        | SemanticModifiers::DEPRECATED.only_if(super::contexts::is_deprecated(node)),
                });
            }
        }
    }
    found
}
