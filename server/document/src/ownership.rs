//! Which node owns which comment: ytt's rule, implemented only here (docs/ytt.md 5.2).
//!
//! Comments belong to nodes by line, never by indentation. A comment belongs to the last node that begins on its own
//! line, else to the first node on the nearest line below, else to ytt's invisible end document.

use lofting_syntax::{CommentReader, Element, Kind, Node, Tree};
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

impl OwnerKind {
    /// ytt's word for it.
    pub fn name(self) -> &'static str {
        match self {
            OwnerKind::Document => "document",
            OwnerKind::MapItem => "map item",
            OwnerKind::ArrayItem => "array item",
        }
    }
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
    /// The comment is on the line of its owner, after it.
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

    /// The comments that a node owns, by index. Nodes have to be given in document order: `cursor` begins at 0 and
    /// moves past what was returned.
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
    let mut finder = Finder::new(tree, comments);
    for document in tree.documents() {
        // A document without marker begins above its first line, as if `---` were written there, so no comments are left for
        // it to own.
        if let Some(marker) = document.start_marker() {
            finder.document(Owner { kind: OwnerKind::Document, offset: marker.range().start });
        }
        finder.below(document.node());
    }
    finder.finish()
}

/// The comments that documents own, at their `---`: found by the same rule, from the lines around these alone.
pub(crate) fn head_owners(tree: &Tree) -> Owners {
    let mut finder = Finder::new(tree, Vec::new());
    // Comments before this offset have met their owners.
    let mut settled = 0;
    // The item before the marker, which a comment may follow on its line.
    let mut before = None;
    for document in tree.documents() {
        if let Some(marker) = document.start_marker().map(|token| token.range()) {
            let from = before.map_or(settled, |(_, item): (OwnerKind, Node<'_>)| settled.max(item.range().start));
            finder.comments.extend(tree.comments_in(from..marker.start).map(|token| token.range()));
            if let Some((kind, item)) = before.take() {
                finder.item(kind, item);
            }
            finder.document(Owner { kind: OwnerKind::Document, offset: marker.start });
            settled = marker.end;
            if let Some(after) = tree.comments_in(marker.end..document.range().end).next().map(|token| token.range())
                && first_item(document.node()).is_none_or(|item| after.start < item.range().start)
                && !has_break(tree, marker.start..after.start)
            {
                settled = after.end;
                finder.comments.push(after);
                finder.settle(None);
            }
        }
        before = last_item(document.node()).or(before);
    }
    Owners { comments: finder.owned }
}

/// The comments of an entry or item of a block, by the same rule, from the lines around its beginning alone: those on
/// the lines directly above and the one beside it. Comments inside its value, before a scalar on a line of its own, are
/// those of a later item; this does not look for them.
pub(crate) fn comments_of(item: Node<'_>) -> impl Iterator<Item = Range<usize>> {
    let (tree, start) = (item.tree(), item.range().start);
    above(tree, start).into_iter().flatten().chain(beside(item))
}

/// The owners of the comments of an entry or item of a block and of all that is in it.
pub(crate) fn owners_in(item: Node<'_>) -> Owners {
    let (tree, range) = (item.tree(), item.range());
    let own = above(tree, range.start).into_iter().flatten();
    let inside = tree.comments_in(range.clone()).map(|token| token.range());
    let mut finder = Finder::new(tree, own.chain(inside).collect());
    finder.item(kind_of(item), item);
    finder.below(item);
    finder.finish()
}

/// The comments on the lines directly above an item; None if there are none or if its line begins with another item.
fn above(tree: &Tree, start: usize) -> Option<impl Iterator<Item = Range<usize>>> {
    let line = tree.line_start(start);
    let is_first = tree.text(line..start).bytes().all(|byte| matches!(byte, b' ' | b'\t'));
    let (mut top, mut any) = (line, false);
    while is_first && top > 0 {
        let previous = tree.line_start(top - 1);
        let text = tree.text(previous..top);
        let text = text.trim_ascii();
        if !(text.is_empty() || text.starts_with('#')) {
            break;
        }
        any |= !text.is_empty();
        top = previous;
    }
    any.then(|| tree.comments_in(top..line).map(|token| token.range()))
}

/// The comment on the line on which an item begins, if no other item begins on this line after it.
fn beside(item: Node<'_>) -> Option<Range<usize>> {
    if !item.has_comments() || item.one_line().is_some() {
        return None;
    }
    let mut reader = CommentReader::default();
    for child in item.children() {
        let Element::Token(token) = child else { return None };
        if reader.is_comment(token.kind()) {
            return Some(token.range()).filter(|range| !has_break(item.tree(), item.range().start..range.start));
        }
    }
    None
}

/// The item that begins first in a node.
fn first_item(node: Node<'_>) -> Option<Node<'_>> {
    let mut open = vec![node.children()];
    while let Some(children) = open.last_mut() {
        match children.next() {
            Some(Element::Node(node)) if is_item(node) => return Some(node),
            Some(Element::Node(node)) => open.push(node.children()),
            Some(Element::Token(_)) => {}
            None => {
                open.pop();
            }
        }
    }
    None
}

/// The item that begins last in a node.
fn last_item(node: Node<'_>) -> Option<(OwnerKind, Node<'_>)> {
    // Explicitly, as documents can be nested deeper than threads have stack. Parents wait below their children.
    let mut open = vec![(node, false)];
    while let Some((node, is_walked)) = open.pop() {
        if is_walked {
            if is_item(node) {
                return Some((kind_of(node), node));
            }
            continue;
        }
        open.push((node, true));
        // Of a long collection mostly the end is enough.
        let at_end = node.children_from(node.range().end);
        let has_item = at_end.clone().any(|child| matches!(child, Element::Node(node) if is_item(node)));
        let children = if has_item { at_end } else { node.children() };
        open.extend(children.filter_map(|child| match child {
            Element::Node(node) => Some((node, false)),
            Element::Token(_) => None,
        }));
    }
    None
}

/// An entry `<<: value` is not an item: ytt has read the items of the value in its place before it looks at comments.
fn is_item(node: Node<'_>) -> bool {
    match node.kind() {
        Kind::MapEntry => !is_merge(node),
        kind => kind == Kind::SeqEntry,
    }
}

/// The kind of an item.
fn kind_of(item: Node<'_>) -> OwnerKind {
    if item.kind() == Kind::MapEntry { OwnerKind::MapItem } else { OwnerKind::ArrayItem }
}

fn is_merge(entry: Node<'_>) -> bool {
    let first = entry.children().find(|child| !matches!(child, Element::Token(token) if token.kind().is_trivia()));
    matches!(first, Some(Element::Token(token)) if token.kind() == Kind::Plain && token.range().len() == 2 && token.text() == "<<")
}

/// Walks along nodes and comments together.
struct Finder<'t> {
    tree: &'t Tree,
    comments: Vec<Range<usize>>,
    /// The first comment whose owner is not known yet.
    next: usize,
    /// The last node met.
    last: Option<Owner>,
    /// What was passed after that node without looking into it. It has items, and no comments.
    passed: Option<Node<'t>>,
    /// No comment was met after that node yet. A comment runs to the end of its line, so only the first comment after a
    /// node can share its line.
    fresh: bool,
    owned: Vec<OwnedComment>,
    /// The document is a schema of one of ytt's design proposals, where a comment between an item's key or dash and its
    /// scalar belongs to the item.
    proposed: bool,
}

impl<'t> Finder<'t> {
    fn new(tree: &'t Tree, comments: Vec<Range<usize>>) -> Self {
        Finder { tree, comments, next: 0, last: None, passed: None, fresh: false, owned: Vec::new(), proposed: false }
    }

    fn document(&mut self, owner: Owner) {
        self.node(owner);
        self.proposed = self.is_proposal(owner);
    }

    fn below(&mut self, node: Node<'t>) {
        // Explicitly, as documents can be nested deeper than threads have stack.
        let mut open = vec![node.parts()];
        while let Some(parts) = open.last_mut() {
            let child = match parts.next() {
                Some(Element::Node(child)) => child,
                Some(Element::Token(_)) => continue,
                None => {
                    open.pop();
                    continue;
                }
            };
            let Some(comment) = self.comments.get(self.next) else { return };
            if comment.start >= child.range().end {
                // Only the item that begins last in it can own the comment.
                if is_item(child) || first_item(child).is_some() {
                    self.passed = Some(child);
                }
                continue;
            }
            if is_item(child) {
                self.item(kind_of(child), child);
            }
            open.push(child.parts());
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

    /// Meets the last item of what was passed.
    fn catch_up(&mut self) {
        if let Some((kind, item)) = self.passed.take().and_then(last_item) {
            self.last = Some(Owner { kind, offset: item.range().start });
            self.fresh = true;
        }
    }

    fn node(&mut self, owner: Owner) {
        self.catch_up();
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
        self.catch_up();
        while self.next < self.comments.len() {
            self.settle(None);
        }
        Owners { comments: self.owned }
    }
}

fn has_break(tree: &Tree, range: Range<usize>) -> bool {
    tree.text(range).bytes().any(|byte| byte == b'\n' || byte == b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;
    use lofting_syntax::Event;

    const LINES: &[&str] = &[
        "---\n",
        "--- #@ data/values\n",
        "--- {a: 1} #@ x\n",
        "--- text #@ x\n",
        "...\n",
        "#@data/values\n",
        "#@schema/definition data_values=True\n",
        "\n",
        "a: 1\n",
        "a: 1 #@ x\n",
        "a:\n",
        "  - b #! x\n",
        "  text #@ x\n",
        "a: [1, #@ x\n",
        "  2] #@ x\n",
        "a: | #@ x\n",
        "<<: *a #@ x\n",
        "<<: {b: 1} #@ x\n",
    ];

    /// All texts with this number of lines.
    fn texts(lines: usize) -> Vec<String> {
        let mut texts = vec![String::new()];
        for _ in 0..lines {
            texts = texts.iter().flat_map(|text| LINES.iter().map(move |line| format!("{text}{line}"))).collect();
        }
        texts
    }

    #[test]
    fn heads_are_what_a_walk_through_the_whole_file_gives_to_documents() {
        for text in (1..=4).flat_map(texts) {
            let tree = lofting_syntax::parse(&text);
            let is_head =
                |comment: &OwnedComment| matches!(comment.owner, Some(Owner { kind: OwnerKind::Document, .. }));
            let mut all = owners(&tree).comments;
            all.retain(is_head);
            let mut heads = head_owners(&tree).comments;
            heads.retain(is_head);
            assert_eq!(heads, all, "{text}");
        }
    }

    /// What has no comments is not looked into, except for its last item.
    #[test]
    fn what_is_passed_changes_nothing() {
        let nested = [
            "a:\n",
            "  b: {c: 1, d: [e, {f: 1}]} #@ x\n",
            "  - g:\n",
            "    - h: 1\n",
            "  #@ y\n",
            "    i: [j, k]\n",
            "#@ z\n",
        ];
        let combined =
            (0..7_usize.pow(5)).map(|number| (0..5).map(|at| nested[number / 7_usize.pow(at) % 7]).collect());
        for text in (1..=4).flat_map(texts).chain(combined) {
            let tree = lofting_syntax::parse(&text);
            let mut finder = Finder::new(&tree, tree.comments().map(|token| token.range()).collect());
            for document in tree.documents() {
                if let Some(marker) = document.start_marker() {
                    finder.document(Owner { kind: OwnerKind::Document, offset: marker.range().start });
                }
                for event in document.node().walk() {
                    if let Event::Enter(item) = event
                        && is_item(item)
                    {
                        finder.item(kind_of(item), item);
                    }
                }
            }
            assert_eq!(owners(&tree).comments, finder.finish().comments, "{text}");
        }
    }

    #[test]
    fn what_is_beside_an_item_is_what_a_walk_through_the_whole_file_gives_to_it() {
        let mut given = 0;
        for text in (1..=4).flat_map(texts).filter(|text| !text.contains("schema/definition")) {
            let tree = lofting_syntax::parse(&text);
            let all = owners(&tree).comments;
            let mut before = None;
            for event in tree.root().walk() {
                let Event::Enter(item) = event else { continue };
                // A pair between brackets begins where its array item does, which owns the comments.
                if !is_item(item) || before.replace(item.range().start) == Some(item.range().start) {
                    continue;
                }
                let owner = Some(Owner { kind: kind_of(item), offset: item.range().start });
                for range in comments_of(item) {
                    given += 1;
                    let owned = all.iter().find(|comment| comment.range == range).and_then(|comment| comment.owner);
                    assert_eq!(owned, owner, "{range:?} in:\n{text}");
                }
            }
        }
        assert!(given > 1_000, "{given}");
    }
}
