//! Names: URLs that mean the same document, and patterns that may match a file.

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

/// Whether a byte has a meaning in patterns.
pub(crate) fn is_special(byte: u8) -> bool {
    matches!(byte, b'*' | b'?' | b'[' | b']' | b'{' | b'}' | b'\\')
}

/// Whether a pattern may match a path, judging by what is literal in it: the ends of its last part, and whole parts before.
/// What rules out most patterns comes first: the last byte, then the name.
pub(crate) fn may_match(pattern: &str, path: &str) -> bool {
    let ends = pattern.bytes().next_back().zip(path.bytes().next_back());
    if pattern.starts_with('!') || ends.is_some_and(|(wanted, own)| wanted != own && !is_special(wanted)) {
        return false;
    }
    // A slash may be inside an alternative, which has to be looked at as a whole.
    let (before, last) = match pattern.rsplit_once('/') {
        Some((before, last)) if !before.contains('{') => (before, last),
        Some(_) => ("", "*"),
        None => ("", pattern),
    };
    let (directories, file_name) = path.rsplit_once('/').unwrap_or(("", path));
    let start = last.bytes().position(is_special).map_or(last, |at| &last[..at]);
    let end = last.bytes().rposition(is_special).map_or(last, |at| &last[at + 1..]);
    let is_named = if start.len() == last.len() {
        last == file_name
    } else {
        let length = start.len().max(end.len());
        file_name.len() >= length && file_name.starts_with(start) && file_name.ends_with(end)
    };
    let is_there =
        |part: &str| part.is_empty() || part.bytes().any(is_special) || directories.split('/').any(|it| it == part);
    is_named && before.split('/').all(is_there)
}
