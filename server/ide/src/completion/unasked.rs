//! The part of a list that may be shown when the editor requests it by itself. Editors open such lists while the user
//! types, select the first item and accept it on Enter. What they show depends on the text and the place alone.

use crate::completion_item::{CompletionItem, ItemKind};
use std::ops::Range;

/// The items that may be shown without a request. `text` gives the document's text in a range of bytes; its line begins at
/// `line_start`, and the cursor is at `offset`.
///
/// * After white space there is no sign that something in a comment is wanted.
/// * The text to the left of the cursor stays as it is: no line break, no corrected indentation, no missing space, and
///   the item begins with what was typed of it. Editors also match letters in order: `labeldrop` for `labeldop`.
/// * A value that needs quotes is not offered for what is typed without them: that word may be complete as it is.
/// * A word that equals an item stays in the list, first (`order`): where an editor accepts an item on Enter only if it
///   changes the text, Enter is a new line.
pub(super) fn unasked(
    items: Vec<CompletionItem>,
    (line_start, offset): (usize, usize),
    in_comment: bool,
    text: &dyn Fn(Range<usize>) -> String,
) -> Vec<CompletionItem> {
    if in_comment && !text(line_start..offset).ends_with(|c: char| !c.is_whitespace()) {
        return Vec::new();
    }
    // All items of a list replace the same few words, so each is read once.
    let mut known: Vec<(Range<usize>, String)> = Vec::new();
    let mut typed = |item: &CompletionItem| {
        let range = &item.edit.0;
        if let Some((_, typed)) = known.iter().find(|(other, _)| other == range) {
            return typed.clone();
        }
        let typed = text(range.start..offset);
        known.push((range.clone(), typed.clone()));
        typed
    };
    let mut kept = items;
    kept.retain(|item| {
        // A `load` that code also needs does not change the line.
        let keeps_line = in_comment || item.additional_edits.is_empty();
        keeps_line && !item.edit.1.starts_with(char::is_whitespace) && begins_with(item, &typed(item))
    });
    kept
}

fn begins_with(item: &CompletionItem, typed: &str) -> bool {
    let goes_on = item.kind == ItemKind::Key && item.edit.1 != item.filter_text;
    item.edit.1.starts_with(typed) || goes_on && item.filter_text.starts_with(typed)
}
