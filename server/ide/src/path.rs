//! The way from a document's root to a place in it, and the schema nodes that hold there.

use lofting_document::Key;
use lofting_schema::{Schema, SchemaId, Shape};
use lofting_syntax::resolve::{self, Profile, Resolved};
use lofting_syntax::{Entry, Value};

/// One step down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// To the value of a key.
    Key(Key),
    /// To an item; which one makes no difference in ytt.
    Item,
    /// To a value that no schema speaks about: the key is broken or a collection.
    Nowhere,
}

/// The step to the value of an entry.
pub(crate) fn step_into(profile: Profile, entry: Entry<'_>) -> Step {
    entry.key().and_then(|key| key_of(profile, key)).map_or(Step::Nowhere, Step::Key)
}

/// A key with its YAML type. `None` for collections, aliases and tags that do not apply.
pub(crate) fn key_of(profile: Profile, value: Value<'_>) -> Option<Key> {
    let Some(scalar) = value.scalar() else {
        return value.is_missing().then_some(Key::Null);
    };
    let tag = value.tag();
    let tag = tag.as_ref().map(|tag| tag.text());
    Some(match resolve::resolve(profile, &scalar, tag.as_deref()).ok()? {
        Resolved::Null => Key::Null,
        Resolved::Bool(value) => Key::Bool(value),
        Resolved::Int(value) => Key::Int(value),
        Resolved::Float(value) => Key::Float(value.to_bits()),
        Resolved::String => Key::String(scalar.value().as_ref().into()),
    })
}

/// The schema nodes that hold at the end of a path: several below unions, none where the schema does
/// not reach.
pub(crate) fn schemas_at(schema: &Schema, path: &[Step]) -> Vec<SchemaId> {
    let mut here = members(schema, vec![schema.root()]);
    for step in path {
        let next = here.iter().flat_map(|id| below(schema, *id, step)).collect();
        here = members(schema, next);
        if here.is_empty() {
            break;
        }
    }
    here
}

fn below(schema: &Schema, id: SchemaId, step: &Step) -> Option<SchemaId> {
    match (&schema.node(id).shape, step) {
        (Shape::Map(map), Step::Key(key)) => match map.get(key) {
            Some(declared) => Some(declared.schema),
            None => match map.rest {
                lofting_schema::Rest::Schema(rest) => Some(rest),
                _ => None,
            },
        },
        (Shape::Array(array), Step::Item) => Some(array.item),
        _ => None,
    }
}

/// At most this many alternatives of a union are followed.
const MAX_MEMBERS: usize = 64;

/// Unions replaced by their members.
fn members(schema: &Schema, ids: Vec<SchemaId>) -> Vec<SchemaId> {
    let mut flat: Vec<SchemaId> = Vec::with_capacity(ids.len());
    let mut todo = ids;
    todo.reverse();
    let mut steps = 0;
    while let Some(id) = todo.pop() {
        steps += 1;
        if steps > MAX_MEMBERS {
            break;
        }
        match &schema.node(id).shape {
            Shape::Union(list) => todo.extend(list.iter().rev()),
            _ if flat.contains(&id) => {}
            _ => flat.push(id),
        }
    }
    flat
}
