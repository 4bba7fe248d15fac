//! The incremental part: reuses entries and documents (and whole groups of them) from the old tree.
//!
//! After an edit the new text is parsed from the start. Where an entry is expected and the old tree has an entry at the
//! same place, of a collection of the same kind and column, and neither its text nor the text after it that was looked
//! at was edited, the old entry is reused. The same is done with documents. So the result equals that of a full parse, by construction and for any edit.
//! The cost is that of the path to the edit, because long collections consist of groups, which are reused as a whole.

use super::{DEEPEST, Parser};
use crate::green::{Child, Green, GreenChildren, GreenNode, flag};
use crate::kind::Kind;
use std::ops::Range;
use std::sync::Arc;

/// A position in the old tree; only moves forward.
pub(super) struct Reuse<'a> {
    levels: Vec<Level<'a>>,
    /// The bytes of the old text that were replaced.
    edit: Range<usize>,
    new_len: usize,
}

struct Level<'a> {
    end: usize,
    /// The child at `start`, and those after it.
    child: Option<Child<'a>>,
    start: usize,
    rest: GreenChildren<'a>,
    /// Kind of the collection the children belong to.
    collection: Kind,
}

impl<'a> Level<'a> {
    fn new(node: &'a Arc<Green>, start: usize, outer: Kind) -> Level<'a> {
        let collection = if node.kind == Kind::Group { outer } else { node.kind };
        let mut rest = node.children();
        let child = rest.next();
        Level { end: start + node.len as usize, child, start, rest, collection }
    }
}

impl<'a> Reuse<'a> {
    pub(super) fn new(root: &'a Arc<Green>, edit: Range<usize>, new_len: usize) -> Reuse<'a> {
        let levels = vec![Level::new(root, 0, Kind::Stream)];
        Reuse { levels, edit, new_len }
    }

    /// The offset in the old text of an offset in the new one; `None` inside inserted text.
    fn old(&self, offset: usize) -> Option<usize> {
        if offset >= self.edit.start + self.new_len {
            Some(offset - self.new_len + self.edit.len())
        } else {
            (offset < self.edit.start).then_some(offset)
        }
    }

    /// The largest old node that begins at `offset` (of the new text) and satisfies `fits`, which also gets the kind of
    /// the collection that the node belongs to.
    fn find(&mut self, offset: usize, fits: impl Fn(GreenNode<'_>, Kind) -> bool) -> Option<GreenNode<'a>> {
        let old = self.old(offset)?;
        while self.levels.len() > 1 && self.levels.last().is_some_and(|level| level.end <= old) {
            self.levels.pop();
        }
        loop {
            let level = self.levels.last_mut()?;
            let child = level.child?;
            if level.start + child.len() <= old {
                level.start += child.len();
                level.child = level.rest.next();
                continue;
            }
            let Child::Node(node) = child else { return None };
            let start = level.start;
            let collection = level.collection;
            if start > old {
                return None;
            }
            let seen = start + node.len() + node.lookahead() as usize;
            let untouched = start >= self.edit.end || seen <= self.edit.start;
            if start == old && untouched && fits(node, collection) {
                return Some(node);
            }
            // The parts of a one-line entry cannot be reused separately.
            let GreenNode::Shared(node) = node else { return None };
            let inner = Level::new(node, start, collection);
            self.levels.push(inner);
        }
    }
}

impl Parser<'_> {
    /// Reuses an old entry, or a group of them, for the innermost open collection, if one begins at the current
    /// position. `column` is the entry's; it may differ from the collection's, see below.
    pub(super) fn take_over(&mut self, column: usize) -> bool {
        self.look_ahead();
        let Some(frame) = self.frames.last() else { return false };
        let Some(reuse) = self.reuse.as_mut() else { return false };
        let (kind, own_column) = (frame.kind, frame.column);
        let flow = matches!(kind, Kind::FlowMap | Kind::FlowSeq);
        if !flow && own_column > column as i64 {
            return false;
        }
        let levels_left = DEEPEST - self.depth.min(DEEPEST);
        let found = reuse.find(self.pos, |node, collection| {
            collection == kind
                && node.column() as usize == column
                && node.flags() & (flag::EXACT | flag::DEEP) == flag::EXACT
                && usize::from(node.height()) <= levels_left
        });
        let Some(node) = found else { return false };
        let end = self.pos + node.len();
        if !flow && own_column != column as i64 {
            // The old entry was at its collection's column, the new one would be deeper. That makes a difference only
            // for a following line between the two columns.
            let between = self
                .peek_from(end)
                .is_some_and(|below| !below.marker && below.column != column && below.column as i64 > own_column);
            if between {
                return false;
            }
        }
        self.add_old(node);
        // A block entry ends after a line break (or at the end of the text).
        self.line_start = if flow { self.input.line_start(end) } else { end };
        true
    }

    /// Reuses an old document, or a group of them, if one begins at the current position.
    pub(super) fn take_over_document(&mut self) -> bool {
        self.look_ahead();
        let Some(reuse) = self.reuse.as_mut() else { return false };
        let found = reuse.find(self.pos, |node, collection| {
            collection == Kind::Stream && node.flags() & (flag::EXACT | flag::DEEP) == flag::EXACT
        });
        let Some(node) = found else { return false };
        self.add_old(node);
        // A document ends before a marker, after the line of one, or with the text.
        self.line_start = self.pos;
        true
    }

    /// Adds an old node, which begins at the current position, to the innermost open one.
    fn add_old(&mut self, node: GreenNode<'_>) {
        self.pos += node.len();
        self.input.look_to(self.pos + node.lookahead() as usize);
        match node {
            GreenNode::Shared(node) => self.add_node(node.clone()),
            GreenNode::Line(line) => self.add_line(line),
        }
    }
}
