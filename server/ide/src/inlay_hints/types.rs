//! The types of keys in schemas of data values, if they differ from those of the defaults there: `string or null`,
//! `any`.

use super::{HintKind, HintRole, HintedPart, InlayHint, plain};
use lofting_schema::{Schema, SchemaId};
use lofting_syntax::resolve::{Resolved, resolve};
use lofting_syntax::{Value, ValueKind};
use lofting_workspace::FileKind;
use std::collections::HashMap;
use std::sync::Arc;

/// The kind.
pub(super) const KIND: HintKind = HintKind { name: "types", is_usual: true, find: hints };

fn hints(part: &HintedPart<'_>, hints: &mut Vec<InlayHint>) {
    if part.kind != FileKind::Schema {
        return;
    }
    let Some(schema) = part.snapshot.association(part.file).schema.as_ref().map(|schema| schema.schema.clone()) else {
        return;
    };
    let declared = declared(part, &schema);
    for here in part.entries() {
        let name = here.key.map_or(here.start, |key| key.content_range().start);
        let Some(id) = declared.get(&name) else { continue };
        let words = schema.type_words(*id);
        let node = schema.node(*id);
        // Values that are unknown before code has run have no known type.
        if node.known && says_else(part, here.value, &words) {
            hints.push(plain(part.after(&here), words, HintRole::Type));
        }
    }
}

/// The nodes that are declared in the part, by the offset of their key.
fn declared(part: &HintedPart<'_>, schema: &Arc<Schema>) -> HashMap<usize, SchemaId> {
    let here = schema.nodes().filter_map(|(id, node)| {
        let name = node.declared.name;
        (name.file == part.file && part.range.contains(&name.range().start)).then(|| (name.range().start, id))
    });
    here.collect()
}

/// Whether these words for a type tell a reader more than the value.
fn says_else(part: &HintedPart<'_>, value: Value<'_>, words: &str) -> bool {
    let obvious = match value.kind() {
        ValueKind::BlockMap | ValueKind::FlowMap => "map",
        ValueKind::BlockSeq | ValueKind::FlowSeq => "array",
        ValueKind::Alias | ValueKind::Missing => return !words.is_empty() && words != "null",
        _ => {
            let Some(scalar) = value.scalar() else { return false };
            let tag = value.tag();
            let tag = tag.as_ref().map(|tag| tag.text());
            match resolve(part.snapshot.profile(part.file), &scalar, tag.as_deref()) {
                Ok(Resolved::Null) => "null",
                Ok(Resolved::Bool(_)) => "boolean",
                Ok(Resolved::Int(_)) => "integer",
                Ok(Resolved::Float(_)) => "float",
                Ok(Resolved::String) => "string",
                Err(_) => return false,
            }
        }
    };
    // The items of an array are visible.
    let is_array = obvious == "array" && words.starts_with("array") && !words.contains("null");
    words != obvious && !is_array
}
