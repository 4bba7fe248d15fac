//! Comments on the lines of items that aliases copy (docs/ytt.md 4.4).
//!
//! ytt finds the node of a comment by its line, and a copy has the line of its original. A comment after an item
//! belongs to the last node on its line, which is the last copy. So a file with such comments is lowered twice: the
//! first pass counts the copies.

use super::Lower;
use crate::Notes;
use crate::ownership::OwnedComment;
use rustc_hash::FxHashMap;

/// The copies of items that are followed by a comment on their line.
#[derive(Default)]
pub(super) struct Copies {
    /// By the number of the comment: how many copies were met since its original.
    met: FxHashMap<usize, usize>,
    /// By the number of the comment: which copy owns it, counted in the same way. Known in the second pass.
    owners: FxHashMap<usize, usize>,
    /// Where the line of each comment begins; computed on first use.
    lines: Option<Vec<usize>>,
}

impl Copies {
    /// The owners, known after the first pass; None if there are no copies.
    pub(super) fn known(&mut self) -> Option<Copies> {
        let owners = std::mem::take(&mut self.met);
        (!owners.is_empty()).then(|| Copies { owners, lines: self.lines.take(), ..Copies::default() })
    }

    /// Whether a copy that is still to come owns a comment.
    pub(super) fn own(&self, comment: usize) -> bool {
        self.owners.contains_key(&comment)
    }

    /// Notes that the original was met: copies met before belong to an earlier anchor.
    pub(super) fn original(&mut self, comment: usize) {
        self.met.remove(&comment);
    }
}

impl Lower<'_> {
    /// The comment after a copied item that begins at `offset`, if this is the last copy.
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
        let is_after = comments.get(index).is_some_and(|comment| comment.same_line)
            && lines.get(index).is_some_and(|line| *line <= offset);
        if !is_after {
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

/// The offset at which the line of each comment begins.
fn lines(text: &str, comments: &[OwnedComment]) -> Vec<usize> {
    let line = |comment: &OwnedComment| {
        let before = text.get(..comment.range.start).unwrap_or_default();
        before.rfind(['\n', '\r']).map_or(0, |at| at + 1)
    };
    comments.iter().map(line).collect()
}
