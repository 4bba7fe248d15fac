//! Texts in JSON, which is YAML as well: what is inserted into them has to be JSON, or other programs cannot read them.

use lofting_document::FileId;
use lofting_syntax::{Tree, ValueKind};
use lofting_workspace::Snapshot;

/// Whether a file is JSON: by its name, or because its first key is in double quotes and between brackets.
pub(crate) fn is_json(snapshot: &Snapshot, file: FileId, tree: &Tree) -> bool {
    is_named_json(snapshot, file) || is_written_as_json(tree)
}

/// Whether a file is JSON by its name, so that it cannot have comments.
pub(crate) fn is_named_json(snapshot: &Snapshot, file: FileId) -> bool {
    snapshot.path(file).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"))
}

fn is_written_as_json(tree: &Tree) -> bool {
    let root = tree.documents().next().and_then(|document| document.root());
    let Some(map) = root.filter(|root| root.kind() == ValueKind::FlowMap).and_then(|root| root.map()) else {
        return false;
    };
    let key = map.entries().next().and_then(|entry| entry.key());
    key.is_some_and(|key| key.kind() == ValueKind::DoubleQuoted)
}
