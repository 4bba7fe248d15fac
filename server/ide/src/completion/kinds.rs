//! The kinds of resources and their versions, where a document says what it is.

use super::context::Cursor;
use super::likely;
use super::place::{Place, Quote, ValueSlot};
use crate::completion_item::{CompletionItem, ItemKind};
use crate::path::{self, Step};
use crate::yaml_text::{self, ScalarContext};
use lofting_document::{FileId, Key};
use lofting_syntax::Value;
use lofting_workspace::Snapshot;
use rustc_hash::FxHashMap;

const KIND: &str = "kind";
pub(super) const VERSION: &str = "apiVersion";
const ITEMS: &str = "items";

/// The other keys that resources have before anything says what they are.
const OTHERS: [&str; 4] = ["metadata", "spec", "data", ITEMS];

/// The kinds or versions that may be written at a place; None if it is not the key of one.
pub(super) fn items(
    snapshot: &Snapshot,
    file: FileId,
    cursor: &Cursor<'_>,
    place: &Place<'_>,
) -> Option<Vec<CompletionItem>> {
    let slot = place.value.as_ref().filter(|slot| !slot.own_line)?;
    let (Step::Key(Key::String(asked)), way) = place.path.split_last()? else { return None };
    let asked = [KIND, VERSION].into_iter().find(|key| key == asked)?;
    let map = match (place.document?.root(), way) {
        (Some(root), []) => root.map(),
        (Some(root), [Step::Key(Key::String(items)), Step::Item]) if items == ITEMS => item_at(root, slot)?.map(),
        _ => None,
    }?;
    let text_of = |wanted: &str| {
        let entry = map.entries().filter(|entry| entry.is_named(wanted)).last()?;
        Some(entry.value().scalar()?.value().trim().to_owned()).filter(|text| !text.is_empty())
    };
    let is_known = |key: &Key| key.as_str().is_some_and(|key| key == KIND || key == VERSION || OTHERS.contains(&key));
    let mut keys = map.entries().filter_map(|entry| path::key_of(cursor.profile, entry.key()?));
    let other = text_of(if asked == KIND { VERSION } else { KIND });
    // Documents of other programs may have such a key among others.
    if other.is_none() && !keys.all(|key| is_known(&key)) {
        return None;
    }
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    let mut places: FxHashMap<String, usize> = FxHashMap::default();
    for (version, kind) in snapshot.kinds_to_write(file) {
        let (word, beside) = if asked == KIND { (kind, version) } else { (version, kind) };
        if other.as_ref().is_some_and(|other| *other != beside) {
            continue;
        }
        let at = *places.entry(word.to_string()).or_insert(found.len());
        match found.get_mut(at) {
            Some((_, known)) => known.push(beside.to_string()),
            None => found.push((word.to_string(), vec![beside.to_string()])),
        }
    }
    if asked == KIND {
        found.sort();
    } else {
        // The newest versions of a group are last.
        found.reverse();
    }
    let items = found.into_iter().enumerate();
    let items: Vec<_> = items.map(|(number, (word, beside))| item(slot, number, &word, asked, &beside)).collect();
    (!items.is_empty()).then_some(items)
}

/// The version of the API that a resource lacks which says only its kind: an item for each version that has this kind.
pub(super) fn missing_version(
    snapshot: &Snapshot,
    file: FileId,
    cursor: &Cursor<'_>,
    place: &Place<'_>,
) -> Vec<CompletionItem> {
    let Some(slot) = place.keys.as_ref().filter(|_| place.path.is_empty()) else { return Vec::new() };
    let entry = |wanted: &str| slot.map?.entries().find(|entry| entry.is_named(wanted));
    let kind = entry(KIND).and_then(|entry| Some(entry.value().scalar()?.value().trim().to_owned()));
    let Some(kind) = kind.filter(|_| entry(VERSION).is_none()) else { return Vec::new() };
    let known = snapshot.kinds_to_write(file).into_iter().filter(|(_, known)| *known == kind);
    let mut versions: Vec<String> = known.map(|(version, _)| version.to_string()).collect();
    // The newest versions of a group are last.
    versions.reverse();
    versions.dedup();
    likely::items(cursor, slot, versions.into_iter().map(|version| (VERSION.to_owned(), Some(version))).collect())
}

/// The item of the list of resources that a slot is in.
fn item_at<'t>(root: Value<'t>, slot: &ValueSlot) -> Option<Value<'t>> {
    let items = root.map()?.entries().find(|entry| entry.is_named(ITEMS))?.value().seq()?;
    let before = items.items().take_while(|item| item.node().range().start <= slot.replace.start);
    before.last().map(|item| item.value())
}

fn item(slot: &ValueSlot, number: usize, word: &str, asked: &str, beside: &[String]) -> CompletionItem {
    let context = if slot.flow { ScalarContext::Flow } else { ScalarContext::Block };
    let text = match slot.quote {
        Quote::None => yaml_text::string(word, context),
        Quote::Open(quote) => format!("{word}{quote}"),
        Quote::Closed(_) => word.to_owned(),
    };
    let detail = if asked == KIND { beside.join(", ") } else { "version of the API".to_owned() };
    CompletionItem {
        detail: Some(detail),
        sort_text: format!("A{number:05}"),
        ..CompletionItem::new(
            word.to_owned(),
            ItemKind::EnumMember,
            (slot.replace.clone(), format!("{}{text}", slot.lead)),
        )
    }
}
