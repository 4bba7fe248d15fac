//! The path from a document's root to a place in it, and the schema nodes that apply there.

use lofting_document::Key;
pub(crate) use lofting_schema::Step;
use lofting_schema::{Schema, SchemaId};
use lofting_syntax::resolve::{self, Profile, Resolved};
use lofting_syntax::{Entry, Value};

/// The step to the value of an entry.
pub(crate) fn step_into(profile: Profile, entry: Entry<'_>) -> Step {
    entry.key().and_then(|key| key_of(profile, key)).map_or(Step::Nowhere, Step::Key)
}

/// Whether an entry has this key.
pub(crate) fn has_key(profile: Profile, entry: &Entry<'_>, key: &Key) -> bool {
    entry.key().and_then(|written| key_of(profile, written)).as_ref() == Some(key)
}

/// The value of a key in a map: the first, if it is repeated.
pub(crate) fn value_of<'t>(profile: Profile, map: Value<'t>, key: &Key) -> Option<Value<'t>> {
    map.map()?.entries().find(|entry| has_key(profile, entry, key)).map(|entry| entry.value())
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
        Resolved::Int(value) => Key::int(value),
        Resolved::Float(value) => Key::Float(value.to_bits()),
        Resolved::String => Key::String(scalar.value().as_ref().into()),
    })
}

/// The schema nodes that apply at the end of a path: several below unions, none where the schema does not reach.
pub(crate) fn schemas_at(schema: &Schema, path: &[Step]) -> Vec<SchemaId> {
    steps_below(schema, path).map(|steps| schema.nodes_at(schema.root(), &steps)).unwrap_or_default()
}

/// A path as a schema counts it; None for one that leads nowhere.
pub(crate) fn steps_below(schema: &Schema, path: &[Step]) -> Option<Vec<Step>> {
    let keys = schema.semantics().keys;
    let named = |step: &Step| match step {
        Step::Key(key) => Some(Step::Key(keys.named(key.clone()))),
        Step::Nowhere => None,
        item => Some(item.clone()),
    };
    path.iter().map(named).collect()
}
