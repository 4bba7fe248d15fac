//! The final value, if another file overrides it: `→ 3 in prod.yml`.

use super::{HintKind, HintPart, HintRole, HintedPart, InlayHint};
use crate::describe::shorten;
use crate::effective::{KeyPlace, chain, is_shown};
use crate::path::Step;
use crate::yaml_text::{self, ScalarContext};
use lofting_document::Node;
use lofting_workspace::{AskedValue, FileKind, Merged};

/// The kind.
pub(super) const KIND: HintKind = HintKind { name: "finalValues", is_usual: true, find: hints };

/// If more calls than this have other values, they are not listed individually.
const MAX_SAID: usize = 3;

/// The maximum number of entries inside items that are looked up for one answer: items have no names, so each is
/// searched among all items of its array.
const MAX_IN_ITEMS: usize = 500;

/// Values that took each other's place more often are not followed.
const MAX_REPLACED: usize = 32;

fn hints(part: &HintedPart<'_>, hints: &mut Vec<InlayHint>) {
    if !matches!(part.kind, FileKind::DataValues | FileKind::PlainValues) {
        return;
    }
    let entries = part.entries();
    let values = entries.iter().filter(|here| here.value.map().is_none());
    let asked = values.filter_map(|here| {
        let key = here.key?;
        // An array to which others add items is not overridden.
        Some(AskedValue { offset: key.content_range().start, path: &here.path, with_items: false })
    });
    let calls = part.snapshot.merged_at(part.file, &asked.collect::<Vec<_>>());
    if calls.is_empty() {
        return;
    }
    let mut in_items = 0;
    for here in &entries {
        let Some(key) = here.key.filter(|_| here.value.map().is_none()) else { continue };
        if here.path.contains(&Step::Item) {
            in_items += 1;
            if in_items > MAX_IN_ITEMS {
                continue;
            }
        }
        let mut said: Vec<[HintPart; 2]> = Vec::new();
        for call in &calls {
            let place = KeyPlace { file: part.file, key: key.content_range() };
            let words = winner(part, call, &here.path, &place);
            said.extend(words.filter(|words| !said.contains(words)));
        }
        if said.is_empty() {
            continue;
        }
        let more = said.len().saturating_sub(MAX_SAID);
        let mut parts = Vec::new();
        for [value, origin] in said.into_iter().take(MAX_SAID) {
            let lead = if parts.is_empty() { "→ " } else { ", " };
            parts.extend([HintPart { text: format!("{lead}{} in ", value.text), ..value }, origin]);
        }
        if more > 0 {
            parts.push(HintPart { text: format!(" and {more} more"), target: None });
        }
        hints.push(InlayHint { offset: part.after(here), parts, role: HintRole::Value });
    }
}

/// The value from another place that overrides the one at `place`, and where that is; `None` if this one is final, or
/// equal.
fn winner(part: &HintedPart<'_>, call: &Merged, path: &[Step], place: &KeyPlace) -> Option<[HintPart; 2]> {
    let last = place.find(call.values(), path)?;
    if !is_shown(last) {
        return None;
    }
    let own = chain(last).take(MAX_REPLACED).find(|node| place.holds(node.span, part.snapshot))?;
    if std::ptr::eq(own, last) {
        return None;
    }
    let words = |node: &Node| yaml_text::value(node, ScalarContext::Block);
    let value = words(last)?;
    if words(own).is_some_and(|own| own == value) {
        return None;
    }
    let origin = part.snapshot.placed(last.span);
    let path = part.snapshot.path(origin.file);
    let name = path.file_name().filter(|name| *name != part.snapshot.path(part.file).file_name().unwrap_or_default());
    let name = name.map(|name| name.to_string_lossy().into_owned());
    let name = name.unwrap_or_else(|| part.snapshot.shown_path(origin.file));
    Some([HintPart { text: shorten(value), target: None }, HintPart { text: name, target: Some(last.span) }])
}
