//! Renames a field of a schema: in the schema, in values that it governs, and in expressions.

use super::{Refusal, Renamed};
use crate::field::Field;
use crate::yaml_text::{self, ScalarContext};
use lofting_document::{Key, Span};
use lofting_syntax::Kind;
use lofting_workspace::Snapshot;

/// The edits that rename it.
pub(super) fn rename(snapshot: &Snapshot, field: &Field, name: &str) -> Result<Renamed, Refusal> {
    if name == field.name {
        return Ok(Renamed::default());
    }
    let places = field.places(snapshot);
    if let Some(reason) = field.refuses(name, &places) {
        return Err(Refusal(reason));
    }
    let key = |span: Span| {
        let tree = snapshot.tree(span.file);
        let in_flow =
            tree.path_at(span.range().start).iter().any(|node| matches!(node.kind(), Kind::FlowMap | Kind::FlowSeq));
        (span, yaml_text::key(&Key::from(name), if in_flow { ScalarContext::Flow } else { ScalarContext::Block }))
    };
    let uses = places.uses.into_iter().map(|span| (span, name.to_owned()));
    Ok(Renamed { edits: places.keys.into_iter().map(key).chain(uses).collect(), outside: Vec::new() })
}
