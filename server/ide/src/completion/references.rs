//! References to definitions of JSON Schemas: the values of `$ref`.

use super::context::Cursor;
use super::place::{Place, Quote};
use crate::completion_item::{CompletionItem, ItemKind};
use crate::path::Step;
use crate::yaml_text;
use lofting_document::{FileId, Key};
use lofting_workspace::Snapshot;

/// The references that may be written at a place, best first.
pub(super) fn items(snapshot: &Snapshot, file: FileId, cursor: &Cursor<'_>, place: &Place<'_>) -> Vec<CompletionItem> {
    let is_reference =
        matches!(place.path.last(), Some(Step::Key(Key::String(key))) if key == "$ref" || key == "$dynamicRef");
    let Some(slot) = place.value.as_ref().filter(|_| is_reference) else { return Vec::new() };
    let typed = cursor.text.slice(slot.replace.start..cursor.offset.max(slot.replace.start)).into_owned();
    let context = cursor.style.scalars(slot.flow);
    let written = |text: &str| match slot.quote {
        Quote::None => yaml_text::string(text, context),
        Quote::Open(quote) => format!("{text}{quote}"),
        Quote::Closed(_) => text.to_owned(),
    };
    let item = |(number, text): (usize, String)| CompletionItem {
        detail: Some("reference".to_owned()),
        sort_text: format!("A{number:05}"),
        filter_text: match slot.quote {
            // Without quotes, a comment begins with the character that references begin with.
            Quote::None => format!("{}{text}", slot.lead),
            _ => text.clone(),
        },
        ..CompletionItem::new(
            text.clone(),
            ItemKind::EnumMember,
            (slot.replace.clone(), format!("{}{}", slot.lead, written(&text))),
        )
    };
    snapshot.references_to_write(file, typed.trim()).into_iter().enumerate().map(item).collect()
}
