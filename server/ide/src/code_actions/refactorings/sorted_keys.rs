//! Sorts the keys of a map in the order of its schema. Comments and annotations move with their keys.

use super::Refactoring;
use crate::code_actions::context::Context;
use crate::code_actions::editing::Editing;
use crate::code_actions::governed::governed_at;
use crate::code_actions::offers::Offers;
use crate::code_actions::{ActionKind, Change};
use crate::path::key_of;
use lofting_diagnostic::Confidence;
use lofting_document::Key;
use lofting_schema::Shape;
use std::ops::Range;

pub(super) static REFACTORING: Refactoring = Refactoring { kind: ActionKind::Rewrite, offer };

/// Larger maps are not sorted.
const ENTRIES: usize = 500;

fn offer(context: &Context<'_>, offers: &mut Offers<'_>) {
    let editing = Editing::new(context.snapshot, context.file);
    let at = context.range.start;
    let name = match editing.entry_at(at) {
        Some(entry) => entry.key().map(|key| key.range()),
        None => editing.marker_at(at),
    };
    let Some(name) = name.map(|name| context.span(name)) else { return };
    let Some(governed) = governed_at(context, &editing, name) else { return };
    let Some(map) = governed.value.map().filter(|map| !map.is_flow()) else { return };
    let declared: Vec<Key> = governed
        .nodes
        .iter()
        .find_map(|id| match governed.schema.node(*id).shape() {
            Shape::Map(shape) if !shape.keys.is_empty() => Some(shape.keys.iter().map(|key| key.key.clone()).collect()),
            _ => None,
        })
        .unwrap_or_default();
    let (profile, named) = (context.snapshot.profile(context.file), governed.schema.semantics().keys);
    let place = |key: &Key| declared.iter().position(|known| known == key).unwrap_or(declared.len());
    let mut parts: Vec<(usize, Range<usize>)> = Vec::new();
    for entry in map.entries().take(ENTRIES + 1) {
        let Some(key) = entry.key().and_then(|key| key_of(profile, key)) else { return };
        let Some(lines) = editing.lines_of(entry) else { return };
        parts.push((place(&named.named(key)), lines));
    }
    let is_sorted = parts.is_sorted_by_key(|(place, _)| *place);
    // Text between the keys would be lost, so all of it has to belong to one of them.
    let touching = parts.windows(2).all(|pair| matches!(pair, [(_, one), (_, next)] if one.end == next.start));
    if declared.is_empty() || is_sorted || !touching || parts.len() > ENTRIES {
        return;
    }
    let whole = parts.first().map_or(0, |(_, first)| first.start)..parts.last().map_or(0, |(_, last)| last.end);
    let has_code = context.text.slice(whole.clone()).lines().any(|line| line.trim_start().starts_with("#@ "));
    let ends = context.text.slice(whole.clone()).ends_with(['\n', '\r']);
    if has_code || !ends {
        return;
    }
    offers.add("Sort the keys as in the schema", Confidence::Possible, || {
        let mut sorted = parts.clone();
        sorted.sort_by_key(|(place, _)| *place);
        let text: String = sorted.into_iter().map(|(_, lines)| context.text.slice(lines).into_owned()).collect();
        Some(Change::replace(context.span(whole), text))
    });
}
