//! Selection ranges: what "expand selection" selects, step by step.

use lofting_document::FileId;
use lofting_syntax::{Entry, Item, Kind};
use lofting_workspace::Snapshot;
use std::ops::Range;

#[cfg(test)]
mod tests;

/// Nested ranges (bytes) around `offset`, innermost first.
pub fn selection_ranges(snapshot: &Snapshot, file: FileId, offset: usize) -> Vec<Range<usize>> {
    let tree = snapshot.tree(file);
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut add = |range: Range<usize>| {
        let wider =
            ranges.last().is_none_or(|last| range != *last && range.start <= last.start && last.end <= range.end);
        if wider && !range.is_empty() {
            ranges.push(range);
        }
    };
    if let Some(token) = tree.token_at(offset).filter(|token| !matches!(token.kind(), Kind::Newline | Kind::Whitespace))
    {
        add(token.range());
    }
    for node in tree.path_at(offset).into_iter().rev() {
        let start = node.range().start;
        let value = Entry::cast(node).map(|entry| entry.value()).or_else(|| Item::cast(node).map(|item| item.value()));
        if let Some(value) = value.map(|value| value.range()).filter(|value| value.contains(&offset)) {
            add(value);
        }
        add(start..node.content_end().max(start));
    }
    add(0..tree.len());
    ranges
}
