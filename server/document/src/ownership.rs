//! Which node owns which comment: ytt's rule, implemented only here (docs/ytt.md 5.2).
//!
//! Comments belong to nodes by line, never by indentation. A comment belongs to the last node that begins on its own
//! line, else to the first node on the nearest line below, else to ytt's invisible end document.

use lofting_syntax::{Element, Event, Kind, Node, Tree};
use std::ops::Range;

/// The kinds of nodes that can own comments. Maps, arrays and scalars cannot.
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
    /// The comment stands on the same line, after its owner.
    pub same_line: bool,
    /// The node that owns it; `None` after the last node of the file.
    pub owner: Option<Owner>,
}

/// All comments with their owners, in the order of the text.
#[derive(Debug, Clone, Default)]
pub struct Owners {
    comments: Vec<OwnedComment>,
}

impl Owners {
    /// All comments.
    pub fn comments(&self) -> &[OwnedComment] {
        &self.comments
    }

    /// The comment that contains a byte offset or ends there.
    pub fn at(&self, offset: usize) -> Option<&OwnedComment> {
        let index = self.comments.partition_point(|comment| comment.range.end < offset);
        self.comments.get(index).filter(|comment| comment.range.start <= offset)
    }

    /// The comments a node owns, in order.
    pub fn owned_by(&self, owner: Owner) -> &[OwnedComment] {
        // Owners only move forward along the comments, and `None` comes only at the end.
        let offset = |comment: &OwnedComment| comment.owner.map_or(usize::MAX, |owner| owner.offset);
        let start = self.comments.partition_point(|comment| offset(comment) < owner.offset);
        let here = self.comments.get(start..).unwrap_or(&[]);
        let skipped = here.iter().take_while(|comment| offset(comment) == owner.offset && comment.owner != Some(owner));
        let here = here.get(skipped.count()..).unwrap_or(&[]);
        here.get(..run(here, owner)).unwrap_or(&[])
    }

    /// Like [`Owners::owned_by`], for callers that ask for nodes in document order: `cursor` begins at 0 and moves past
    /// what was returned.
    pub(crate) fn next_owned_by(&self, owner: Owner, cursor: &mut usize) -> Range<usize> {
        let passed = |comment: &&OwnedComment| comment.owner.is_some_and(|other| other.offset < owner.offset);
        *cursor += self.comments.get(*cursor..).unwrap_or(&[]).iter().take_while(passed).count();
        let here = self.comments.get(*cursor..).unwrap_or(&[]);
        let start = *cursor;
        *cursor += run(here, owner);
        start..*cursor
    }
}

/// How many of the first comments belong to `owner`.
fn run(comments: &[OwnedComment], owner: Owner) -> usize {
    comments.iter().take_while(|comment| comment.owner == Some(owner)).count()
}

/// Finds the owner of every comment of a file.
pub fn owners(tree: &Tree) -> Owners {
    let comments: Vec<Range<usize>> = tree.comments().map(|token| token.range()).collect();
    if comments.is_empty() {
        return Owners::default();
    }
    let mut finder = Finder { tree, comments, next: 0, last: None, fresh: false, owned: Vec::new(), proposed: false };
    for document in tree.documents() {
        // A document without marker begins above its first line, as if `---` stood there, so no comments are left for
        // it to own.
        if let Some(marker) = document.start_marker() {
            let owner = Owner { kind: OwnerKind::Document, offset: marker.range().start };
            finder.node(owner);
            finder.proposed = finder.is_proposal(owner);
        }
        finder.below(document.node());
    }
    finder.finish()
}

/// Walks along nodes and comments together.
struct Finder<'t> {
    tree: &'t Tree,
    comments: Vec<Range<usize>>,
    /// The first comment whose owner is not known yet.
    next: usize,
    /// The last node met.
    last: Option<Owner>,
    /// No comment was met after that node yet. A comment runs to the end of its line, so only the first comment after a
    /// node can share its line.
    fresh: bool,
    owned: Vec<OwnedComment>,
    /// The document is a schema of one of ytt's design proposals, where a comment between an item's key or dash and its
    /// scalar belongs to the item.
    proposed: bool,
}

impl<'t> Finder<'t> {
    fn below(&mut self, node: Node<'t>) {
        for event in node.walk() {
            match event {
                Event::Enter(node) if node.kind() == Kind::MapEntry => self.item(OwnerKind::MapItem, node),
                Event::Enter(node) if node.kind() == Kind::SeqEntry => self.item(OwnerKind::ArrayItem, node),
                _ => {}
            }
        }
    }

    fn item(&mut self, kind: OwnerKind, node: Node<'t>) {
        let owner = Owner { kind, offset: node.range().start };
        self.node(owner);
        if self.proposed && !node.children().any(|child| matches!(child, Element::Node(_))) {
            let end = node.range().end;
            while self.comments.get(self.next).is_some_and(|comment| comment.start < end) {
                self.settle(Some(owner));
            }
        }
    }

    /// Whether a document's annotations make it a schema of a proposal.
    fn is_proposal(&self, owner: Owner) -> bool {
        let is_head = |comment: &&OwnedComment| {
            let text = self.tree.text(comment.range.clone());
            let name = text.strip_prefix("#@").and_then(|text| text.split_ascii_whitespace().next());
            name.is_some_and(|name| name != "data/values-schema" && crate::SCHEMA_HEADS.contains(&name))
        };
        self.owned.iter().rev().take_while(|comment| comment.owner == Some(owner)).any(|comment| is_head(&comment))
    }

    fn node(&mut self, owner: Owner) {
        // Comments before this node that do not share a line with the last one belong to this node.
        while self.comments.get(self.next).is_some_and(|comment| comment.start < owner.offset) {
            self.settle(Some(owner));
        }
        self.last = Some(owner);
        self.fresh = true;
    }

    /// Gives the next comment to the last node if they share a line, else to `below`.
    fn settle(&mut self, below: Option<Owner>) {
        let Some(range) = self.comments.get(self.next).cloned() else { return };
        self.next += 1;
        let line_owner = self.last.filter(|last| self.fresh && !has_break(self.tree, last.offset..range.start));
        self.fresh = false;
        self.owned.push(OwnedComment { range, same_line: line_owner.is_some(), owner: line_owner.or(below) });
    }

    fn finish(mut self) -> Owners {
        while self.next < self.comments.len() {
            self.settle(None);
        }
        Owners { comments: self.owned }
    }
}

fn has_break(tree: &Tree, range: Range<usize>) -> bool {
    tree.text(range).bytes().any(|byte| byte == b'\n' || byte == b'\r')
}
