//! Moves findings about merged values to the document that gave them.

use crate::path::shown_steps;
use lofting_diagnostic::Diagnostic;
use lofting_document::{Document, Map, MapItem, Node, NodeValue};

/// Moves a finding about a value to the document's own key for it, and returns whether the document has one.
///
/// ytt keeps the existing item when it merges maps, so it reports an error of a whole map at its declaration in the
/// schema. A reader of the values expects it in the values.
pub fn place_in(finding: &mut Diagnostic, document: &Document) -> bool {
    let Some(path) = finding.path.clone() else { return false };
    let mut here: &Node = &document.value;
    let mut rest = path.as_str();
    if rest == shown_steps(&[]) {
        finding.span = document.marker.unwrap_or(document.value.span);
        return true;
    }
    loop {
        let NodeValue::Map(items) = &here.value else { return false };
        let Some((item, after)) = longest(items, rest) else { return false };
        if after.is_empty() {
            finding.span = item.key_span;
            return true;
        }
        (here, rest) = (&item.value, after.strip_prefix('.').unwrap_or(after));
    }
}

/// The item whose key the path begins with, and the rest of the path. Keys may contain dots, so the longest key counts.
fn longest<'m, 'p>(items: &'m Map, path: &'p str) -> Option<(&'m MapItem, &'p str)> {
    // Larger maps are not searched for each finding; their keys are looked up by the beginnings of the path.
    if items.len() <= Map::SEARCHED {
        let fitting = items.iter().filter_map(|item| {
            let after = path.strip_prefix(item.key.to_string().as_str())?;
            (after.is_empty() || after.starts_with('.')).then_some((item, after))
        });
        return fitting.min_by_key(|(_, after)| after.len());
    }
    let mut ends = std::iter::once(path.len()).chain(path.rmatch_indices('.').map(|(at, _)| at));
    ends.find_map(|end| {
        let (key, after) = path.split_at_checked(end)?;
        Some((items.shown_as(key)?, after))
    })
}
