//! Names of the design proposals that ytt accepts and ignores (docs/ytt.md 21).

use super::{Area, Entry, Places, Status};

const fn ignored(
    name: &'static str,
    places: Places,
    summary: &'static str,
    doc: &'static str,
    instead: Option<&'static str>,
) -> Entry {
    Entry {
        name,
        summary,
        doc,
        places,
        area: Area::Schema,
        parameters: &[],
        snippet: name,
        plain: name,
        status: Status::Ignored { instead },
    }
}

pub(super) const ENTRIES: &[Entry] = &[
    ignored(
        "schema",
        Places::DOCUMENT,
        "Proposed as the head of a schema document; ytt ignores it.",
        "The document is an ordinary template and is rendered.",
        Some("data/values-schema"),
    ),
    ignored(
        "schema/match",
        Places::DOCUMENT,
        "Proposed as the head of a schema document; ytt ignores it.",
        "The document is an ordinary template and is rendered.",
        Some("data/values-schema"),
    ),
    ignored(
        "schema/definition",
        Places::DOCUMENT,
        "Proposed as the head of a schema document; ytt ignores it.",
        "The document is an ordinary template and is rendered.",
        Some("data/values-schema"),
    ),
    ignored(
        "schema/amend",
        Places::DOCUMENT,
        "Proposed for changes to a schema; ytt ignores it.",
        "The document is rendered. A further schema document is laid over those before it.",
        Some("data/values-schema"),
    ),
    ignored("schema/doc", Places::ANY, "Proposed for descriptions; ytt ignores it.", "", Some("schema/desc")),
    ignored(
        "schema/example",
        Places::ANY,
        "Proposed for one example; ytt ignores it.",
        "`schema/examples` takes tuples of a description and a value.",
        Some("schema/examples"),
    ),
    ignored("schema/validate", Places::ANY, "Proposed for rules; ytt ignores it.", "", Some("schema/validation")),
    ignored(
        "schema/removed",
        Places::ITEMS,
        "Proposed for values that no longer exist; ytt ignores it.",
        "Delete the item, or mark it with `schema/deprecated`.",
        Some("schema/deprecated"),
    ),
    ignored(
        "schema/any-key",
        Places::MAP_ITEM,
        "Proposed for maps with free keys; ytt ignores it.",
        "The key below it is an ordinary key and others are refused. A map with free keys needs `schema/type any=True`.",
        Some("schema/type"),
    ),
    ignored(
        "schema/key-may-be-present",
        Places::MAP_ITEM,
        "Proposed for optional keys; ytt ignores it.",
        "The key is always present, with its default. `schema/nullable` makes the default null.",
        Some("schema/nullable"),
    ),
    ignored("schema/key", Places::MAP_ITEM, "Proposed for rules about keys; ytt ignores it.", "", None),
];
