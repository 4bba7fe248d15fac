//! Completion: missing keys, values that fit a type, annotations and their arguments, anchors, and code; in valid and
//! in half-typed text.
//!
//! [`context`] finds out what is being typed, without a schema; the other modules create the items. The cost is that of
//! one path through the tree, whatever the size of the file.

mod annotations;
mod between;
mod context;
mod keys;
mod kinds;
mod likely;
pub(crate) mod line;
mod modeline;
mod names;
mod open_levels;
mod order;
mod place;
mod references;
mod required;
mod seen;
mod skeleton;
mod snippets;
mod texts;
mod unasked;
mod values;

#[cfg(test)]
mod tests;

pub(crate) use annotations::{documentation as annotation_documentation, signature as annotation_signature};
pub(crate) use context::{Style, line_break};

use crate::completion_item::{CompletionItem, CompletionOptions, ItemKind};
use crate::configuration;
use crate::governing::{Governing, governing, governing_offered, is_in_function, is_listed, items_besides};
use crate::inside;
use crate::json::is_json;
use crate::path::Step;
use crate::starlark;
use context::{Context, Cursor};
use lofting_dialect::inside::TextPlace;
use lofting_document::{FileId, NodeValue};
use lofting_schema::{Kinds, Schema, SchemaId, Shape};
use lofting_syntax::Tree;
use lofting_text::Text;
use lofting_workspace::{FileKind, Snapshot};
use place::{ItemSlot, Place, Quote};
use rustc_hash::FxHashSet;
use std::ops::Range;
use texts::Annotated;

/// The completions at `offset` (bytes), best first.
pub fn completion(
    snapshot: &Snapshot,
    file: FileId,
    offset: usize,
    options: &CompletionOptions,
) -> Vec<CompletionItem> {
    let text = snapshot.text(file);
    // In strings of `lofting.toml`, as in comments, something has to follow the trigger characters.
    let (items, in_comment) = if snapshot.kind(file) == FileKind::Configuration {
        let (items, in_string) = configuration::completion(snapshot, file, offset, options);
        let is_wanted = !options.unasked || in_string || ends_in_word(&text, offset);
        (if is_wanted { items } else { Vec::new() }, in_string)
    } else {
        match starlark::completion(snapshot, file, offset) {
            Some(items) => (items, true),
            None => plain_items(snapshot, file, &text, offset, options),
        }
    };
    let items = if options.unasked {
        let line_start = text.line_range(text.line_of(offset)).start.min(offset);
        unasked::unasked(items, (line_start, offset), in_comment, &|range| text.slice(range).into_owned())
    } else {
        items
    };
    order::in_order(items)
}

/// The items outside code, and whether they are for a comment.
fn plain_items(
    snapshot: &Snapshot,
    file: FileId,
    text: &Text,
    offset: usize,
    options: &CompletionOptions,
) -> (Vec<CompletionItem>, bool) {
    let tree = snapshot.tree(file);
    let kind = snapshot.kind(file);
    let profile = snapshot.profile(file);
    if let Some(found) = inside::at(snapshot, file, &tree, offset).filter(|_| kind == FileKind::Parts) {
        // Before a word is typed, an editor that accepts an item with Enter would keep the user from ending the line.
        let is_wanted = !options.unasked || ends_in_word(text, offset);
        return (if is_wanted { found.items(profile) } else { Vec::new() }, false);
    }
    let mut cursor = Cursor::new(&tree, text, profile, offset);
    cursor.style.json = is_json(snapshot, file, &tree);
    let context = context::context(&cursor);
    let in_comment = matches!(context, Some(Context::Comment(_)));
    let items = match context {
        None => Vec::new(),
        Some(Context::Comment(range)) => {
            if let Some(items) = modeline::items(snapshot, file, &cursor, &range) {
                return (items, true);
            }
            let annotated = Annotated { snapshot, file, cursor: &cursor, end: range.end };
            let is_template = matches!(kind, FileKind::Schema | FileKind::DataValues | FileKind::Template);
            let mut items = annotations::items(&annotated, range.clone(), options, is_template);
            if annotations::takes_expression(&cursor, range) {
                items.extend(starlark::names_after(snapshot, file, offset));
            }
            items
        }
        Some(Context::Alias(range)) => alias_items(&cursor, range),
        Some(Context::Place(mut place)) => {
            if is_in_function(snapshot, file, offset) {
                return (Vec::new(), false);
            }
            if cursor.style.json {
                // Lines with keys and dashes are not JSON.
                place.keys = place.keys.filter(|slot| slot.flow);
                place.items = None;
            }
            let mut items = items_at(snapshot, file, &tree, &cursor, &place, options);
            if kind == FileKind::Parts {
                items.retain(|item| {
                    seen::is_known_here(snapshot, file, item, || nothing_at(&tree, text, &place, offset))
                });
            }
            between::with_comma(&mut items, &cursor, &place, options.snippets);
            distinct(items)
        }
    };
    (items, in_comment)
}

/// The items for a place: what a language names there, or else what a schema says, or what other documents have.
fn items_at(
    snapshot: &Snapshot,
    file: FileId,
    tree: &Tree,
    cursor: &Cursor<'_>,
    place: &Place<'_>,
    options: &CompletionOptions,
) -> Vec<CompletionItem> {
    let kind = snapshot.kind(file);
    if options.unasked && !ends_in_word(cursor.text, cursor.offset) {
        return choices(snapshot, file, tree, cursor, place, options);
    }
    if let Some(items) = required::items(cursor, place) {
        return items;
    }
    if matches!(kind, FileKind::Parts | FileKind::Other)
        && let Some(items) = kinds::items(snapshot, file, cursor, place)
    {
        // Where a schema that something names for the file lists values, these are meant.
        let own = choices_of_own(snapshot, file, tree, cursor, place, options);
        return if own.is_empty() { items } else { own };
    }
    let named = match kind {
        FileKind::Parts => {
            let references = references::items(snapshot, file, cursor, place);
            if references.is_empty() { names::items(snapshot, file, cursor, place) } else { (references, false) }
        }
        // Names are known without a schema.
        FileKind::Other => names::items(snapshot, file, cursor, place),
        _ => (Vec::new(), false),
    };
    let (mut items, goes_on) = named;
    if !items.is_empty() && !goes_on {
        return items;
    }
    let (text, offset) = (cursor.text, cursor.offset);
    let here = if kind == FileKind::Parts { nothing_at(tree, text, place, offset) } else { None };
    if let (Some(slot), Some(here)) = (&place.keys, &here) {
        let likely = likely::items(cursor, slot, snapshot.likely_keys(file, here));
        if !likely.is_empty() {
            return likely;
        }
    }
    let begun = inside_nothing(snapshot, file, tree, text, place).filter(|_| kind == FileKind::Parts);
    let begun = begun.map(|items| without_others(items, cursor, place));
    items.extend(match governing_offered(snapshot, file, tree, place.document, &place.path, offset) {
        _ if begun.is_some() => begun.unwrap_or_default(),
        Some(governing) => {
            let excluded = here.map(|here| snapshot.excluded_keys(file, &here)).unwrap_or_default();
            place_items(cursor, place, &governing, &excluded, kind, options)
        }
        None if matches!(kind, FileKind::PlainValues | FileKind::DataValues) => {
            seen_items(cursor, place, kind, options, true)
        }
        // A new resource does not say yet what it is: most likely it is like the others of the file.
        None if kind == FileKind::Parts => {
            let mut items = kinds::missing_version(snapshot, file, cursor, place);
            // Among these is the key alone, for a version that is not known.
            items.extend(like_other_documents(cursor, place, options));
            items
        }
        None if kind == FileKind::Other => kinds::missing_version(snapshot, file, cursor, place),
        // Other files without a schema are left to other servers.
        None => Vec::new(),
    });
    items
}

/// The values that the schema of a file lists for a place, if something names this schema for the file.
fn choices_of_own(
    snapshot: &Snapshot,
    file: FileId,
    tree: &Tree,
    cursor: &Cursor<'_>,
    place: &Place<'_>,
    options: &CompletionOptions,
) -> Vec<CompletionItem> {
    if snapshot.named_schema(file).is_none() {
        return Vec::new();
    }
    let governing = governing(snapshot, file, tree, place.document, &place.path, cursor.offset);
    let Some((governing, slot)) = governing.zip(place.value.as_ref()) else { return Vec::new() };
    let ids = governing.nodes_at(&place.path);
    if !ids.iter().any(|id| is_listed(&governing.schema, *id)) {
        return Vec::new();
    }
    values::items(&governing.schema, &ids, &governing.refuses(&place.path), slot, cursor.style, options)
}

/// The items without those that are called and insert what an earlier one does: alternatives of a schema often have much in
/// common.
fn distinct(mut items: Vec<CompletionItem>) -> Vec<CompletionItem> {
    let mut known: FxHashSet<(String, Range<usize>, String)> = FxHashSet::default();
    items.retain(|item| known.insert((item.label.clone(), item.edit.0.clone(), item.edit.1.clone())));
    items
}

/// Suggestions for a value that the user neither typed nor asked for: directly after `key: ` or `- `, the values of a
/// type that has only a few.
fn choices(
    snapshot: &Snapshot,
    file: FileId,
    tree: &Tree,
    cursor: &Cursor<'_>,
    place: &Place<'_>,
    options: &CompletionOptions,
) -> Vec<CompletionItem> {
    let Some(slot) = place.value.as_ref().filter(|slot| slot.quote == Quote::None && !slot.own_line) else {
        return Vec::new();
    };
    let is_free = cursor.text.slice(slot.replace.clone()).trim().is_empty();
    let before = cursor.text.slice(cursor.line.start..cursor.offset);
    if !is_free || !before.ends_with(' ') || !before.trim_end().ends_with([':', '-']) {
        return Vec::new();
    }
    let Some(governing) = governing_offered(snapshot, file, tree, place.document, &place.path, cursor.offset) else {
        return Vec::new();
    };
    let ids = governing.nodes_at(&place.path);
    values::choices(&governing.schema, &ids, &governing.refuses(&place.path), slot, cursor.style, options)
}

/// Items for a value that is still empty, in a scalar that a language parses.
fn inside_nothing(
    snapshot: &Snapshot,
    file: FileId,
    tree: &Tree,
    text: &Text,
    place: &Place<'_>,
) -> Option<Vec<CompletionItem>> {
    let slot = place.value.as_ref().filter(|slot| slot.replace.is_empty() && slot.quote == Quote::None)?;
    let inside = snapshot.inside(file, &nothing_at(tree, text, place, slot.replace.start)?)?;
    Some(inside::items_of_nothing(inside, snapshot.profile(file), slot.flow, &slot.replace, slot.lead))
}

/// The place of what is not written yet. What is around it ends before blanks and lines without content.
fn nothing_at<'p>(tree: &Tree, text: &Text, place: &'p Place<'_>, offset: usize) -> Option<TextPlace<'p>> {
    let start = place.document?.range().start;
    let (document, _) = tree.document_at(start)?;
    if place.path.contains(&Step::Nowhere) {
        return None;
    }
    let last = text.line_of(offset);
    let ends = (last.saturating_sub(LINES)..=last).rev().filter_map(|line| {
        let line = text.line_range(line);
        let content = text.slice(line.start..line.end.min(offset).max(line.start));
        let content = content.trim_end();
        (!content.is_empty()).then(|| line.start + content.len())
    });
    let at = ends.into_iter().next().unwrap_or(offset).max(start);
    Some(TextPlace { document, path: &place.path, text: "", offset: 0, at })
}

/// How many lines without content are passed over before a place.
const LINES: usize = 20;

/// Whether the character before `offset` is a letter or a digit.
fn ends_in_word(text: &Text, offset: usize) -> bool {
    let line = text.line_range(text.line_of(offset));
    text.slice(line.start..offset.max(line.start)).ends_with(char::is_alphanumeric)
}

/// Items for a place, according to the types of its schema nodes.
fn place_items(
    cursor: &Cursor<'_>,
    place: &Place<'_>,
    governing: &Governing,
    excluded: &[&str],
    kind: FileKind,
    options: &CompletionOptions,
) -> Vec<CompletionItem> {
    let schema = &governing.schema;
    let ids = governing.nodes_at(&place.path);
    if let Some((key, slot)) = &place.glued {
        // YAML reads `key:value` as one word; it is meant as a key if the schema declares the key.
        let declared = |id: &_| match schema.node(*id).shape() {
            Shape::Map(map) => map.keys.iter().find(|declared| declared.key.to_string() == *key),
            _ => None,
        };
        if let Some(declared) = ids.iter().find_map(declared) {
            let mut path = place.path.clone();
            path.push(Step::Key(declared.key.clone()));
            let refuses = governing.refuses(&path);
            return values::items(schema, &governing.nodes_at(&path), &refuses, slot, cursor.style, options);
        }
    }
    let mut others = Vec::new();
    if let Some((Step::Item, array)) = place.path.split_last() {
        others = other_items(cursor, place, array);
        if governing.is_full(array, others.len()) {
            return Vec::new();
        }
        if !governing.has_distinct_items(array) {
            others.clear();
        }
    }
    let mut items = Vec::new();
    if let Some(slot) = &place.value {
        let refuses = governing.refuses(&place.path);
        let is_refused = |value: &NodeValue| refuses(value) || others.contains(&Some(value.clone()));
        let mut found = values::items(schema, &ids, &is_refused, slot, cursor.style, options);
        let typed = cursor.text.slice(slot.replace.start..cursor.offset.max(slot.replace.start));
        if typed.ends_with(' ') && !typed.trim().is_empty() {
            // After a word and a space, only items that continue them are meant.
            found.retain(|item| item.filter_text.starts_with(typed.as_ref()));
        }
        items.extend(found);
    }
    if let Some(slot) = &place.keys {
        let typed = cursor.tree.text(slot.replace.clone());
        let forbids = governing.forbids(&place.path);
        let request = keys::Request {
            schema,
            forbids: &|key| forbids(key) || key.as_str().is_some_and(|key| excluded.contains(&key)),
            slot,
            style: cursor.style,
            options,
            typed: typed.trim(),
            cursor,
            merged_count: kind == FileKind::DataValues,
        };
        let found = keys::items(&request, &ids);
        // Beside its key, a word that a value may be is a key only if one is called like it.
        let is_value = place.value.is_some() && slot.lead.contains('\n') && takes_text(schema, &ids);
        if !is_value || found.iter().any(|item| is_in_order(request.typed, &item.filter_text)) {
            items.extend(found);
        }
    }
    let mut item_of_anything = None;
    let is_free = |slot: &&ItemSlot| {
        let path = slot.path.as_ref().unwrap_or(&place.path);
        !governing.is_full(path, other_items(cursor, place, path).len())
    };
    if let Some(slot) = place.items.as_ref().filter(is_free) {
        let path = slot.path.as_ref().unwrap_or(&place.path);
        items.extend(values::array_items(schema, &governing.nodes_at(path), slot, cursor.style, options));
        let has_items = || {
            let here = place.document.map(|document| seen::values_at(cursor, document, path, 500)).unwrap_or_default();
            here.iter().any(|value| value.seq().is_some())
        };
        item_of_anything = values::item_of_anything(slot, options)
            .filter(|_| items.iter().all(|item| item.kind != ItemKind::Item))
            .filter(|_| governing.is_open(path) || has_items());
    }
    // A block of text is never inserted unless the user requested the list.
    if !options.unasked {
        let above = place.path.split_last().filter(|(last, _)| **last == Step::Item).map(|(_, above)| above);
        let owners = snippets::Owners {
            here: governing.joining(&place.path).into_iter().chain(ids.iter().copied()).collect(),
            array: above.map(|above| governing.nodes_at(above)).unwrap_or_default(),
        };
        items.extend(snippets::items(schema, &owners, place, cursor, options.snippets));
    }
    let silent = |id: &_| matches!(schema.node(*id).shape(), Shape::Any | Shape::Unknown | Shape::String | Shape::Int);
    if items.is_empty() && ids.iter().all(silent) {
        // Where a scalar is expected, other items have no keys to offer.
        let has_keys = ids.iter().all(|id| matches!(schema.node(*id).shape(), Shape::Any | Shape::Unknown));
        items = seen_items(cursor, place, kind, options, has_keys);
        items.extend(item_of_anything);
        return items;
    }
    items.extend(item_of_anything);
    // Any text may be meant: those that other items have are likelier than none.
    if ids.iter().all(|id| values::takes_any_text(schema, *id)) {
        let known = seen_items(cursor, place, kind, options, false);
        let is_new = |item: &CompletionItem| !items.iter().any(|known: &CompletionItem| known.edit == item.edit);
        let new: Vec<_> = known.into_iter().filter(is_new).collect();
        items.extend(new);
    }
    items
}

/// Whether a text may be written where these nodes hold.
fn takes_text(schema: &Schema, ids: &[SchemaId]) -> bool {
    ids.iter().any(|id| schema.node(*id).kinds.has(Kinds::STRING))
}

/// Whether a text has the letters of a word in their order, as editors compare what is typed with what they list.
fn is_in_order(word: &str, text: &str) -> bool {
    let lower = |text: &str| text.chars().flat_map(char::to_lowercase).collect::<Vec<char>>();
    let mut letters = lower(text).into_iter();
    lower(word).into_iter().all(|letter| letters.any(|other| other == letter))
}

/// The words that are not items of the array at the cursor already.
fn without_others(mut items: Vec<CompletionItem>, cursor: &Cursor<'_>, place: &Place<'_>) -> Vec<CompletionItem> {
    if let Some((Step::Item, array)) = place.path.split_last() {
        let others = other_items(cursor, place, array);
        let is_there = |word: &str| others.iter().flatten().any(|other| is_text(other, word));
        items.retain(|item| !is_there(&item.label));
    }
    items
}

fn is_text(value: &NodeValue, text: &str) -> bool {
    matches!(value, NodeValue::String(own) if own == text)
}

/// The items of an array apart from the one at the cursor: their values, if they are scalars.
fn other_items(cursor: &Cursor<'_>, place: &Place<'_>, array: &[Step]) -> Vec<Option<NodeValue>> {
    let Some(document) = place.document else { return Vec::new() };
    items_besides(document, cursor.profile, array, (cursor.line.start, cursor.offset))
}

/// Keys and values that other items use at the same place.
fn seen_items(
    cursor: &Cursor<'_>,
    place: &Place<'_>,
    kind: FileKind,
    options: &CompletionOptions,
    has_keys: bool,
) -> Vec<CompletionItem> {
    let Some(document) = place.document else { return Vec::new() };
    let mut items = Vec::new();
    if let Some(slot) = place.keys.as_ref().filter(|_| has_keys) {
        items.extend(seen::keys(cursor, std::iter::once(document), &place.path, slot, options.unasked));
    }
    // A word that is still being typed may become any other text.
    if let Some(slot) = place.value.as_ref().filter(|_| !options.unasked) {
        // In resources and the like, items are known by their names.
        items.extend(seen::values(cursor, document, &place.path, slot, kind == FileKind::Parts));
    }
    items
}

/// Keys that the other documents of the file have at the same place.
fn like_other_documents(cursor: &Cursor<'_>, place: &Place<'_>, options: &CompletionOptions) -> Vec<CompletionItem> {
    let keys = |slot| seen::keys(cursor, cursor.tree.documents(), &place.path, slot, options.unasked);
    place.keys.as_ref().map(keys).unwrap_or_default()
}

/// The names of the anchors above, nearest first.
fn alias_items(cursor: &Cursor<'_>, range: Range<usize>) -> Vec<CompletionItem> {
    let mut names: Vec<String> = Vec::new();
    for anchor in crate::anchors::anchors_before(cursor.tree, cursor.text, range.start).into_iter().rev() {
        let name = anchor.text().replacen('&', "*", 1);
        if name.len() > 1 && !names.contains(&name) {
            names.push(name);
        }
    }
    let item = |(index, name): (usize, String)| CompletionItem {
        detail: Some("anchor".to_owned()),
        sort_text: format!("{index:05}"),
        ..CompletionItem::new(name.clone(), ItemKind::Alias, (range.clone(), name))
    };
    names.into_iter().enumerate().map(item).collect()
}
