//! The structure of a schema: everything in it has a type.

use super::nested;
use crate::expression::refused;
use crate::json_schema::rules::{RequiredAbout, required_without_property};
use crate::kubernetes::SEMANTICS;
use crate::kubernetes::fields::Fields;
use crate::kubernetes::look::Look;
use crate::kubernetes::rules::{
    invalid_pattern, looks, not_structural, resource_meta, root_schema, unsupported_keyword,
};
use lofting_diagnostic::Diagnostic;
use lofting_diagnostic::suggest::{Searches, is_slip};
use lofting_document::{Key, Map, MapItem, Node, NodeValue};
use lofting_schema::re2;
use rustc_hash::FxHashSet;

/// The place of a schema in the schema of a resource.
#[derive(Debug, Clone, Copy)]
pub(super) struct Position {
    level: Level,
    /// Inside `apiVersion`, `kind` or `metadata` of a resource.
    in_meta: bool,
    /// Why no default can be set, as the end of a sentence.
    no_default: Option<&'static str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Root,
    Field,
    Item,
    /// In an alternative.
    Nested,
}

impl Position {
    /// In an alternative.
    pub const NESTED: Position = Position { level: Level::Nested, in_meta: false, no_default: None };
    const ROOT: Position = Position { level: Level::Root, ..Position::NESTED };

    fn at(self, level: Level) -> Position {
        Position { level, ..self }
    }
}

/// The keywords that are decoded and then refused.
const UNSUPPORTED: [(&str, &str); 7] = [
    ("$ref", "write the schema itself"),
    ("definitions", "write the schemas where they are used"),
    ("patternProperties", "use `additionalProperties`"),
    ("dependencies", "use a rule in `x-kubernetes-validations`"),
    ("additionalItems", "all items have the schema in `items`"),
    ("id", "remove it"),
    ("$schema", "remove it"),
];

/// These keywords.
pub(in crate::kubernetes) fn unsupported() -> impl Iterator<Item = &'static str> {
    UNSUPPORTED.iter().map(|(keyword, _)| *keyword)
}

/// The keywords that neither [`BESIDE_STATUS`] nor [`UNSUPPORTED`] has. Other keys are not declared, which is reported as
/// that.
const ELSEWHERE: [&str; 15] = [
    "additionalProperties",
    "allOf",
    "anyOf",
    "default",
    "enum",
    "maxProperties",
    "minProperties",
    "not",
    "nullable",
    "oneOf",
    EMBEDDED,
    INT_OR_STRING,
    "x-kubernetes-list-map-keys",
    "x-kubernetes-list-type",
    "x-kubernetes-map-type",
];

/// Whether a key is a keyword that schemas of custom resources can have.
fn is_keyword(key: &str) -> bool {
    BESIDE_STATUS.contains(&key) || ELSEWHERE.contains(&key)
}

/// What the root of a schema may have where the status is a subresource.
const BESIDE_STATUS: [&str; 22] = [
    "description",
    "type",
    "format",
    "title",
    "maximum",
    "exclusiveMaximum",
    "minimum",
    "exclusiveMinimum",
    "maxLength",
    "minLength",
    "pattern",
    "maxItems",
    "minItems",
    "uniqueItems",
    "multipleOf",
    "required",
    "items",
    "properties",
    "externalDocs",
    "example",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-validations",
];

/// The keys of every resource.
const META: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// Checks the schema of a version.
pub(super) fn check(root: Fields<'_>, has_status: bool, found: &mut Vec<Diagnostic>) {
    if let NodeValue::Map(entries) = &root.0.value {
        at_root(root, entries, has_status, found);
    }
    structure(root, Position::ROOT, found);
}

fn at_root(root: Fields<'_>, entries: &Map, has_status: bool, found: &mut Vec<Diagnostic>) {
    if let Some(of) = root.text("type").filter(|of| of.text != "object") {
        found.push(root_schema::finding(of.span, "a resource has `type: object`"));
    }
    if let Some(flag) = root.entry("nullable").filter(|_| root.is_set("nullable")) {
        found.push(root_schema::finding(flag.key_span, "a resource cannot be null"));
    }
    if let Some(entry) = root.entry("additionalProperties") {
        let message = "a resource declares its keys in `properties`";
        found.push(root_schema::finding(entry.key_span, message));
    }
    let is_refused = |key: &str| ELSEWHERE.contains(&key) && !["nullable", "additionalProperties"].contains(&key);
    let refused = |item: &&MapItem| {
        item.key.as_str().is_some_and(is_refused)
            && !matches!(item.value.value, NodeValue::Null | NodeValue::Bool(false) | NodeValue::Unknown)
    };
    if let Some(item) = entries.iter().find(refused).filter(|_| has_status) {
        let message = format!("`{}` cannot be used here, because the status is a subresource", item.key);
        let finding = root_schema::finding(item.key_span, message);
        found.push(finding.help("write it in the schema of `spec`"));
    }
}

/// Checks a schema and those below it.
fn structure(schema: Fields<'_>, place: Position, found: &mut Vec<Diagnostic>) {
    if schema.0.value == NodeValue::Null && !schema.0.missing {
        // A null is read as a schema that says nothing.
        found.push(no_type(schema, place.level));
    }
    if !matches!(schema.0.value, NodeValue::Map(_)) {
        return;
    }
    keywords(schema, place, found);
    own_type(schema, place.level, found);
    flags(schema, found);
    resource(schema, place.level, found);
    nested::check(schema, place.level == Level::Root, found);
    required(schema, place.level == Level::Root || schema.is_set(EMBEDDED), found);
    if let Some(items) = schema.below("items") {
        structure(items, place.at(Level::Item), found);
    } else if schema.text("type").is_some_and(|of| of.text == "array") && schema.lacks("items") {
        let at = schema.entry("type").map_or(schema.0.span, |entry| entry.key_span);
        found.push(not_structural::finding(at, "an array needs the schema of its items in `items`"));
    }
    if let Some(values) = schema.below("additionalProperties") {
        let no_default = place.in_meta.then_some("in maps inside `metadata`").or(place.no_default);
        structure(values, Position { no_default, ..place.at(Level::Field) }, found);
    }
    let is_resource = place.level == Level::Root || schema.is_set("x-kubernetes-embedded-resource");
    for property in schema.entries("properties") {
        let is_meta = is_resource && property.key.as_str().is_some_and(|key| META.contains(&key));
        let mut below = place.at(Level::Field);
        below.in_meta |= is_meta;
        if is_meta && place.level == Level::Root {
            below.no_default = Some("for what every resource has");
        }
        structure(Fields(&property.value), below, found);
    }
}

/// Names in `required` that the schema does not declare: the server prunes such keys, and then misses them.
fn required(schema: Fields<'_>, is_resource: bool, found: &mut Vec<Diagnostic>) {
    let declared = schema.entries("properties");
    let Some(entry) = schema.entry("properties").filter(|entry| !declared.is_empty() && !entry.value.partial) else {
        return;
    };
    let Some(NodeValue::Array(names)) = schema.value("required").map(|node| &node.value) else { return };
    if schema.is_set(PRESERVE) {
        return;
    }
    let required: FxHashSet<&str> = names.iter().filter_map(|name| text_of(&name.value)).collect();
    let mut searches = Searches::default();
    for name in names {
        let Some(text) = text_of(&name.value) else { continue };
        // Every resource has these.
        let is_given = is_resource && META.contains(&text);
        if text.is_empty() || is_given || entry.value.get(&Key::from(text)).is_some() {
            continue;
        }
        let free = declared.iter().filter_map(|item| item.key.as_str()).filter(|key| !required.contains(key));
        let meant = searches.nearest(text, free).filter(|near| is_slip(text, near));
        let about = RequiredAbout {
            is_closed: true,
            meant: meant.map(|meant| (meant, format!("\"{meant}\""))),
            properties: entry.key_span,
        };
        found.push(required_without_property(name.value.span, text, &about).family(SEMANTICS.family));
    }
}

fn text_of(node: &Node) -> Option<&str> {
    match &node.value {
        NodeValue::String(text) => Some(text),
        _ => None,
    }
}

/// What no schema may have, at any place.
pub(super) fn keywords(schema: Fields<'_>, place: Position, found: &mut Vec<Diagnostic>) {
    for (keyword, instead) in UNSUPPORTED {
        // An empty map is as good as none, except where the server asks whether there is one.
        let is_empty = |item: &&MapItem| match &item.value.value {
            NodeValue::Map(items) => items.is_empty() && keyword != "dependencies",
            NodeValue::String(text) => text.is_empty() && keyword != "$ref",
            _ => false,
        };
        if let Some(entry) = schema.entry(keyword).filter(|entry| !is_empty(entry)) {
            let message = format!("schemas of custom resources cannot have `{keyword}`");
            found.push(unsupported_keyword::finding(entry.key_span, message).help(instead));
        }
    }
    if let Some(entry) = schema.entry("uniqueItems").filter(|_| schema.is_set("uniqueItems")) {
        let finding = unsupported_keyword::finding(entry.key_span, UNIQUE);
        found.push(finding.help("`x-kubernetes-list-type: set` has the same effect"));
    }
    if let Some(entry) = schema.entry("items").filter(|entry| matches!(entry.value.value, NodeValue::Array(_))) {
        found.push(not_structural::finding(entry.key_span, "`items` is one schema for all items"));
    }
    if let Some(entry) = schema.entry("additionalProperties")
        && !schema.entries("properties").is_empty()
        && matches!(entry.value.value, NodeValue::Bool(false) | NodeValue::Map(_))
        && !matches!(place.level, Level::Root | Level::Nested)
    {
        let help = "undeclared keys are removed anyway; a map has `additionalProperties` only";
        found.push(not_structural::finding(entry.key_span, BESIDE_PROPERTIES).help(help));
    }
    if let Some(flag) = schema.value(PRESERVE).filter(|node| node.value == NodeValue::Bool(false)) {
        found.push(not_structural::finding(flag.span, NOT_PRESERVED).help("leave it out"));
    }
    if let Some(why) = place.no_default
        && let Some(entry) = schema.entry("default")
    {
        found.push(resource_meta::finding(entry.key_span, format!("a default cannot be set {why}")));
    }
    if let Some(entry) = schema.entry(EMBEDDED).filter(|_| place.in_meta && schema.is_set(EMBEDDED)) {
        let message = format!("`{EMBEDDED}` cannot be used inside `apiVersion`, `kind` and `metadata`");
        found.push(resource_meta::finding(entry.key_span, message));
    }
    if let Some(pattern) = schema.text("pattern")
        && let Err(why) = re2::check(pattern.text)
    {
        found.push(refused(invalid_pattern::finding, pattern.span, "", &why));
    }
    for look in looks() {
        if let Look::Schema(look) = look {
            look(schema, found);
        }
    }
}

const UNIQUE: &str = "`uniqueItems` cannot be true, because it is slow";
const BESIDE_PROPERTIES: &str = "`additionalProperties` cannot be used beside `properties`";
const NOT_PRESERVED: &str = "`x-kubernetes-preserve-unknown-fields` cannot be false";

/// Whether a finding about a schema means that its structure as a whole is not known. Some keywords are refused
/// although what they say is clear.
pub(super) fn is_about_structure(found: &Diagnostic) -> bool {
    let of_structure = [&not_structural::RULE, &resource_meta::RULE, &root_schema::RULE, &unsupported_keyword::RULE]
        .contains(&found.rule);
    of_structure && ![UNIQUE, BESIDE_PROPERTIES, NOT_PRESERVED].contains(&found.message.as_str())
}

const EMBEDDED: &str = "x-kubernetes-embedded-resource";
const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";
const INT_OR_STRING: &str = "x-kubernetes-int-or-string";

fn own_type(schema: Fields<'_>, level: Level, found: &mut Vec<Diagnostic>) {
    let of = schema.text("type");
    if schema.is_set(EMBEDDED) {
        if let Some(of) = of.filter(|of| of.text != "object") {
            found.push(resource_meta::finding(of.span, "a resource has `type: object`"));
        } else if schema.lacks("type") {
            found.push(resource_meta::finding(schema.place(), "`type: object` is missing"));
        }
    } else if schema.lacks("type") && !schema.is_set(INT_OR_STRING) && !schema.is_set(PRESERVE) {
        found.push(no_type(schema, level));
    }
}

fn no_type(schema: Fields<'_>, level: Level) -> Diagnostic {
    let whose = match level {
        Level::Root => "of the resource",
        Level::Item => "of the items",
        Level::Field | Level::Nested => "of this value",
    };
    not_structural::finding(schema.place(), format!("the `type` {whose} is missing"))
}

/// Flags that exclude each other.
fn flags(schema: Fields<'_>, found: &mut Vec<Diagnostic>) {
    for other in [PRESERVE, EMBEDDED] {
        if let Some(entry) = schema.entry(other).filter(|_| schema.is_set(INT_OR_STRING) && schema.is_set(other)) {
            let message = format!("`{other}` cannot be used beside `{INT_OR_STRING}`");
            found.push(not_structural::finding(entry.key_span, message));
        }
    }
}

/// What resources at the root and inside others have in common.
fn resource(schema: Fields<'_>, level: Level, found: &mut Vec<Diagnostic>) {
    let is_embedded = schema.is_set(EMBEDDED);
    if is_embedded && let Some(entry) = schema.entry("additionalProperties") {
        let message = format!("`additionalProperties` cannot be used beside `{EMBEDDED}`");
        found.push(resource_meta::finding(entry.key_span, message));
    }
    let properties = schema.below("properties");
    if is_embedded && !schema.is_set(PRESERVE) && schema.entries("properties").is_empty() && !schema.0.partial {
        let message = format!("`properties` is missing; without them, a resource needs `{PRESERVE}`");
        found.push(resource_meta::finding(schema.place(), message));
    }
    let property = |key: &str| properties.and_then(|properties| properties.0.get(&Key::from(key))).map(Fields);
    if is_embedded || level == Level::Root {
        for (key, wanted) in [("apiVersion", "string"), ("kind", "string"), ("metadata", "object")] {
            let Some(declared) = property(key) else { continue };
            if let Some(of) = declared.text("type").filter(|of| of.text != wanted) {
                found.push(resource_meta::finding(of.span, format!("`{key}` has the type {wanted}")));
            } else if declared.lacks("type") && (declared.is_set(PRESERVE) || declared.is_set(INT_OR_STRING)) {
                found.push(resource_meta::finding(declared.place(), format!("`type: {wanted}` is missing")));
            }
        }
    }
    if level == Level::Root
        && let Some(metadata) = property("metadata")
    {
        own_metadata(metadata, found);
    }
}

/// The metadata of a resource can restrict its names only.
fn own_metadata(metadata: Fields<'_>, found: &mut Vec<Diagnostic>) {
    let NodeValue::Map(entries) = &metadata.0.value else { return };
    let is_more = |item: &&MapItem| match item.key.as_str() {
        Some("type" | "default" | "properties") => false,
        Some(key) => {
            is_keyword(key)
                && !matches!(&item.value.value, NodeValue::Null | NodeValue::Bool(false) | NodeValue::Unknown)
        }
        None => true,
    };
    let is_other_name = |item: &&MapItem| !matches!(item.key.as_str(), Some("name" | "generateName"));
    let more = entries.iter().find(is_more);
    if let Some(item) = more.or_else(|| metadata.entries("properties").iter().find(is_other_name)) {
        let message =
            format!("`{}` cannot be declared: definitions can restrict `name` and `generateName` only", item.key);
        found.push(resource_meta::finding(item.key_span, message));
    }
}

#[cfg(test)]
mod tests {
    use super::{Fields, required};
    use lofting_document::{FileId, Options, lower};
    use lofting_syntax::resolve::Profile;

    #[test]
    fn what_is_required_is_declared() {
        let found = |text: &str, is_resource: bool| {
            let documents = lower(FileId(0), &lofting_syntax::parse(text), Profile::Core12, Options::default());
            let mut found = Vec::new();
            required(Fields(&documents.documents[0].value), is_resource, &mut found);
            found.into_iter().map(|finding| text[finding.span.range()].to_owned()).collect::<Vec<_>>()
        };
        let schema = "properties: {name: {}, size: {}}\nrequired: [nmae, size, metadata, gone]\n";
        assert_eq!(found(schema, false), ["nmae", "metadata", "gone"]);
        assert_eq!(found(schema, true), ["nmae", "gone"]);
        assert!(found(&format!("{schema}x-kubernetes-preserve-unknown-fields: true\n"), false).is_empty());
        assert!(found("required: [a]\n", false).is_empty());
    }
}
