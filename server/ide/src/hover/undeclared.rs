//! What a schema says about a place that it does not declare.

use super::{link, name_of};
use crate::governing::Governing;
use crate::markdown::{Page, Words};
use crate::path::Step;
use lofting_document::Key;
use lofting_schema::{KeyChild, Schema, SchemaId, Shape};
use lofting_workspace::Snapshot;

/// Names that are listed where an unknown one stands.
const MAX_NAMES: usize = 12;

/// Why the schema says nothing about the value at the end of `path`: a key on the way is not declared, or anything may
/// stand there.
pub(super) fn page(snapshot: &Snapshot, governing: &Governing, path: &[Step]) -> Option<Page> {
    // The last place on the way that is declared.
    let (length, nodes) = (0..path.len()).rev().find_map(|length| {
        let nodes = governing.nodes_at(path.get(..length)?);
        (!nodes.is_empty()).then_some((length, nodes))
    })?;
    let (above, below) = path.split_at_checked(length)?;
    let (Step::Key(key), Some(Step::Key(last))) = (below.first()?, below.last()) else { return None };
    Some(of_key(snapshot, &governing.schema, *nodes.first()?, above, (key, last)))
}

/// The same of a key in a map for which a node holds, or of one further below; `above` is the way to the map.
pub(crate) fn of_key(
    snapshot: &Snapshot,
    schema: &Schema,
    node: SchemaId,
    above: &[Step],
    (key, last): (&Key, &Key),
) -> Page {
    let map = schema.node(node);
    let declared = snapshot.is_file(map.declared.name.file).then(|| link(snapshot, map.declared.name));
    let declared = declared.map(|place| Words::default().ours("Declared in ").words(place));
    let name = |key: &Key| Words::default().strong(key.to_string());
    let inside = match above {
        [] => Words::default().ours("the schema"),
        above => Words::default().code(name_of(above)),
    };
    let page = match map.shape() {
        Shape::Map(shape) if shape.child(key) == KeyChild::Undeclared => {
            let page = Page::from(name(key).ours(" is not declared in ").words(inside));
            let names = shape.keys.iter().take(MAX_NAMES).map(|known| Words::default().code(known.key.to_string()));
            let more = (shape.keys.len() > MAX_NAMES).then(|| Words::default().ours("others"));
            match shape.keys.is_empty() {
                true => page,
                false => page.words(Words::default().ours("Keys there: ").words(Words::list(names.chain(more)))),
            }
        }
        Shape::Map(_) | Shape::Any | Shape::Unknown | Shape::Union(_) => {
            Page::from(name(last).ours(" may be anything: nothing is said about what is in ").words(inside))
        }
        _ => Page::from(name(key).ours(" has no place here: ").words(inside).ours(" takes no keys")),
    };
    match declared {
        Some(declared) => page.words(declared),
        None => page,
    }
}
