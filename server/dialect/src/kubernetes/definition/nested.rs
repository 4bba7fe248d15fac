//! What alternatives may contain: only restrictions of what the schema around them declares.

use super::schema;
use crate::kubernetes::fields::Fields;
use crate::kubernetes::rules::not_structural;
use lofting_diagnostic::Diagnostic;
use lofting_document::{Key, NodeValue, Span};

/// The keywords with alternatives.
const ARRAYS: [&str; 3] = ["allOf", "anyOf", "oneOf"];

/// Keywords that describe a value rather than restrict it.
const DESCRIBING: [&str; 12] = [
    "type",
    "additionalProperties",
    "default",
    "title",
    "description",
    "nullable",
    "externalDocs",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-embedded-resource",
    "x-kubernetes-int-or-string",
    "x-kubernetes-list-type",
    "x-kubernetes-map-type",
];

/// Keywords that may be present if there is nothing in them.
const LISTS: [&str; 2] = ["x-kubernetes-list-map-keys", "x-kubernetes-validations"];

/// Checks the alternatives beside the structure of a schema. Only those of the root are compared with what is declared
/// around them: the server accepts others that restrict what nothing declares.
pub(super) fn check(schema: Fields<'_>, is_root: bool, found: &mut Vec<Diagnostic>) {
    let structure = is_root.then_some(schema);
    for keyword in ARRAYS {
        // An integer or a string may be said here, or in the first of several restrictions.
        if keyword == "anyOf" && is_int_or_string(schema) {
            continue;
        }
        for (index, item) in schema.items(keyword).iter().map(|item| Fields(&item.value)).enumerate() {
            let is_either = keyword == "allOf" && index == 0 && is_int_or_string(item);
            nested(item, structure, is_either, found);
        }
    }
    if let Some(not) = schema.below("not") {
        nested(not, structure, false, found);
    }
}

/// Whether the alternatives of a schema are exactly an integer and a string.
fn is_int_or_string(schema: Fields<'_>) -> bool {
    let is = |item: Fields<'_>, wanted: &str| match &item.0.value {
        NodeValue::Map(items) => items.len() == 1 && item.text("type").is_some_and(|text| text.text == wanted),
        _ => false,
    };
    match schema.items("anyOf") {
        [first, second] => is(Fields(&first.value), "integer") && is(Fields(&second.value), "string"),
        _ => false,
    }
}

/// A schema in an alternative, whose structure another one may state. `is_either`: its own `anyOf` says that the value
/// is an integer or a string, which is allowed.
fn nested(schema: Fields<'_>, structure: Option<Fields<'_>>, is_either: bool, found: &mut Vec<Diagnostic>) {
    schema::keywords(schema, schema::Position::NESTED, found);
    for keyword in DESCRIBING {
        if let Some(entry) = schema.entry(keyword).filter(|entry| says_something(&entry.value.value)) {
            found.push(describes(entry.key_span, keyword));
        }
    }
    for keyword in LISTS {
        if let Some(entry) = schema.entry(keyword).filter(|_| !schema.items(keyword).is_empty()) {
            found.push(describes(entry.key_span, keyword));
        }
    }
    let keywords = ARRAYS.into_iter().filter(|keyword| *keyword != "anyOf" || !is_either);
    let items = keywords.flat_map(|keyword| schema.items(keyword)).map(|item| Fields(&item.value));
    for alternative in items.chain(schema.below("not")) {
        nested(alternative, structure, false, found);
    }
    if let Some(entry) = schema.entry("items") {
        let declared = structure.and_then(|structure| structure.below("items"));
        if declared.is_none() && structure.is_some_and(|structure| structure.lacks("items")) {
            let message = "the schema around this alternative has no `items`";
            found.push(not_structural::finding(entry.key_span, message));
        }
        nested(Fields(&entry.value), declared, false, found);
    }
    for property in schema.entries("properties") {
        let Some(name) = property.key.as_str() else { continue };
        if name == "metadata" {
            let message = "alternatives cannot restrict `metadata`";
            found.push(not_structural::finding(property.key_span, message));
        }
        let properties = structure.and_then(|structure| structure.below("properties"));
        let declared = properties.and_then(|properties| properties.0.get(&Key::from(name))).map(Fields);
        let is_open = structure.is_none_or(|structure| structure.0.partial)
            || properties.is_some_and(|properties| properties.0.partial);
        if declared.is_none() && !is_open {
            let message = format!("the schema around this alternative does not declare `{name}`");
            found.push(not_structural::finding(property.key_span, message));
        }
        nested(Fields(&property.value), declared, false, found);
    }
}

/// Whether a value is other than what it is when absent.
fn says_something(value: &NodeValue) -> bool {
    match value {
        NodeValue::Unknown | NodeValue::Bool(false) => false,
        NodeValue::String(text) => !text.is_empty(),
        _ => true,
    }
}

fn describes(span: Span, keyword: &str) -> Diagnostic {
    let message = format!("`{keyword}` cannot be used in `allOf`, `anyOf`, `oneOf` and `not`");
    not_structural::finding(span, message).help("write it in the schema around them")
}
