//! Folding ranges: the lines that can be collapsed.

use crate::starlark::{blocks, loads};
use lofting_annotation::{CommentKind, read_comment};
use lofting_document::FileId;
use lofting_syntax::{Document, Kind, Node, Token, Tree};
use lofting_text::Text;
use lofting_workspace::Snapshot;

#[cfg(test)]
mod tests;

/// The kind of a fold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FoldKind {
    /// A collection, document or text of several lines.
    Region,
    /// A run of comments.
    Comment,
    /// The loads of a file.
    Imports,
}

/// Lines (from 0) that fold into the first of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fold {
    /// The line that stays visible.
    pub start_line: usize,
    /// The last line that is hidden.
    pub end_line: usize,
    /// Its kind.
    pub kind: FoldKind,
}

/// The maximum number of folds that are listed.
const MAX_FOLDS: usize = 20_000;

/// The folds of a file, in order.
pub fn folding_ranges(snapshot: &Snapshot, file: FileId) -> Vec<Fold> {
    let tree = snapshot.tree(file);
    let text = snapshot.text(file);
    let mut folds: Vec<Fold> =
        nodes_of_several_lines(&tree).filter_map(|node| fold_of(&text, node)).take(MAX_FOLDS).collect();
    folds.extend(comment_folds(&tree, &text));
    folds.extend(marked_folds(&tree, &text));
    folds.extend(code_folds(snapshot, file, &text));
    folds.sort_by_key(|fold| (fold.start_line, std::cmp::Reverse(fold.end_line)));
    folds.dedup_by_key(|fold| fold.start_line);
    folds
}

/// The nodes that may have several lines. Entries on one line, which are most of a file, are not looked into.
fn nodes_of_several_lines(tree: &Tree) -> impl Iterator<Item = Node<'_>> {
    let mut open = vec![tree.root().nodes()];
    std::iter::from_fn(move || {
        while let Some(nodes) = open.last_mut() {
            match nodes.find(|node| node.green().is_some()) {
                Some(node) => {
                    open.push(node.nodes());
                    return Some(node);
                }
                None => {
                    open.pop();
                }
            }
        }
        None
    })
}

fn fold_of(text: &Text, node: Node<'_>) -> Option<Fold> {
    let folds = [Kind::Document, Kind::MapEntry, Kind::SeqEntry, Kind::FlowMap, Kind::FlowSeq];
    if !folds.contains(&node.kind()) {
        return None;
    }
    if Document::cast(node).is_some_and(|document| document.start_marker().is_none()) {
        return None;
    }
    let start = node.range().start;
    let end = node.content_end();
    let (start_line, end_line) = (text.line_of(start), text.line_of(end.saturating_sub(1).max(start)));
    (end_line > start_line).then_some(Fold { start_line, end_line, kind: FoldKind::Region })
}

/// To readers, code and annotations are not comments.
fn is_prose(token: &Token<'_>) -> bool {
    let (text, start) = (token.text(), token.range().start);
    !matches!(read_comment(&text, start).kind, CommentKind::Annotation(_) | CommentKind::Code { .. })
}

/// Blocks of code up to their end, which stays visible, and runs of loads.
fn code_folds(snapshot: &Snapshot, file: FileId, text: &Text) -> Vec<Fold> {
    let fold = |start_line: usize, end_line: usize, kind: FoldKind| {
        (end_line > start_line).then_some(Fold { start_line, end_line, kind })
    };
    let block = |block: std::ops::Range<usize>| {
        let end = text.line_of(block.end).checked_sub(1)?;
        fold(text.line_of(block.start), end, FoldKind::Region)
    };
    let mut folds: Vec<Fold> = blocks(snapshot, file).into_iter().filter_map(block).collect();
    let loads = loads(snapshot, file).into_iter().map(|load| (text.line_of(load.start), text.line_of(load.end)));
    folds.extend(joined(loads).filter_map(|(start, end)| fold(start, end, FoldKind::Imports)));
    folds
}

/// Comments on lines one after the other.
fn comment_folds(tree: &Tree, text: &Text) -> Vec<Fold> {
    let lines = tree.comments().filter(is_prose).map(|comment| text.line_of(comment.range().start));
    let folds = joined(lines.map(|line| (line, line))).filter(|(start, end)| end > start);
    let fold = |(start_line, end_line)| Fold { start_line, end_line, kind: FoldKind::Comment };
    folds.map(fold).take(MAX_FOLDS).collect()
}

/// What is between comments `#region` and `#endregion`, with both lines.
fn marked_folds(tree: &Tree, text: &Text) -> Vec<Fold> {
    let mut folds = Vec::new();
    let mut open = Vec::new();
    for comment in tree.comments() {
        let written = comment.text();
        let word = written.trim_start_matches('#').split_whitespace().next();
        let line = || text.line_of(comment.range().start);
        match word {
            Some("region") => open.push(line()),
            Some("endregion") => {
                let (start, end_line) = (open.pop(), line());
                folds.extend(start.map(|start_line| Fold { start_line, end_line, kind: FoldKind::Region }));
            }
            _ => {}
        }
        if folds.len() >= MAX_FOLDS {
            break;
        }
    }
    folds.retain(|fold| fold.end_line > fold.start_line);
    folds
}

/// Ranges of lines, each with those that follow it without a line between them. The ranges are in order.
fn joined(ranges: impl Iterator<Item = (usize, usize)>) -> impl Iterator<Item = (usize, usize)> {
    let mut ranges = ranges.peekable();
    std::iter::from_fn(move || {
        let (first, mut last) = ranges.next()?;
        while let Some((_, end)) = ranges.next_if(|(start, _)| last + 1 >= *start) {
            last = last.max(end);
        }
        Some((first, last))
    })
}
