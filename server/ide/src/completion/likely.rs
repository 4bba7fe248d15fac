//! Keys that a language of the file expects in maps of any keys, such as the labels of other resources.

use super::context::Cursor;
use super::place::{KeySlot, Tail};
use crate::completion_item::{CompletionItem, ItemKind};
use crate::path;
use crate::yaml_text;
use lofting_document::Key;

/// A key, with its value if that is known.
type LikelyKey = (String, Option<String>);

/// The keys that the map at the cursor does not have, each with its value if that is known.
pub(super) fn items(cursor: &Cursor<'_>, slot: &KeySlot<'_>, keys: Vec<LikelyKey>) -> Vec<CompletionItem> {
    // Most places have none.
    if keys.is_empty() {
        return Vec::new();
    }
    let entries = slot.map.into_iter().flat_map(|map| map.entries());
    // The entry on the line of the cursor is being written.
    let others = entries.filter(|entry| {
        let start = entry.node().range().start;
        start < slot.replace.start || slot.replace.end < start
    });
    let present: Vec<Key> = others.filter_map(|entry| path::key_of(cursor.profile, entry.key()?)).collect();
    let text_place = cursor.style.scalars(slot.flow);
    let is_new = |(name, _): &LikelyKey| !present.iter().any(|key| key.as_str() == Some(name.as_str()));
    let item = |(number, (name, value)): (usize, LikelyKey)| {
        let written = yaml_text::string(&name, text_place);
        let value = value.filter(|_| slot.tail == Tail::Free);
        let text = match (slot.tail, &value) {
            (Tail::Colon, _) => written,
            (Tail::Children, _) => format!("{written}:"),
            (_, Some(value)) => format!("{written}: {}", yaml_text::string(value, text_place)),
            (_, None) => format!("{written}: "),
        };
        let label = value.map_or_else(|| name.clone(), |value| format!("{name}: {value}"));
        CompletionItem {
            sort_text: format!("A{number:05}"),
            filter_text: name.clone(),
            additional_edits: slot.fix.clone().into_iter().collect(),
            ..CompletionItem::new(label, ItemKind::Key, (slot.replace.clone(), format!("{}{text}", slot.lead)))
        }
    };
    keys.into_iter().filter(is_new).enumerate().map(item).collect()
}
