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
        // An editor rejects all of them if one does not hold the position.
        if wider && !range.is_empty() && range.start <= offset && offset <= range.end {
            ranges.push(range);
        }
    };
    let words = |at: usize| {
        tree.token_at(at).filter(|token| !matches!(token.kind(), Kind::Newline | Kind::Whitespace | Kind::BlockBody))
    };
    // At the end of a word, that one is meant.
    if let Some(token) = words(offset).or_else(|| words(offset.checked_sub(1)?)) {
        add(token.range());
        if token.kind() == Kind::Comment {
            let text = snapshot.text(file);
            let line = text.line_range(text.line_of(offset));
            let blank =
                text.slice(line.clone()).chars().take_while(|c| c.is_whitespace()).map(char::len_utf8).sum::<usize>();
            add(line.start + blank..token.range().end);
        }
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
