//! Comments behind items that aliases copy (docs/ytt.md 4.4).
//!
//! ytt finds the node of a comment by line, and a copy has the line of its original. A comment behind an item belongs to
//! the last node of its line, which is the last copy. So a file with such comments is read twice: the first time tells
//! how many copies there are.

use super::Lower;
use crate::Notes;
use crate::ownership::OwnedComment;
use rustc_hash::FxHashMap;

/// Copies of items on lines with a comment behind them.
#[derive(Default)]
pub(super) struct Copies {
    /// By the number of the comment, how many were met since the original that would own it.
    met: FxHashMap<usize, usize>,
    /// The copy that owns the comment, counted in the same way; known the second time.
    owners: FxHashMap<usize, usize>,
    /// Where the line of each comment begins, once it was asked for.
    lines: Option<Vec<usize>>,
}

impl Copies {
    /// What is known once all was read, if there is any copy.
    pub(super) fn known(&mut self) -> Option<Copies> {
        let owners = std::mem::take(&mut self.met);
        (!owners.is_empty()).then(|| Copies { owners, lines: self.lines.take(), ..Copies::default() })
    }

    /// Whether a copy owns a comment that was not met yet.
    pub(super) fn own(&self, comment: usize) -> bool {
        self.owners.contains_key(&comment)
    }

    /// The original is met that would own a comment: what was copied before stands before it.
    pub(super) fn original(&mut self, comment: usize) {
        self.met.remove(&comment);
    }
}

impl Lower<'_> {
    /// The comment behind a copied item that begins at `offset`, if no later copy has it.
    pub(super) fn notes_of_copy(&mut self, offset: usize) -> Notes {
        let comments = self.owners.comments();
        if comments.is_empty() || !self.is_template {
            return Notes::default();
        }
        let index = comments.partition_point(|comment| comment.range.start < offset);
        let lines = self.copies.lines.get_or_insert_with(|| {
            let text = self.tree.text(0..self.tree.len());
            lines(&text, comments)
        });
        let is_behind = comments.get(index).is_some_and(|comment| comment.same_line)
            && lines.get(index).is_some_and(|line| *line <= offset);
        if !is_behind {
            return Notes::default();
        }
        let met = self.copies.met.entry(index).or_default();
        *met += 1;
        if self.copies.owners.get(&index) != Some(met) {
            return Notes::default();
        }
        self.copies.owners.remove(&index);
        self.notes_of(index..index + 1)
    }
}

/// Where the line of each comment begins.
fn lines(text: &str, comments: &[OwnedComment]) -> Vec<usize> {
    let line = |comment: &OwnedComment| {
        let before = text.get(..comment.range.start).unwrap_or_default();
        before.rfind(['\n', '\r']).map_or(0, |at| at + 1)
    };
    comments.iter().map(line).collect()
}
