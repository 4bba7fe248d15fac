//! Linked editing: an anchor and its aliases, which are renamed together while one of them is being typed.

use crate::anchors;
use lofting_document::FileId;
use lofting_syntax::Kind;
use lofting_workspace::Snapshot;
use std::ops::Range;

#[cfg(test)]
mod tests;

/// The name of the anchor or alias at `offset` (bytes) wherever it refers to the same value, without `&` and `*`, in
/// order. Empty if it occurs only once.
pub fn linked_editing(snapshot: &Snapshot, file: FileId, offset: usize) -> Vec<Range<usize>> {
    let (tree, text) = (snapshot.tree(file), snapshot.text(file));
    let is_one = |kind: Kind| matches!(kind, Kind::Anchor | Kind::Alias);
    let token = [Some(offset), offset.checked_sub(1)]
        .into_iter()
        .flatten()
        .find_map(|offset| tree.token_at(offset).filter(|token| is_one(token.kind()) && token.range().start <= offset));
    let anchor = token.and_then(|token| match token.kind() {
        Kind::Anchor => Some(token),
        _ => anchors::anchor_of(&tree, &text, token),
    });
    let Some(anchor) = anchor else { return Vec::new() };
    let aliases = anchors::aliases_of(&tree, &text, anchor);
    if aliases.is_empty() || anchor.range().len() < 2 {
        return Vec::new();
    }
    let name = |range: Range<usize>| range.start + 1..range.end;
    std::iter::once(anchor.range()).chain(aliases.into_iter().map(|alias| alias.range())).map(name).collect()
}
