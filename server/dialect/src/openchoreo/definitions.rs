//! Definitions in shorthand, for editors: what is at a place, and where custom types are named.

use super::SEMANTICS;
use super::claims::{Form, OPENAPI, SCHEMA};
use super::shorthand::inside::{CustomTypes, inside};
use super::shorthand::literal::entry;
use super::shorthand::words::words;
use super::shorthand::write::write;
use super::shorthand::{INLINE_TYPES, OBJECT_DEFAULT, TYPES, Texts, expression};
use crate::claim::{self, below};
use crate::inside::{Inside, NamedInside, Own, TextPlace, TextReader, TextsAt};
use crate::json_schema::from_example;
use crate::{Claim, FileView, NewKey, Role};
use lofting_document::{Document, Key, Map, MapItem, Node, NodeValue};
use lofting_schema::Step;
use lofting_syntax::{Entry, Tree};
use std::ops::Range;

/// The key of a type's own content.
const SPEC: &str = "spec";

/// What is at a place, and what could be inserted there.
pub(super) fn at(file: &dyn FileView, own: &Own<'_>, place: &TextPlace<'_>) -> Option<Inside> {
    let document = file.documents().documents.get(place.document)?;
    let types = match sections(own, place.document).find(|claim| is_definition(claim, place.path)) {
        Some(claim) => custom_types(document, claim),
        None => first_types(own, document, place)?,
    };
    Some(inside(place.text, place.offset, &types))
}

/// The custom types around a place, as long as there is no section beside them.
fn first_types<'n>(own: &Own<'_>, document: &'n Document, place: &TextPlace<'_>) -> Option<CustomTypes<'n>> {
    let is_ours = !own.claims.in_document(place.document).is_empty();
    let way = [SPEC, SCHEMA, TYPES].map(|key| Step::Key(Key::from(key)));
    let below = place.path.strip_prefix(way.as_slice()).filter(|below| is_ours && !below.is_empty())?;
    let is_field = |step: &Step| matches!(step, Step::Key(key) if key.as_str() != Some(OBJECT_DEFAULT));
    below.iter().all(is_field).then_some(())?;
    let items = way.iter().try_fold(&document.value, claim::below).and_then(map)?;
    Some(CustomTypes(items.iter().map(|item| (item.key.to_string(), &item.value)).collect()))
}

/// How definitions are read; None where there is none.
pub(super) fn reader(own: &Own<'_>, at: &TextsAt<'_>) -> Option<TextReader> {
    let has_schemas = own.claims.roles().any(|role| matches!(role, Role::Schema(_)));
    let is_one = || sections(own, at.document).any(|claim| is_definition(claim, at.path));
    (has_schemas && is_one()).then_some(words as TextReader)
}

/// The schemas in shorthand in a document.
fn sections<'a>(own: &Own<'a>, document: usize) -> impl Iterator<Item = &'a Claim> {
    let is_section = |claim: &&Claim| matches!(claim.role, Role::Schema(_)) && Form::at(&claim.at) != Form::OpenApi;
    own.claims.in_document(document).iter().filter(is_section)
}

/// The path to the custom types beside a section.
fn types_beside(claim: &Claim) -> Option<Vec<Step>> {
    let (_, above) = claim.at.split_last().filter(|_| Form::at(&claim.at) == Form::Beside)?;
    Some(above.iter().cloned().chain([Step::Key(Key::from(TYPES))]).collect())
}

/// Whether a path leads to a definition in a section, or in the custom types beside it.
fn is_definition(claim: &Claim, path: &[Step]) -> bool {
    let beside = types_beside(claim);
    let below = path.strip_prefix(claim.at.as_slice());
    let below = below.or_else(|| path.strip_prefix(beside.as_deref()?)).unwrap_or_default();
    let is_field = |step: &Step| matches!(step, Step::Key(key) if key.as_str() != Some(OBJECT_DEFAULT));
    !below.is_empty() && below.iter().all(is_field)
}

fn map(node: &Node) -> Option<&Map> {
    match &node.value {
        NodeValue::Map(items) => Some(items),
        _ => None,
    }
}

/// The maps with the custom types that a section can use, those with priority first.
fn definitions<'n>(document: &'n Document, claim: &Claim) -> [Option<&'n Map>; 2] {
    let find = |path: &[Step]| path.iter().try_fold(&document.value, below).and_then(map);
    let beside = types_beside(claim).and_then(|path| find(&path));
    let inline = find(&claim.at).and_then(|fields| fields.value(&Key::from(INLINE_TYPES))).and_then(map);
    [beside, inline]
}

fn custom_types<'n>(document: &'n Document, claim: &Claim) -> CustomTypes<'n> {
    let items = definitions(document, claim).into_iter().flatten().flat_map(|items| items.iter());
    CustomTypes(items.map(|item| (item.key.to_string(), &item.value)).collect())
}

/// How a section, or a field with fields, declares a further field with values like this one. What others leave out
/// stays valid: the value is its default.
pub(super) fn new_key(tree: &Tree, declared: usize, key: &Key, value: &Node) -> Option<NewKey> {
    let is_openapi = |entry: Entry<'_>| entry.key()?.scalar().map(|key| key.value() == OPENAPI);
    if tree.path_at(declared).into_iter().filter_map(Entry::cast).any(|entry| is_openapi(entry) == Some(true)) {
        return Some(from_example::new_key(value));
    }
    let of = |name: &str, value: Node| entry(Key::from(name), value.span, value);
    let map = |items: Vec<MapItem>| Node::new(NodeValue::Map(items.into()), value.span);
    let properties = map(vec![entry(key.clone(), value.span, from_example::schema_of_example(value, true))]);
    let kind = Node::new(NodeValue::String("object".into()), value.span);
    let written = write(&map(vec![of("type", kind), of("properties", properties)]));
    let is_whole = written.left_out.is_empty() && written.types.is_none();
    let schema = written.fields.get(key).filter(|_| is_whole)?.clone();
    Some(NewKey { below: None, schema })
}

/// The custom type whose name is at an offset of the file.
pub(super) fn named(file: &dyn FileView, own: &Own<'_>, offset: usize) -> Option<NamedInside> {
    let number = file.tree().documents().position(|document| {
        let range = document.range();
        range.start <= offset && offset <= range.end
    })?;
    let document = file.documents().documents.get(number)?;
    for claim in sections(own, number) {
        let found = names(file, document, claim);
        let holds = |range: &Range<usize>| range.start <= offset && offset <= range.end;
        let Some(name) = found.iter().find(|(_, range, _)| holds(range)).map(|(name, ..)| name.clone()) else {
            continue;
        };
        let of = |declares: bool| {
            let same = found.iter().filter(|(other, _, declared)| *other == name && *declared == declares);
            same.map(|(_, range, _)| range.clone()).collect::<Vec<_>>()
        };
        let (declared, references) = (of(true), of(false));
        let origin = declared.iter().chain(&references).find(|range| holds(range)).cloned()?;
        return Some(NamedInside { name, kind: "custom type", origin, declared, references, refuses: not_of_type });
    }
    None
}

/// The names of custom types in a section and beside it: the name, its range, and whether it is defined there.
fn names(file: &dyn FileView, document: &Document, claim: &Claim) -> Vec<(String, Range<usize>, bool)> {
    let texts = Texts { tree: Some(file.tree()), profile: SEMANTICS.profile };
    let mut found = Vec::new();
    for items in definitions(document, claim).into_iter().flatten() {
        found.extend(items.iter().map(|item| (item.key.to_string(), item.key_span.range(), true)));
    }
    // Sections beside each other share their types.
    let (_, above) = claim.at.split_last().unwrap_or((&Step::Item, &[]));
    let from = if Form::at(&claim.at) == Form::Beside { above } else { &claim.at };
    let mut open: Vec<&Node> = from.iter().try_fold(&document.value, below).into_iter().collect();
    while let Some(node) = open.pop() {
        match &node.value {
            NodeValue::Map(items) => {
                let fields = items.iter().filter(|item| item.key.as_str() != Some(OBJECT_DEFAULT));
                open.extend(fields.map(|item| &item.value));
            }
            NodeValue::String(text) => {
                let read = expression::parse(text);
                let name = text.get(read.core_range.clone()).filter(|_| read.core == expression::Core::Named);
                if let Some(name) = name.filter(|name| !name.is_empty()) {
                    found.push((name.to_owned(), texts.place(node).span(read.core_range).range(), false));
                }
            }
            _ => {}
        }
    }
    found
}

/// Names occur in strings and keys with any quotes, so they must not need quotes themselves.
fn not_of_type(name: &str) -> Option<String> {
    let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic());
    if !(is_word && begins) {
        return Some(format!(
            "`{name}` cannot be the name of a type: it consists of letters, digits, `-`, `_` and `.`"
        ));
    }
    let is_type = expression::parse(name).core != expression::Core::Named;
    (is_type || is_yaml_word(name)).then(|| format!("`{name}` has a meaning of its own"))
}

/// Whether a key with this name would not be read as a string.
fn is_yaml_word(name: &str) -> bool {
    lofting_syntax::resolve::needs_quotes(SEMANTICS.profile, name)
}
