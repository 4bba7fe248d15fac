//! The part of a list that may be shown when the editor requests it by itself. Editors open such lists while the user
//! types, select the first item and accept it on Enter; some insert it at once. So where the user may already be done,
//! the list must not contain anything: Enter then means a new line.

use super::item::CompletionItem;
use std::ops::Range;

/// If more different words than this are nearly typed, nothing is offered: they are all short.
const MAX_WORDS: usize = 8;

/// The items that may be shown without a request. `text` gives the document's text in a range of bytes, `offset` is the
/// cursor.
///
/// * If the last key was not a letter or digit, there is no sign that an item is wanted. Comments, code and annotations
///   differ: something has to follow the trigger characters there.
/// * The text to the left of the cursor stays as it is: no line break, no corrected indentation, no missing space, and
///   the item begins with what was typed of it. Editors also match letters in order: `labeldrop` for `labeldop`.
/// * A word that equals an item needs no completion. If it will equal an item after up to `ahead` more letters, that
///   item is not needed either, nor are those that editors would still show when it is typed.
pub(super) fn unasked(
    items: Vec<CompletionItem>,
    offset: usize,
    in_comment: bool,
    ahead: usize,
    text: &dyn Fn(Range<usize>) -> String,
) -> Vec<CompletionItem> {
    // All items of a list replace the same few words, so each is read once.
    let mut known: Vec<(Range<usize>, Word)> = Vec::new();
    let mut done: Vec<String> = Vec::new();
    let mut kept = Vec::with_capacity(items.len());
    for item in items {
        let range = item.edit.0.clone();
        let index = known.iter().position(|(other, _)| *other == range).unwrap_or_else(|| {
            let typed = text(range.start..offset);
            known.push((
                range.clone(),
                Word { begun: typed.ends_with(char::is_alphanumeric), text: text(range), typed },
            ));
            known.len() - 1
        });
        let word = &known[index].1;
        if !word.begun && !in_comment || !begins_with(&item, &word.typed) {
            continue;
        }
        if item.edit.0.end == offset
            && let Some(name) = nearly_typed(&word.text, &item, ahead)
        {
            let written = name == word.text;
            if !done.contains(&name) {
                done.push(name);
            }
            if written || done.len() > MAX_WORDS {
                return Vec::new();
            }
            continue;
        }
        // A `load` that code also needs does not change the line.
        let keeps_line = in_comment || item.additional_edits.is_empty();
        if keeps_line && !item.edit.1.starts_with(char::is_whitespace) {
            kept.push(item);
        }
    }
    kept.retain(|item| !done.iter().any(|name| is_shown_for(name, &item.filter_text)));
    kept
}

/// The text that an item replaces.
struct Word {
    /// The last typed character is a letter or a digit.
    begun: bool,
    text: String,
    /// The part to the left of the cursor.
    typed: String,
}

fn begins_with(item: &CompletionItem, typed: &str) -> bool {
    item.edit.1.starts_with(typed) || item.filter_text.starts_with(typed)
}

/// The text of the item, if `typed` equals it except for a few letters at the end.
fn nearly_typed(typed: &str, item: &CompletionItem, ahead: usize) -> Option<String> {
    let ahead = if item.can_be_typed_out() { ahead } else { 0 };
    let is_near = |name: &&str| name.strip_prefix(typed).is_some_and(|rest| rest.chars().nth(ahead).is_none());
    // A key is inserted with its colon.
    let names = [Some(item.edit.1.as_str()), item.can_be_typed_out().then_some(item.filter_text.as_str())];
    names.into_iter().flatten().find(is_near).map(str::to_owned)
}

/// Whether editors show an item for `typed`: they accept its letters in order.
fn is_shown_for(typed: &str, filter_text: &str) -> bool {
    let mut letters = filter_text.chars().flat_map(char::to_lowercase);
    typed.chars().flat_map(char::to_lowercase).all(|wanted| letters.any(|letter| letter == wanted))
}
