//! Keys that the map at the cursor does not have yet.

use super::context::{Cursor, Style};
use super::place::{Below, KeySlot, Tail};
use super::skeleton::{Body, Skeleton};
use super::values;
use crate::anchors;
use crate::completion_item::{About, CompletionItem, CompletionOptions, ItemKind};
use crate::path;
use crate::yaml_text;
use lofting_document::Key;
use lofting_schema::{Constraint, ConstraintKind, DeclaredKey, KeyChild, Kinds, MapShape, Schema, SchemaId, Shape};
use lofting_syntax::{Element, Kind, Token};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::sync::Arc;

/// Maximum number of offered keys; users do not scroll further.
const MAX_KEYS: usize = 2_000;

/// The input for key items.
pub(super) struct Request<'a> {
    pub schema: &'a Arc<Schema>,
    /// Keys that the map must not have.
    pub forbids: &'a dyn Fn(&Key) -> bool,
    pub slot: &'a KeySlot<'a>,
    pub style: Style,
    pub options: &'a CompletionOptions,
    /// The text to be replaced.
    pub typed: &'a str,
    pub cursor: &'a Cursor<'a>,
    /// Keys from merge keys count as present: a template may not repeat them.
    pub merged_count: bool,
}

/// The missing keys of these maps, each once.
pub(super) fn items(request: &Request<'_>, ids: &[SchemaId]) -> Vec<CompletionItem> {
    let present = present_keys(request, ids);
    let mut seen: FxHashSet<Key> = FxHashSet::default();
    let mut items = Vec::new();
    let alternatives = alternatives(request.schema, ids);
    let most = ids.iter().filter_map(|id| most_keys(request.schema, *id)).min().unwrap_or(usize::MAX);
    for id in ids {
        let Shape::Map(map) = request.schema.node(*id).shape() else { continue };
        for declared in map.keys.iter().chain(&request.schema.enumerated_keys(*id)) {
            if items.len() >= MAX_KEYS {
                break;
            }
            let is_offered = !request.schema.node(declared.schema).docs.unoffered && !(request.forbids)(&declared.key);
            if !is_offered || present.keys.contains(&declared.key) || !seen.insert(declared.key.clone()) {
                continue;
            }
            if request.slot.dashes_below.is_some_and(|below| !takes(request.schema, declared.schema, below)) {
                continue;
            }
            let others = alternatives.get(&declared.key).map_or(&[][..], Vec::as_slice);
            push_key(request, declared, others, &mut items);
        }
        if present.is_empty && map.keys.len() <= most {
            items.extend(whole_map(request, *id, map, ids.len() > 1));
        }
    }
    undeclared(request, ids, &present, &mut seen, &mut items);
    items
}

/// How many keys a map may have.
fn most_keys(schema: &Schema, id: SchemaId) -> Option<usize> {
    let most = |constraint: &Constraint| match constraint.kind {
        ConstraintKind::MaxLength(most) if constraint.on.has(Kinds::MAP) => usize::try_from(most).ok(),
        _ => None,
    };
    schema.node(id).constraints.iter().filter_map(most).min()
}

/// The nodes of each key, where it is declared more than once.
fn alternatives(schema: &Schema, ids: &[SchemaId]) -> FxHashMap<Key, Vec<SchemaId>> {
    let mut found: FxHashMap<Key, Vec<SchemaId>> = FxHashMap::default();
    for id in ids.iter().filter(|_| ids.len() > 1) {
        let Shape::Map(map) = schema.node(*id).shape() else { continue };
        for declared in &map.keys {
            found.entry(declared.key.clone()).or_default().push(declared.schema);
        }
    }
    found
}

/// Keys that are required but not declared.
fn undeclared(
    request: &Request<'_>,
    ids: &[SchemaId],
    present: &Present,
    seen: &mut FxHashSet<Key>,
    items: &mut Vec<CompletionItem>,
) {
    for id in ids {
        let Shape::Map(map) = request.schema.node(*id).shape() else { continue };
        let missing = map.required.iter().filter(|key| map.get(key).is_none() && !present.keys.contains(key));
        for key in missing.filter(|key| !(request.forbids)(key)).take(MAX_KEYS) {
            if !seen.insert(key.clone()) {
                continue;
            }
            if let KeyChild::Child(child) = map.child(key) {
                push_key(request, &DeclaredKey { key: key.clone(), schema: child.schema, required: true }, &[], items);
                continue;
            }
            let slot = request.slot;
            let written = written(request, key);
            let text = match slot.tail {
                Tail::Colon => written,
                Tail::Children => format!("{written}:"),
                Tail::Comment | Tail::Free => format!("{written}: "),
            };
            items.push(CompletionItem {
                detail: Some("required".to_owned()),
                additional_edits: slot.fix.clone().into_iter().collect(),
                sort_text: format!("a{:05}", items.len()),
                filter_text: format!("{}{key}", open_quote(request.typed)),
                ..CompletionItem::new(
                    key.to_string(),
                    ItemKind::Key,
                    (slot.replace.clone(), format!("{}{text}", slot.lead)),
                )
            });
        }
    }
}

/// Whether the value of a key can be an array with an item like the one below.
fn takes(schema: &Schema, id: SchemaId, below: Below) -> bool {
    match schema.node(id).shape() {
        Shape::Array(array) => match schema.node(array.item).shape() {
            Shape::Map(_) => below == Below::Map,
            Shape::Any | Shape::Unknown => true,
            _ => below == Below::Other,
        },
        Shape::Any | Shape::Unknown => true,
        _ => false,
    }
}

/// The content of the map at the cursor.
struct Present {
    /// The declared keys that are present.
    keys: FxHashSet<Key>,
    /// It has no keys.
    is_empty: bool,
}

/// The keys that are present in the map at the cursor, except for the one at the cursor and half-typed ones. Maps can
/// be long, so undeclared keys are only compared as text.
fn present_keys(request: &Request<'_>, ids: &[SchemaId]) -> Present {
    let mut present = Present { keys: FxHashSet::default(), is_empty: true };
    let (slot, cursor) = (request.slot, request.cursor);
    let Some(map) = slot.map else { return present };
    let declared = Declared::of(request.schema, ids);
    for entry in map.entries() {
        let start = entry.node().range().start;
        if slot.replace.start <= start && start <= slot.replace.end && !slot.replace.is_empty() {
            // At the cursor.
            continue;
        }
        let first = entry.node().children().next();
        if matches!(first, Some(Element::Token(token)) if token.kind() == Kind::Plain && !declared.may_be(token)) {
            present.is_empty = false;
            continue;
        }
        if entry.is_incomplete() && !slot.flow {
            continue;
        }
        let Some(key) = entry.key().and_then(|key| path::key_of(cursor.profile, key)) else { continue };
        if request.merged_count && key.as_str() == Some("<<") {
            for map in anchors::merged_maps(cursor.tree, cursor.text, entry.value()) {
                present.keys.extend(
                    map.entries().filter_map(|entry| entry.key().and_then(|key| path::key_of(cursor.profile, key))),
                );
            }
        }
        present.is_empty = false;
        present.keys.insert(key);
    }
    present
}

/// Declared keys as plain scalars.
struct Declared<'a> {
    names: FxHashSet<Cow<'a, str>>,
    /// The length of the longest key in bytes.
    longest: usize,
    /// Some keys are not strings: `0x10` and `16` are the same key.
    typed: bool,
}

impl<'a> Declared<'a> {
    fn of(schema: &'a Schema, ids: &[SchemaId]) -> Self {
        // `<<` adds further keys.
        let mut declared = Declared { names: FxHashSet::from_iter([Cow::Borrowed("<<")]), longest: 2, typed: false };
        for id in ids {
            let Shape::Map(map) = schema.node(*id).shape() else { continue };
            for key in map.keys.iter().map(|key| &key.key).chain(&map.required) {
                match key {
                    Key::String(text) => {
                        declared.longest = declared.longest.max(text.len());
                        declared.names.insert(Cow::Borrowed(text));
                    }
                    _ => declared.typed = true,
                }
            }
            for name in schema.enumerated_keys(*id).iter().map(|key| key.key.to_string()) {
                declared.longest = declared.longest.max(name.len());
                declared.names.insert(Cow::Owned(name));
            }
        }
        declared
    }

    /// Whether a plain key can be one of them.
    fn may_be(&self, key: Token<'_>) -> bool {
        self.typed || (key.range().len() <= self.longest && self.names.contains(key.text().as_ref()))
    }
}

/// A key as it is written at the place, in the quotes that the user has typed.
fn written(request: &Request<'_>, key: &Key) -> String {
    let place = request.style.scalars(request.slot.flow);
    let in_quotes = yaml_text::key_in_quotes(key, request.typed).filter(|_| !request.style.json);
    in_quotes.unwrap_or_else(|| yaml_text::declared_key(request.schema.semantics(), key, place))
}

/// How many declarations of one key are compared.
const DECLARATIONS: usize = 8;

/// `others` are the nodes that declare the key, if there are several.
fn push_key(request: &Request<'_>, declared: &DeclaredKey, others: &[SchemaId], items: &mut Vec<CompletionItem>) {
    let Request { schema, slot, options, .. } = *request;
    let node = schema.node(declared.schema);
    let written = written(request, &declared.key);
    let label = declared.key.to_string();
    let skeleton = Skeleton::new(schema, request.style, slot.flow, options.snippets);
    let of_required = |id: SchemaId| skeleton.of_required(id, slot.column);
    // Alternatives that want different things leave the choice to the user.
    let agree = |body: &Body| {
        let says_so = |id: &SchemaId| of_required(*id).is_some_and(|other| other.text == body.text);
        others.len() <= DECLARATIONS && others.iter().all(says_so)
    };
    let required = (slot.tail == Tail::Free).then(|| of_required(declared.schema).filter(agree)).flatten();
    let is_complete = required.is_some() && skeleton.only_value(declared.schema).is_some();
    let text = match slot.tail {
        Tail::Colon => written.clone(),
        Tail::Children => format!("{written}:"),
        Tail::Comment => format!("{written}: "),
        Tail::Free => format!("{written}:{}", skeleton.opening(declared.schema, slot.column)),
    };
    // In flow style, with the cursor between the brackets.
    let brackets = match node.shape() {
        Shape::Map(_) => Some("{$1}"),
        Shape::Array(_) => Some("[$1]"),
        _ => None,
    };
    let brackets = brackets.filter(|_| slot.flow && slot.tail == Tail::Free && options.snippets);
    let (text, is_snippet) = match (brackets, required) {
        (Some(brackets), _) => (format!("{}: {brackets}", crate::completion_item::escape_snippet(&written)), true),
        (None, Some(body)) if body.is_snippet => {
            (format!("{}:{}", crate::completion_item::escape_snippet(&written), body.text), true)
        }
        (None, Some(body)) => (format!("{written}:{}", body.text), false),
        (None, None) => (text, false),
    };
    let deprecated = node.docs.deprecated.is_some() || node.docs.removed.is_some();
    let group = match (declared.required, deprecated) {
        (true, _) => 'a',
        (false, false) => 'b',
        (false, true) => 'c',
    };
    let filter_text = format!("{}{label}", open_quote(request.typed));
    let edit = (slot.replace.clone(), format!("{}{text}", slot.lead));
    let item = CompletionItem {
        detail: Some(schema.type_words(declared.schema)),
        about: Some(About::Node(schema.clone(), declared.schema)),
        is_snippet,
        additional_edits: slot.fix.clone().into_iter().collect(),
        sort_text: format!("{group}{:05}", items.len()),
        filter_text,
        deprecated,
        triggers_suggest: !is_complete
            && matches!(slot.tail, Tail::Free | Tail::Comment)
            && values::any(schema, declared.schema),
        ..CompletionItem::new(label, ItemKind::Key, edit)
    };
    items.push(item);
}

/// All keys of an empty map at once. Of several maps, the values that tell them apart are shown.
fn whole_map(request: &Request<'_>, id: SchemaId, map: &MapShape, is_one_of_several: bool) -> Option<CompletionItem> {
    let Request { schema, slot, options, .. } = *request;
    if slot.tail != Tail::Free || slot.flow || map.keys.len() < 2 || !request.typed.is_empty() {
        return None;
    }
    let skeleton = Skeleton::new(schema, request.style, slot.flow, options.snippets);
    let body = skeleton.of_map(id, slot.column)?;
    let together = schema.keys_together(id);
    let name = |key: &&DeclaredKey| match skeleton.only_value(key.schema).filter(|_| is_one_of_several) {
        Some(value) => format!("{}: {value}", key.key),
        None => key.key.to_string(),
    };
    let names: Vec<String> = together.iter().take(4).map(name).collect();
    let more = if together.len() > names.len() { ", …" } else { "" };
    let edit = (slot.replace.clone(), format!("{}{}", slot.lead, body.text));
    Some(CompletionItem {
        detail: Some(match &schema.node(id).docs.title {
            Some(title) => format!("{}: all keys with their defaults", title.text),
            None => "all keys with their defaults".to_owned(),
        }),
        is_snippet: body.is_snippet,
        additional_edits: slot.fix.clone().into_iter().collect(),
        sort_text: "d".to_owned(),
        filter_text: names.join(" "),
        ..CompletionItem::new(format!("(all keys) {}{more}", names.join(", ")), ItemKind::Snippet, edit)
    })
}

/// Editors compare the filter text with what is replaced: an opening quote belongs to both.
fn open_quote(typed: &str) -> &str {
    match typed.as_bytes().first() {
        Some(b'"' | b'\'') => &typed[..1],
        _ => "",
    }
}
