//! Commas between brackets: what is inserted before another entry or item is followed by one.

use super::context::Cursor;
use super::place::{Place, Quote, Tail};
use crate::completion_item::{CompletionItem, ItemKind, escape_snippet};

/// How far (in bytes) the next entry is looked for.
const MAX: usize = 10_000;

/// Adds a comma to the items where another entry or item follows without one. `snippets` is whether the editor knows tab
/// stops: with them, the cursor of a key without a value stays before the comma.
pub(super) fn with_comma(items: &mut [CompletionItem], cursor: &Cursor<'_>, place: &Place<'_>, snippets: bool) {
    let key = place.keys.as_ref().filter(|slot| slot.flow && slot.tail == Tail::Free).map(|slot| slot.replace.end);
    let value = place.value.as_ref().filter(|slot| slot.flow && slot.quote == Quote::None).map(|slot| slot.replace.end);
    let Some(end) = key.or(value).filter(|end| is_before_another(cursor, *end)) else { return };
    for item in items.iter_mut().filter(|item| item.edit.0.end == end) {
        let is_open = item.kind == ItemKind::Key && !item.is_snippet && item.edit.1.ends_with(": ");
        if is_open && snippets {
            item.edit.1 = format!("{}$1", escape_snippet(&item.edit.1));
            item.is_snippet = true;
        }
        item.edit.1.push(',');
    }
}

/// Whether the next thing is neither a comma nor the end of the brackets.
fn is_before_another(cursor: &Cursor<'_>, end: usize) -> bool {
    let text = cursor.text.slice(end..cursor.text.round_down((end + MAX).min(cursor.text.len())));
    let mut rest = text.as_ref();
    // A comment needs white space before it.
    while let Some(comment) = Some(rest.trim_start()).filter(|it| it.starts_with('#') && it.len() < rest.len()) {
        rest = comment.split_once('\n').map_or("", |(_, below)| below);
    }
    let begins = rest.trim_start().starts_with(|c: char| !matches!(c, ',' | '}' | ']' | ':'));
    begins && is_closed(cursor)
}

/// Whether the brackets around the cursor are closed: what follows open ones may belong to the lines below.
fn is_closed(cursor: &Cursor<'_>) -> bool {
    super::context::open_flow(cursor).is_some_and(|open| open.is_closed())
}
