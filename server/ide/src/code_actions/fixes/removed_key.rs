//! Removes a key that must not be present, with its value.

use super::{FindingFix, Rules};
use crate::code_actions::Change;
use crate::code_actions::context::Context;
use crate::code_actions::editing::Editing;
use crate::code_actions::offers::Offers;
use lofting_check::{Diagnostic, rules};
use lofting_diagnostic::Confidence;
use lofting_syntax::{Document, Entry};
use rustc_hash::FxHashMap;
use std::ops::Range;

pub(super) static FIX: FindingFix = FindingFix { rules: Rules::Keys, offer };

fn offer(context: &Context<'_>, finding: &Diagnostic, offers: &mut Offers<'_>) {
    // A missing key cannot be removed.
    if finding.key.is_some() {
        return;
    }
    let editing = Editing::new(context.snapshot, context.file);
    let Some(entry) = editing.entry_of(finding.span.range()) else { return };
    let is_safe = is_repeated(context, &editing, finding) && is_sound(context, &editing, entry);
    let confidence = if is_safe { Confidence::Sure } else { Confidence::Possible };
    offers.add("Remove the key", confidence, || editing.without(entry).map(Change::of));
}

/// Longer entries are not compared, in bytes.
const COMPARED: usize = 10_000;

/// In maps with more entries, it is not looked for keys that are repeated with other values.
const ENTRIES: usize = 1_000;

/// Whether the map of an entry is sound: its document has no syntax error and no conflict, and no key is repeated with
/// another value. Otherwise the equal keys may be those of an item that lost its dash.
fn is_sound(context: &Context<'_>, editing: &Editing, entry: Entry<'_>) -> bool {
    let document = editing.tree().path_at(entry.range().start).into_iter().find_map(Document::cast);
    let range = document.map_or(0..context.text.len(), |document| document.range());
    if editing.tree().errors().iter().any(|error| range.contains(&error.range.start)) {
        return false;
    }
    let Some(map) = editing.map_of(entry).filter(|map| map.entries().nth(ENTRIES).is_none()) else { return false };
    let mut known: FxHashMap<String, String> = FxHashMap::default();
    map.entries().all(|entry| {
        let Some(key) = entry.key() else { return false };
        let value = context.text.slice(entry.value().range()).trim_end().to_owned();
        let name = context.text.slice(key.range()).into_owned();
        known.insert(name, value.clone()).is_none_or(|other| other == value)
    })
}

/// Whether the key is given twice with the same text: nothing is lost without one of them.
fn is_repeated(context: &Context<'_>, editing: &Editing, finding: &Diagnostic) -> bool {
    if *finding.rule != rules::DUPLICATE_KEY && *finding.rule != rules::REPEATED_KEY {
        return false;
    }
    let first = finding.related.first().map(|related| related.span).filter(|first| first.file == context.file);
    let text_at = |place: Range<usize>| {
        let range = editing.entry_of(place)?.range();
        (range.len() <= COMPARED).then(|| context.text.slice(range).trim_end().to_owned())
    };
    let (Some(first), Some(own)) = (first.and_then(|first| text_at(first.range())), text_at(finding.span.range()))
    else {
        return false;
    };
    // An anchor may be what another place refers to, and a comment may say what the other does not.
    first == own && !own.contains(['&', '#'])
}
