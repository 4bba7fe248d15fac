//! Linked editing: an anchor and its aliases, which are renamed together while one of them is being typed.

use crate::anchors;
use lofting_document::FileId;
use lofting_workspace::Snapshot;
use std::ops::Range;

#[cfg(test)]
mod tests;

/// The name of the anchor or alias at `offset` (bytes) wherever it refers to the same value, without `&` and `*`, in
/// order. Empty if it occurs only once.
pub fn linked_editing(snapshot: &Snapshot, file: FileId, offset: usize) -> Vec<Range<usize>> {
    let (tree, text) = (snapshot.tree(file), snapshot.text(file));
    let Some(found) = anchors::anchored_at(&tree, &text, offset) else { return Vec::new() };
    if found.aliases.is_empty() || found.anchor.range().len() < 2 {
        return Vec::new();
    }
    std::iter::once(found.anchor).chain(found.aliases).map(|token| anchors::name_in(token.range())).collect()
}
