//! Whether a schema of a catalogue is really for a file. A catalogue knows only names, and many things are called
//! `resources.yaml` or `resume.yaml`.

use crate::files::file::File;
use lofting_diagnostic::suggest;
use lofting_document::Key;
use lofting_schema::{KeyChild, Kinds, MapShape, Schema};
use lofting_syntax::{Document, Value, ValueKind};

/// How many keys of a document are looked at.
const KEYS: usize = 64;

/// Whether a schema may govern a file that a pattern of a catalogue matches. If the pattern has only names that anything
/// may have (`tasks/*.yml`), the first document has to look like what the schema describes: its kind is one that the
/// schema allows, and one of its keys is declared, or nearly is.
pub(crate) fn may_govern(file: &File, pattern: &str, schema: &Schema) -> bool {
    // `.github/workflows/*.yml` or `.travis.yml` are nothing else.
    if pattern.split('/').any(|name| name.starts_with('.')) {
        return true;
    }
    let root = file.tree().documents().find_map(|document: Document<'_>| document.root());
    root.is_none_or(|root| looks_like(&root, schema))
}

fn looks_like(root: &Value<'_>, schema: &Schema) -> bool {
    let nodes = || schema.speaking(schema.root()).into_iter().map(|id| schema.node(id));
    let kind = match root.kind() {
        ValueKind::BlockMap | ValueKind::FlowMap => Kinds::MAP,
        ValueKind::BlockSeq | ValueKind::FlowSeq => Kinds::ARRAY,
        // An unfinished file is nothing yet.
        _ => return true,
    };
    if nodes().any(|node| !node.known) || nodes().next().is_none() {
        return true;
    }
    if !nodes().any(|node| node.kinds.has(kind)) {
        return false;
    }
    let Some(map) = root.map() else { return true };
    let shapes: Vec<&MapShape> = nodes().filter_map(|node| node.map.as_deref()).collect();
    let is_known = |key: &Key| shapes.iter().any(|shape| matches!(shape.child(key), KeyChild::Child(_)));
    let declared = || shapes.iter().flat_map(|shape| &shape.keys).filter_map(|declared| declared.key.as_str());
    let mut keys =
        map.entries().filter_map(|entry| entry.key()?.scalar().map(|key| key.value().into_owned())).peekable();
    if shapes.is_empty() || keys.peek().is_none() {
        return true;
    }
    keys.take(KEYS).any(|key| is_known(&Key::from(key.as_str())) || suggest::nearest(&key, declared()).is_some())
}
