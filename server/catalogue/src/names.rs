//! Names: URLs that mean the same document.

use std::borrow::Cow;

/// The hosts and folders by which documents of SchemaStore are known.
const STORES: [&str; 6] = [
    "json.schemastore.org/",
    "www.schemastore.org/",
    "schemastore.org/",
    "schemastore.azurewebsites.net/schemas/json/",
    "raw.githubusercontent.com/SchemaStore/schemastore/master/src/schemas/json/",
    "raw.githubusercontent.com/SchemaStore/schemastore/refs/heads/master/src/schemas/json/",
];

/// A URL in the form by which its document is known: without scheme, fragment and `.json`. Documents of SchemaStore have
/// several addresses.
pub fn canonical(url: &str) -> Cow<'_, str> {
    let document = url.split(['#', '?']).next().unwrap_or_default();
    let rest = document.split_once("://").map_or(document, |(_, rest)| rest);
    let rest = rest.strip_suffix(".json").unwrap_or(rest);
    match STORES.iter().find_map(|store| rest.strip_prefix(store)) {
        Some(name) => Cow::Owned(format!("schemastore:{name}")),
        None => Cow::Borrowed(rest),
    }
}
