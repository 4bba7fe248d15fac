//! Findings about merged values, placed in the document that gave them.

use crate::diagnostic::Diagnostic;
use lofting_document::{Document, Node, NodeValue};

/// Moves a finding about a value to the document's own key for it; whether the document has one.
///
/// ytt keeps the left item when it merges maps, so that what is wrong with a map as a whole is said where the
/// schema declares it. Who looks at the values wants to see it there.
pub fn place_in(finding: &mut Diagnostic, document: &Document) -> bool {
    let Some(path) = finding.path.clone() else { return false };
    let mut here: &Node = &document.value;
    let mut rest = path.as_str();
    loop {
        let NodeValue::Map(items) = &here.value else { return false };
        // A key may hold a dot itself: the longest that fits is meant.
        let fitting = items.iter().filter_map(|item| {
            let key = item.key.to_string();
            let behind = rest.strip_prefix(key.as_str())?;
            (behind.is_empty() || behind.starts_with('.')).then_some((item, behind, key.len()))
        });
        let Some((item, behind, _)) = fitting.max_by_key(|(_, _, len)| *len) else { return false };
        if behind.is_empty() {
            finding.span = item.key_span;
            return true;
        }
        (here, rest) = (&item.value, behind.strip_prefix('.').unwrap_or(behind));
    }
}
