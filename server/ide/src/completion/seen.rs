//! What other items of an array, and other documents of a file, have at the same place: the only source of completions
//! without a schema.

use super::context::Cursor;
use super::place::{KeySlot, Quote, Tail, ValueSlot};
use crate::completion_item::{CompletionItem, ItemKind};
use crate::path::{self, Step};
use crate::yaml_text;
use lofting_dialect::inside::TextPlace;
use lofting_document::{FileId, Key};
use lofting_syntax::{Document, Kind, Value, ValueKind};
use lofting_workspace::Snapshot;
use std::ops::Range;

/// How many entries and items are visited: a completion must not walk a whole file.
const MAX_VISITED: usize = 5_000;
/// How many are visited when the editor requests the list by itself, at every keystroke.
const MAX_UNASKED: usize = 500;
/// How many documents of a file are examples for each other.
const MAX_DOCUMENTS: usize = 20;
/// Maximum number of offered items.
const MAX_OFFERED: usize = 100;
/// Longer values are not offered.
const MAX_LENGTH: usize = 200;

/// Keys that maps at the same path of these documents have and the map at the cursor does not.
pub(super) fn keys<'t>(
    cursor: &Cursor<'_>,
    documents: impl Iterator<Item = Document<'t>>,
    path: &[Step],
    slot: &KeySlot<'_>,
    unasked: bool,
) -> Vec<CompletionItem> {
    let most = if unasked { MAX_UNASKED } else { MAX_VISITED };
    let mut keys: Vec<Key> = Vec::new();
    let mut visited = 0;
    let present: Vec<Key> = match slot.map {
        Some(map) => map
            .entries()
            .take(most)
            .filter_map(|entry| entry.key().and_then(|key| path::key_of(cursor.profile, key)))
            .collect(),
        None => Vec::new(),
    };
    for value in documents.take(MAX_DOCUMENTS).flat_map(|document| values_at(cursor, document, path, most)) {
        if visited > most || keys.len() >= MAX_OFFERED {
            break;
        }
        for entry in value.map().into_iter().flat_map(|map| map.entries()) {
            visited += 1;
            if visited > most || keys.len() >= MAX_OFFERED {
                break;
            }
            // What is being typed is not an example: the line of the cursor, or the map between brackets around it.
            let start = entry.node().range().start;
            let typed = slot.map.filter(|_| slot.flow).map_or(cursor.line.clone(), |map| map.range());
            if entry.is_incomplete() || (typed.start <= start && start <= typed.end) {
                continue;
            }
            let key = entry
                .key()
                .and_then(|key| path::key_of(cursor.profile, key))
                .filter(|key| !matches!(key, Key::String(text) if text == "<<"));
            keys.extend(key.filter(|key| !present.contains(key) && !keys.contains(key)));
        }
    }
    let text_place = cursor.style.scalars(slot.flow);
    let item = |(index, key): (usize, Key)| {
        let colon = if slot.tail == Tail::Colon { "" } else { ": " };
        let text = format!("{}{}{colon}", slot.lead, yaml_text::key(&key, text_place));
        item(key.to_string(), ItemKind::Key, index, (slot.replace.clone(), text), slot.fix.clone())
    };
    keys.into_iter().enumerate().map(item).collect()
}

/// Plain values of the same key in other items; `has_names` is whether no two items of an array have the same name.
pub(super) fn values(
    cursor: &Cursor<'_>,
    document: Document<'_>,
    path: &[Step],
    slot: &ValueSlot,
    has_names: bool,
) -> Vec<CompletionItem> {
    if slot.quote != Quote::None || !path.contains(&Step::Item) {
        return Vec::new();
    }
    let mut texts: Vec<String> = Vec::new();
    let beside = names_beside(cursor, path).filter(|_| has_names);
    for value in values_at(cursor, document, path, MAX_VISITED) {
        let range = value.content_range();
        if beside.as_ref().is_some_and(|array| array.start <= range.start && range.end <= array.end) {
            continue;
        }
        let typed = if slot.flow { cursor.offset..cursor.offset } else { cursor.line.clone() };
        let elsewhere = range.end < typed.start || range.start > typed.end;
        let simple = matches!(value.kind(), ValueKind::Plain | ValueKind::SingleQuoted | ValueKind::DoubleQuoted);
        if !elsewhere || !simple || range.len() > MAX_LENGTH || texts.len() >= MAX_OFFERED {
            continue;
        }
        let text = cursor.tree.text(range);
        if !text.contains(['\n', '\r']) && !texts.iter().any(|known| *known == text) {
            texts.push(text.into_owned());
        }
    }
    let item = |(index, text): (usize, String)| {
        let new = format!("{}{text}", slot.lead);
        item(text, ItemKind::Value, index, (slot.replace.clone(), new), None)
    };
    texts.into_iter().enumerate().map(item).collect()
}

/// The array around the cursor, if the path leads to what its items are called by: the names of the others are taken.
fn names_beside(cursor: &Cursor<'_>, path: &[Step]) -> Option<Range<usize>> {
    let [.., Step::Item, Step::Key(key)] = path else { return None };
    if key.as_str() != Some("name") {
        return None;
    }
    let line = cursor.text.slice(cursor.line.start..cursor.offset.max(cursor.line.start));
    let content = cursor.line.start + (line.len() - line.trim_start().len());
    let around = cursor.tree.path_at(content).into_iter().rev();
    let array = around.into_iter().find(|node| matches!(node.kind(), Kind::BlockSeq | Kind::FlowSeq))?;
    Some(array.range())
}

/// What says that an item is from another place.
const ELSEWHERE: &str = "used elsewhere";

/// Whether what an item from elsewhere names in its expressions is known at a place as well: not all variables are
/// known everywhere.
pub(super) fn is_known_here<'p>(
    snapshot: &Snapshot,
    file: FileId,
    item: &CompletionItem,
    place: impl Fn() -> Option<TextPlace<'p>>,
) -> bool {
    if item.detail.as_deref() != Some(ELSEWHERE) || item.kind != ItemKind::Value {
        return true;
    }
    let text = item.label.trim_matches(['"', '\'']);
    let mut begins = text.match_indices("${").map(|(at, begin)| at + begin.len());
    begins.all(|at| {
        let rest = text.get(at..).unwrap_or_default();
        let blanks = rest.len() - rest.trim_start().len();
        let name = rest.trim_start().trim_start_matches(|c: char| c == '_' || c.is_ascii_alphanumeric());
        if name.len() == rest.trim_start().len() || name.starts_with('(') {
            return true;
        }
        let inside = place().and_then(|place| {
            let place = TextPlace { text, offset: at + blanks + 1, ..place };
            snapshot.inside(file, &place)
        });
        inside.is_none_or(|inside| inside.word.is_some())
    })
}

fn item(
    label: String,
    kind: ItemKind,
    index: usize,
    edit: (Range<usize>, String),
    fix: Option<super::place::Fix>,
) -> CompletionItem {
    CompletionItem {
        detail: Some(ELSEWHERE.to_owned()),
        additional_edits: fix.into_iter().collect(),
        sort_text: format!("e{index:05}"),
        ..CompletionItem::new(label, kind, edit)
    }
}

/// The values at a path, in all items of the arrays on the way.
pub(super) fn values_at<'t>(cursor: &Cursor<'_>, document: Document<'t>, path: &[Step], most: usize) -> Vec<Value<'t>> {
    let mut here: Vec<Value<'t>> = document.root().into_iter().collect();
    let mut left = most;
    for step in path {
        let mut next = Vec::new();
        for value in here {
            match step {
                Step::Item => {
                    let items = value.seq().into_iter().flat_map(|seq| seq.items());
                    for item in items.take(left) {
                        left -= 1;
                        next.push(item.value());
                    }
                }
                Step::Key(key) => {
                    let entries = value.map().into_iter().flat_map(|map| map.entries());
                    for entry in entries.take(left) {
                        left -= 1;
                        if path::has_key(cursor.profile, &entry, key) {
                            next.push(entry.value());
                            break;
                        }
                    }
                }
                Step::Index(_) | Step::Nowhere => {}
            }
        }
        here = next;
    }
    here
}
