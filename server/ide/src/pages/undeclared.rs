//! What a schema says about a place that it does not declare.

use super::{link, name_of};
use crate::governing::Governing;
use crate::markdown::{Page, Words};
use crate::path::Step;
use lofting_document::Key;
use lofting_schema::{KeyChild, MapShape, Schema, SchemaId, Shape};
use lofting_workspace::Snapshot;
use rustc_hash::FxHashSet;

/// How many declared names are listed for an unknown one.
const MAX_NAMES: usize = 12;

/// Why the schema says nothing about the value at the end of `path`: a key on the way is not declared, or anything is
/// allowed there.
pub(crate) fn page(snapshot: &Snapshot, governing: &Governing, path: &[Step]) -> Option<Page> {
    // The last place on the way that is declared.
    let (length, nodes) = (0..path.len()).rev().find_map(|length| {
        let nodes = governing.nodes_at(path.get(..length)?);
        (!nodes.is_empty()).then_some((length, nodes))
    })?;
    let (above, below) = path.split_at_checked(length)?;
    let (Step::Key(key), Some(Step::Key(last))) = (below.first()?, below.last()) else { return None };
    Some(of_key(snapshot, &governing.schema, &nodes, above, (key, last)))
}

/// Why the schema says nothing about a key in a map for which nodes hold, or about one further below; `above` is the way to the map.
pub(crate) fn of_key(
    snapshot: &Snapshot,
    schema: &Schema,
    nodes: &[SchemaId],
    above: &[Step],
    (key, last): (&Key, &Key),
) -> Page {
    let place = nodes.first().map(|node| schema.node(*node).declared.name);
    let declared = place.filter(|place| snapshot.is_file(place.file)).map(|place| link(snapshot, place));
    let declared = declared.map(|place| Words::default().ours("Declared in ").words(place));
    let name = |key: &Key| Words::default().strong(key.to_string());
    let inside = match above {
        [] => Words::default().ours("the schema"),
        above => Words::default().code(name_of(above)),
    };
    let shapes: Vec<Shape<'_>> = nodes.iter().map(|node| schema.node(*node).shape()).collect();
    let maps = shapes.iter().filter_map(|shape| match shape {
        Shape::Map(map) => Some(*map),
        _ => None,
    });
    let maps: Vec<&MapShape> = maps.collect();
    // One node that refuses the key is enough, whatever the others say.
    let refuses = |map: &&MapShape| matches!(map.child(key), KeyChild::Undeclared | KeyChild::Unread);
    let is_open = |shape: &Shape<'_>| matches!(shape, Shape::Map(_) | Shape::Any | Shape::Unknown | Shape::Union(_));
    let page = if maps.iter().any(refuses) {
        let page = Page::from(name(key).ours(" is not declared in ").words(inside));
        let mut seen = FxHashSet::default();
        let known: Vec<&Key> = maps.iter().flat_map(|map| &map.keys).map(|known| &known.key).collect();
        let known: Vec<&Key> = known.into_iter().filter(|key| seen.insert(*key)).collect();
        let names = known.iter().take(MAX_NAMES).map(|known| Words::default().code(known.to_string()));
        let more = (known.len() > MAX_NAMES).then(|| Words::default().ours("others"));
        if known.is_empty() {
            page
        } else {
            page.words(Words::default().ours("Keys there: ").words(Words::list(names.chain(more))))
        }
    } else if shapes.iter().any(is_open) {
        Page::from(name(last).ours(" may be anything: nothing is known about what is in ").words(inside))
    } else {
        Page::from(name(key).ours(" has no place here: ").words(inside).ours(" takes no keys"))
    };
    match declared {
        Some(declared) => page.words(declared),
        None => page,
    }
}
