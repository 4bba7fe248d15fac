//! What remains of a list nobody asked for. Editors open it by themselves while the user types, select its first item and
//! take Enter as its acceptance; some insert that item at once. So nothing may be in it at a place where the user may
//! just as well be done: Enter then means a new line.

use super::item::CompletionItem;
use std::ops::Range;

/// Where more different words than this are as good as typed, nothing is offered: they are all short.
const MAX_WORDS: usize = 8;

/// The items that may be shown without being asked for. `text` gives what the document has in a range of bytes, `offset`
/// is the cursor.
///
/// * Where the last key was no letter of an item, nothing says that one is wanted. In a comment, code and annotations are
///   different: behind the signs at which editors ask there, something has to follow.
/// * What is left of the cursor stays as it is: no line break, no mended indentation, no missing space, and the item begins
///   with what was typed of it. Editors also show what has the letters in this order: `labeldrop` for `labeldop`.
/// * A word that is one of the items needs no completion. One that will be after `ahead` more letters does not need that
///   item, nor those that editors would still show when it is typed.
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
        // What code needs besides, a `load`, is no change of the line.
        let keeps_line = in_comment || item.additional_edits.is_empty();
        if keeps_line && !item.edit.1.starts_with(char::is_whitespace) {
            kept.push(item);
        }
    }
    kept.retain(|item| !done.iter().any(|name| is_shown_for(name, &item.filter_text)));
    kept
}

/// What an item replaces.
struct Word {
    /// A letter or digit was typed last.
    begun: bool,
    text: String,
    /// What of it is left of the cursor.
    typed: String,
}

fn begins_with(item: &CompletionItem, typed: &str) -> bool {
    item.edit.1.starts_with(typed) || item.filter_text.starts_with(typed)
}

/// How the item is written, if `typed` is that but for a few letters at most.
fn nearly_typed(typed: &str, item: &CompletionItem, ahead: usize) -> Option<String> {
    let ahead = if item.can_be_typed_out() { ahead } else { 0 };
    let is_near = |name: &&str| name.strip_prefix(typed).is_some_and(|rest| rest.chars().nth(ahead).is_none());
    // A key is written with its colon.
    let names = [Some(item.edit.1.as_str()), item.can_be_typed_out().then_some(item.filter_text.as_str())];
    names.into_iter().flatten().find(is_near).map(str::to_owned)
}

/// Whether editors show an item when `typed` is typed: they are content with its letters in this order.
fn is_shown_for(typed: &str, filter_text: &str) -> bool {
    let mut letters = filter_text.chars().flat_map(char::to_lowercase);
    typed.chars().flat_map(char::to_lowercase).all(|wanted| letters.any(|letter| letter == wanted))
}
