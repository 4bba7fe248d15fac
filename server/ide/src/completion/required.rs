//! Items of `required` in a JSON Schema, wherever one is: the properties beside it.

use super::context::Cursor;
use super::place::{Place, Quote};
use super::seen::values_at;
use crate::completion_item::{CompletionItem, ItemKind};
use crate::path::{self, Step};
use crate::yaml_text::{self, ScalarContext};
use lofting_document::Key;
use lofting_syntax::{Map, Value};
use std::ops::Range;

/// Entries looked at.
const MAX: usize = 2_000;

/// The names of properties that are not in the list yet; none where there is no such list.
pub(super) fn items(cursor: &Cursor<'_>, place: &Place<'_>) -> Option<Vec<CompletionItem>> {
    let (Step::Item, above) = place.path.split_last()? else { return None };
    let (Step::Key(Key::String(name)), above) = above.split_last()? else { return None };
    if name != "required" {
        return None;
    }
    let slot = place.value.as_ref()?;
    // Of several schemas in one array the last that begins above.
    let begins_above = |schema: &Value<'_>| schema.range().start <= cursor.offset;
    let schema = values_at(cursor, place.document?, above, MAX).into_iter().rev().find(begins_above)?;
    let map = schema.map()?;
    let properties = member(cursor, map, "properties")?.map()?;
    let list = member(cursor, map, "required").and_then(|list| list.seq());
    let items = list.into_iter().flat_map(|list| list.items()).take(MAX).filter_map(|item| item.value().scalar());
    let is_typed = |range: Range<usize>| range.start <= cursor.offset && cursor.offset <= range.end;
    let listed: Vec<String> =
        items.filter(|item| !is_typed(item.range())).map(|item| item.value().into_owned()).collect();
    let place = cursor.style.scalars(slot.flow);
    let keys = properties.entries().take(MAX).filter_map(|entry| path::key_of(cursor.profile, entry.key()?));
    let names = keys.map(|key| key.to_string()).filter(|name| !listed.contains(name));
    let item = |(index, name): (usize, String)| {
        let text = match slot.quote {
            Quote::None => yaml_text::string(&name, place),
            Quote::Open(quote) => format!("{}{quote}", inside(&name, quote, place)?),
            Quote::Closed(quote) => inside(&name, quote, place)?,
        };
        Some(CompletionItem {
            detail: Some("a property".to_owned()),
            sort_text: format!("{index:05}"),
            ..CompletionItem::new(name, ItemKind::EnumMember, (slot.replace.clone(), format!("{}{text}", slot.lead)))
        })
    };
    Some(names.enumerate().filter_map(item).collect())
}

fn member<'t>(cursor: &Cursor<'_>, map: Map<'t>, name: &str) -> Option<Value<'t>> {
    let is_named = |key: Key| key.as_str() == Some(name);
    let mut entries = map.entries().take(MAX);
    let named = |entry: &lofting_syntax::Entry<'_>| {
        entry.key().and_then(|key| path::key_of(cursor.profile, key)).is_some_and(is_named)
    };
    entries.find(named).map(|entry| entry.value())
}

fn inside(text: &str, quote: char, place: ScalarContext) -> Option<String> {
    match quote {
        '\'' => yaml_text::inside_single_quotes(text),
        _ => Some(yaml_text::inside_double_quotes(text, place)),
    }
}
