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

/// More folds than this are not listed.
const MAX_FOLDS: usize = 20_000;

/// The folds of a file, in order.
pub fn folding_ranges(snapshot: &Snapshot, file: FileId) -> Vec<Fold> {
    let tree = snapshot.tree(file);
    let text = snapshot.text(file);
    let mut folds: Vec<Fold> =
        nodes_of_several_lines(&tree).filter_map(|node| fold_of(&text, node)).take(MAX_FOLDS).collect();
    folds.extend(comment_folds(&tree, &text));
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
    if !matches!(node.kind(), Kind::Document | Kind::MapEntry | Kind::SeqEntry) {
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
    let mut run: Option<(usize, usize)> = None;
    for load in loads(snapshot, file) {
        let (first, last) = (text.line_of(load.start), text.line_of(load.end));
        run = Some(match run {
            Some((start, end)) if end + 1 >= first => (start, last.max(end)),
            other => {
                folds.extend(other.and_then(|(start, end)| fold(start, end, FoldKind::Imports)));
                (first, last)
            }
        });
    }
    folds.extend(run.and_then(|(start, end)| fold(start, end, FoldKind::Imports)));
    folds
}

/// Comments on lines one after the other.
fn comment_folds(tree: &Tree, text: &Text) -> Vec<Fold> {
    let mut folds = Vec::new();
    let mut run: Option<(usize, usize)> = None;
    for comment in tree.comments().filter(is_prose) {
        let line = text.line_of(comment.range().start);
        run = Some(match run {
            Some((first, last)) if last + 1 == line => (first, line),
            other => {
                folds.extend(comment_fold(other));
                (line, line)
            }
        });
        if folds.len() >= MAX_FOLDS {
            break;
        }
    }
    folds.extend(comment_fold(run));
    folds
}

fn comment_fold(lines: Option<(usize, usize)>) -> Option<Fold> {
    let (start_line, end_line) = lines?;
    (end_line > start_line).then_some(Fold { start_line, end_line, kind: FoldKind::Comment })
}
