//! The defaults of keys that are left out, after the key of their map: `host: localhost, pool: 5`.

use super::{HintKind, HintRole, HintedPart, InlayHint, listed, plain};
use crate::describe::default_words;
use crate::governing::{Governing, governing};
use crate::path::{Step, key_of};
use crate::yaml_text::{self, ScalarContext};
use lofting_document::{Key, NodeValue, Span};
use lofting_schema::{DeclaredKey, MapShape, Shape};
use lofting_syntax::Map;
use lofting_workspace::{FileKind, Merged};
use std::collections::HashSet;

/// The kind. Most maps leave something out, so it is off by default.
pub(super) const KIND: HintKind = HintKind { name: "defaults", is_usual: false, find: hints };

/// The maximum number of maps in one part.
const MAX_MAPS: usize = 500;
/// The maximum number of keys on one line.
const MAX_KEYS: usize = 20;

fn hints(part: &HintedPart<'_>, hints: &mut Vec<InlayHint>) {
    if !matches!(part.kind, FileKind::DataValues | FileKind::PlainValues | FileKind::Parts) {
        return;
    }
    let profile = part.snapshot.profile(part.file);
    let calls = part.snapshot.merged_quickly(part.file);
    let entries = part.entries();
    let maps = entries.iter().filter_map(|here| Some((here, here.value.map()?)));
    for (here, map) in maps.take(MAX_MAPS) {
        let governing = governing(part.snapshot, part.file, &part.tree, here.document, &here.path, here.head_end);
        let Some(governing) = governing else { continue };
        let written: HashSet<Key> = map.entries().filter_map(|entry| key_of(profile, entry.key()?)).collect();
        if has_merges(map) {
            continue;
        }
        let words = left_out(&governing, &here.path, &written, &calls, part);
        if !words.is_empty() {
            hints.push(plain(part.after(here).min(line_end(part, here.head_end)), listed(words), HintRole::Value));
        }
    }
}

/// A merge key adds keys that are not written.
fn has_merges(map: Map<'_>) -> bool {
    map.entries().any(|entry| entry.key().is_some_and(|key| key.scalar().is_some_and(|key| key.value() == "<<")))
}

/// A flow map continues after its key.
fn line_end(part: &HintedPart<'_>, offset: usize) -> usize {
    let line = part.text.line_range(part.text.line_of(offset));
    line.start + part.text.slice(line.clone()).trim_end().len()
}

/// `key: default` for the keys of one map that are not set.
fn left_out(
    governing: &Governing,
    path: &[Step],
    written: &HashSet<Key>,
    calls: &[Merged],
    part: &HintedPart<'_>,
) -> Vec<String> {
    let schema = &governing.schema;
    let nodes = governing.nodes_at(path);
    let [node] = nodes.as_slice() else { return Vec::new() };
    let Shape::Map(MapShape { keys, .. }) = schema.node(*node).shape() else { return Vec::new() };
    let missing = keys.iter().filter(|key| !written.contains(&key.key) && !given_elsewhere(part, calls, path, key));
    let words = missing.filter_map(|key| {
        let node = schema.node(key.schema);
        let default = default_words(node).filter(|_| !node.left_out)?;
        Some(format!("{}: {default}", yaml_text::declared_key(schema.semantics(), &key.key, ScalarContext::Block)))
    });
    words.take(MAX_KEYS).collect()
}

/// Whether another file sets the key in a call, so that its default does not apply there.
fn given_elsewhere(part: &HintedPart<'_>, calls: &[Merged], path: &[Step], key: &DeclaredKey) -> bool {
    calls.iter().any(|call| {
        let map = path.iter().try_fold(call.values(), |node, step| match step {
            Step::Key(key) => node.get(key),
            // Items have no names, and arrays are not merged item by item.
            Step::Index(_) | Step::Item | Step::Nowhere => None,
        });
        let is_given = |span: Span| part.snapshot.kind(span.file) != FileKind::Schema;
        let value = map.and_then(|map| map.get(&key.key));
        value.is_some_and(|value| match &value.value {
            // Items of data values are appended to existing ones.
            NodeValue::Array(items) => is_given(value.span) || items.iter().any(|item| is_given(item.span)),
            _ => is_given(value.span),
        })
    })
}
