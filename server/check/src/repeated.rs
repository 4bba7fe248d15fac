//! Keys that a map still has twice once everything is merged.

use crate::rules;
use lofting_diagnostic::Diagnostic;
use lofting_document::{Key, MapItem, Node, NodeValue, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// The findings for keys that a map has twice in a final result, each at the later one. ytt crashes when it prints such a
/// map, or makes data values of it (docs/ytt.md 4.3).
pub fn check_merged_keys<'n>(values: impl IntoIterator<Item = &'n Node>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    // A copy that an alias makes has the places of the original.
    let mut reported: FxHashSet<Span> = FxHashSet::default();
    let mut open: Vec<&Node> = values.into_iter().collect();
    let mut seen: FxHashMap<&Key, &MapItem> = FxHashMap::default();
    while let Some(node) = open.pop() {
        lofting_memo::step();
        match &node.value {
            NodeValue::Map(items) => {
                seen.clear();
                // Of those that conditions choose, it is not known which there are.
                for item in items.iter().filter(|item| !item.conditional) {
                    let Some(first) = seen.insert(&item.key, item) else { continue };
                    // An item in the place of another one came later than those that are where they were.
                    let moved = first.value.replaced.is_some() && item.value.replaced.is_none();
                    let (first, again) = if moved { (item, first) } else { (first, item) };
                    if reported.insert(again.key_span) {
                        found.push(rules::ytt_duplicate_key::merged(again.key_span, first.key_span, &again.key));
                    }
                }
                open.extend(items.iter().map(|item| &item.value).filter(|value| is_collection(value)));
            }
            NodeValue::Array(items) => {
                open.extend(items.iter().map(|item| &item.value).filter(|value| is_collection(value)));
            }
            _ => {}
        }
    }
    found.sort_by_key(|finding| (finding.span.file, finding.span.start));
    found
}

fn is_collection(node: &Node) -> bool {
    matches!(node.value, NodeValue::Map(_) | NodeValue::Array(_))
}
