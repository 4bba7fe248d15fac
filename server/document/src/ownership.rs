//! Which node owns which comment: ytt's rule, in one place (ytt reference 5.2).
//!
//! Comments belong to nodes by line, never by indentation: a comment belongs to the last node that
//! begins on its own line, else to the first node on the nearest line below, else to nothing that can
//! be seen (ytt's invisible end document).

use lofting_syntax::{Tree, Value};
use std::ops::Range;

/// Collections nested deeper own no comments; far beyond what people write, and it bounds the stack.
pub(crate) const DEPTH_LIMIT: usize = 400;

/// The kinds of nodes that can own comments. Maps, arrays and scalars can not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OwnerKind {
    /// A document, at its `---` or, without one, at its content.
    Document,
    /// A map item, at its key.
    MapItem,
    /// An array item, at its dash or, in flow style, at its value.
    ArrayItem,
}

/// A node that can own comments, named by its kind and where it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Owner {
    /// The kind of node.
    pub kind: OwnerKind,
    /// First byte of the key, the dash, the flow item or the `---`.
    pub offset: usize,
}

/// A comment with its owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnedComment {
    /// From `#` to the line end.
    pub range: Range<usize>,
    /// The comment stands behind its owner on the same line.
    pub same_line: bool,
    owner: Option<u32>,
}

/// All nodes that can own comments and all comments, both in the order of the text.
#[derive(Debug, Clone, Default)]
pub struct Owners {
    nodes: Vec<Owner>,
    comments: Vec<OwnedComment>,
}

impl Owners {
    /// All comments.
    pub fn comments(&self) -> &[OwnedComment] {
        &self.comments
    }

    /// The node that owns `comment`; `None` behind the last node of the file.
    pub fn owner(&self, comment: &OwnedComment) -> Option<Owner> {
        comment.owner.and_then(|index| self.nodes.get(index as usize)).copied()
    }

    /// The comment at a byte offset (its end included) and the node that owns it.
    pub fn at(&self, offset: usize) -> Option<(&OwnedComment, Option<Owner>)> {
        let index = self.comments.partition_point(|comment| comment.range.end < offset);
        let comment = self.comments.get(index).filter(|comment| comment.range.start <= offset)?;
        Some((comment, self.owner(comment)))
    }

    /// The comments a node owns, in order.
    pub fn owned_by(&self, owner: Owner) -> &[OwnedComment] {
        let first = self.nodes.partition_point(|node| node.offset < owner.offset);
        let same = self.nodes[first..].iter().take_while(|node| node.offset == owner.offset);
        let Some(index) = same.enumerate().find(|(_, node)| node.kind == owner.kind).map(|(index, _)| (first + index) as u32)
        else {
            return &[];
        };
        // Owners never go backwards along the comments, and "none" only comes at the end.
        let key = |comment: &OwnedComment| comment.owner.unwrap_or(u32::MAX);
        let start = self.comments.partition_point(|comment| key(comment) < index);
        let end = self.comments.partition_point(|comment| key(comment) <= index);
        &self.comments[start..end]
    }
}

/// Finds the owner of every comment of a file.
pub fn owners(tree: &Tree) -> Owners {
    let comments: Vec<Range<usize>> = tree.comments().map(|token| token.range()).collect();
    if comments.is_empty() {
        return Owners::default();
    }
    let mut nodes = Vec::new();
    for document in tree.documents() {
        // A document without marker stands above its first line (as if `---` were put before it), so
        // that nothing is left for it to own.
        if let Some(marker) = document.start_marker() {
            nodes.push(Owner { kind: OwnerKind::Document, offset: marker.range().start });
        }
        if let Some(root) = document.root() {
            collect(root, 0, &mut nodes);
        }
    }
    let mut owned = Vec::with_capacity(comments.len());
    let mut next = 0;
    // A comment runs to the line end: of several comments behind a node only the first can share its line.
    let mut fresh = false;
    for range in comments {
        while nodes.get(next).is_some_and(|node| node.offset < range.start) {
            next += 1;
            fresh = true;
        }
        let same_line = fresh && next > 0 && !has_break(tree, nodes[next - 1].offset..range.start);
        fresh = false;
        let owner = if same_line { Some(next - 1) } else { Some(next).filter(|next| *next < nodes.len()) };
        owned.push(OwnedComment { range, same_line, owner: owner.map(|index| index as u32) });
    }
    Owners { nodes, comments: owned }
}

fn has_break(tree: &Tree, range: Range<usize>) -> bool {
    tree.text(range).bytes().any(|byte| byte == b'\n' || byte == b'\r')
}

fn collect(value: Value<'_>, depth: usize, nodes: &mut Vec<Owner>) {
    if depth > DEPTH_LIMIT {
        return;
    }
    if let Some(map) = value.map() {
        for entry in map.entries() {
            nodes.push(Owner { kind: OwnerKind::MapItem, offset: entry.range().start });
            if let Some(key) = entry.key() {
                collect(key, depth + 1, nodes);
            }
            collect(entry.value(), depth + 1, nodes);
        }
    } else if let Some(seq) = value.seq() {
        for item in seq.items() {
            nodes.push(Owner { kind: OwnerKind::ArrayItem, offset: item.range().start });
            collect(item.value(), depth + 1, nodes);
        }
    }
}
