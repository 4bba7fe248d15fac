//! The tree as its users see it: text and structure together, with absolute offsets.

use crate::CommentReader;
use crate::changed::ChangedToken;
use crate::error::SyntaxError;
use crate::green::{Child, Green, GreenChildren, GreenNode, flag};
use crate::kind::Kind;
use crate::names::SharedNames;
use crate::resolve::Profile;
use crate::source::Source;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// A parsed text: every byte of it is in exactly one token. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Tree {
    pub(crate) source: Arc<Source>,
    pub(crate) green: Arc<Green>,
    /// It is read without regard to columns.
    pub(crate) loose: bool,
    /// The tree of the other reading, if both were tried: the next edit reads in each what it changes.
    pub(crate) other: Option<Arc<Green>>,
    /// The names in its nodes, and in those of earlier revisions.
    pub(crate) names: Arc<SharedNames>,
}

impl Tree {
    /// A tree of the text as the grammar reads it.
    pub(crate) fn strict(source: Arc<Source>, green: Arc<Green>, names: Arc<SharedNames>) -> Tree {
        Tree { source, green, loose: false, other: None, names }
    }

    /// The tree of the text as the grammar reads it, and that without regard to columns, if it was read that way.
    pub(crate) fn readings(&self) -> (&Arc<Green>, Option<&Arc<Green>>) {
        match (&self.other, self.loose) {
            (Some(strict), true) => (strict, Some(&self.green)),
            (other, _) => (&self.green, other.as_ref()),
        }
    }

    /// The tree of the text after an edit. Equal to parsing the new text, but reads only what the edit can have
    /// changed. Offsets are in bytes; those out of range or inside a character are moved down.
    pub fn edit(&self, range: Range<usize>, new_text: &str) -> Tree {
        crate::parse::edit(self, range, new_text)
    }

    /// The token that an edit of `range` in an earlier revision changed, if the edit changed nothing else.
    pub fn only_changed_token(&self, earlier: &Tree, range: Range<usize>) -> Option<ChangedToken> {
        crate::changed::only_token(earlier, self, range)
    }

    /// Length of the text in bytes.
    pub fn len(&self) -> usize {
        self.source.len()
    }

    /// Whether the text is empty.
    pub fn is_empty(&self) -> bool {
        self.source.len() == 0
    }

    /// A part of the text, in bytes; mostly borrowed.
    pub fn text(&self, range: Range<usize>) -> Cow<'_, str> {
        self.source.slice(range)
    }

    /// The whole text.
    pub fn to_text(&self) -> String {
        self.source.slice(0..self.len()).into_owned()
    }

    /// Where the line of an offset begins.
    pub fn line_start(&self, offset: usize) -> usize {
        self.source.line_start(offset)
    }

    /// The STREAM node.
    pub fn root(&self) -> Node<'_> {
        Node { tree: self, green: GreenNode::Shared(&self.green), offset: 0 }
    }

    /// Whether lines of quoted or flow scalars are not deeper than their key, which the grammar forbids and most YAML
    /// libraries accept.
    pub fn is_loose(&self) -> bool {
        self.loose
    }

    /// All syntax errors, in order. Visits only the parts of the tree that have some.
    pub fn errors(&self) -> Vec<SyntaxError> {
        crate::faults::collect(self)
    }

    /// The syntax errors for readers with this rule set: their library may accept more than the grammar.
    pub fn errors_in(&self, profile: Profile) -> Vec<SyntaxError> {
        let mut errors = self.errors();
        errors.retain(|error| !profile.library().accepts(self, error));
        if profile.library().ends_lines_at_separators()
            && let Some(error) = crate::faults::separator(self, &errors)
        {
            let place = errors.partition_point(|other| other.range.start < error.range.start);
            errors.insert(place, error);
        }
        errors
    }

    /// White space with a tab at the beginning of a line, where only indicators are before it: from the tab on, in order,
    /// at most one for each line. Some of it may be part of a scalar.
    pub fn leading_tabs(&self) -> impl Iterator<Item = Range<usize>> {
        self.source.leading_tabs()
    }

    /// The documents of the text, in order.
    pub fn documents(&self) -> impl Iterator<Item = crate::Document<'_>> {
        self.root().nodes().filter_map(crate::Document::cast)
    }

    /// The document with this number, from 0. Groups of documents before it are not looked into.
    pub fn document(&self, number: usize) -> Option<crate::Document<'_>> {
        let (mut node, mut before) = (self.root(), number);
        loop {
            let inner = node.parts().filter_map(Element::node).find(|part| {
                let count = part.count();
                let is_here = before < count;
                before -= if is_here { 0 } else { count };
                is_here
            })?;
            match inner.kind() {
                Kind::Group => node = inner,
                _ => return crate::Document::cast(inner),
            }
        }
    }

    /// The document that holds an offset, with its number. Between two documents it is the one before; None above the
    /// first one.
    pub fn document_at(&self, offset: usize) -> Option<(usize, crate::Document<'_>)> {
        let (number, node) = self.root().inside_at(offset)?;
        Some((number, crate::Document::cast(node)?))
    }

    /// The token at an offset: between two tokens the later one, at the end of the text the last.
    pub fn token_at(&self, offset: usize) -> Option<Token<'_>> {
        let mut node = self.root();
        loop {
            let found = node.children_from(offset).find(|child| {
                let range = child.range();
                !range.is_empty() && (range.end > offset || range.end == self.len())
            })?;
            match found {
                Element::Token(token) => return Some(token),
                Element::Node(inner) => node = inner,
            }
        }
    }

    /// The nodes that contain an offset, from the root to the innermost. A node contains the offsets from its start to
    /// its end, inclusive; where two nodes touch, the later one is taken.
    pub fn path_at(&self, offset: usize) -> Vec<Node<'_>> {
        let mut path = vec![self.root()];
        while let Some(node) = path.last().copied() {
            let mut found = None;
            for child in node.children_from(offset) {
                let range = child.range();
                if range.start > offset {
                    break;
                }
                if let Element::Node(child) = child
                    && offset <= range.end
                {
                    found = Some(child);
                }
            }
            match found {
                Some(child) => path.push(child),
                None => break,
            }
        }
        path
    }

    /// The innermost scalar at an offset: a key or a value.
    pub fn scalar_at(&self, offset: usize) -> Option<crate::Scalar<'_>> {
        let holds = |scalar: &crate::Scalar<'_>| scalar.range().start <= offset && offset <= scalar.range().end;
        let node = self.path_at(offset).pop()?;
        let (key, value) = match node.kind() {
            Kind::MapEntry => crate::Entry::cast(node).map(|entry| (entry.key(), Some(entry.value())))?,
            Kind::SeqEntry => (None, crate::Item::cast(node).map(|item| item.value())),
            Kind::Document => (None, crate::Document::cast(node).and_then(|document| document.root())),
            _ => return None,
        };
        [key, value].into_iter().flatten().filter_map(|value| value.scalar()).find(holds)
    }

    /// The comments, in order ([`CommentReader`] tells which these are). Visits only the parts of the tree that have some.
    pub fn comments(&self) -> impl Iterator<Item = Token<'_>> {
        self.comments_in(0..self.len())
    }

    /// The comments that begin in a range of bytes, in order. Parts of the tree outside it are not walked.
    pub fn comments_in(&self, range: Range<usize>) -> impl Iterator<Item = Token<'_>> {
        let mut open = vec![self.root().children_from(range.start)];
        let mut reader = CommentReader::default();
        std::iter::from_fn(move || {
            while let Some(children) = open.last_mut() {
                match children.next() {
                    Some(child) if child.range().start >= range.end => return None,
                    Some(Element::Token(token)) => {
                        if reader.is_comment(token.kind) && token.offset >= range.start {
                            return Some(token);
                        }
                    }
                    Some(Element::Node(node)) => {
                        if node.green.flags() & flag::COMMENT != 0 && node.range().end > range.start {
                            open.push(node.children_from(range.start));
                        }
                    }
                    None => {
                        open.pop();
                    }
                }
            }
            None
        })
    }
}

/// A node of a tree, with its place.
#[derive(Clone, Copy)]
pub struct Node<'t> {
    pub(crate) tree: &'t Tree,
    pub(crate) green: GreenNode<'t>,
    pub(crate) offset: usize,
}

impl<'t> Node<'t> {
    /// The kind of the node.
    pub fn kind(&self) -> Kind {
        self.green.kind()
    }

    /// The byte range of the node. An entry ends after its last line break.
    pub fn range(&self) -> Range<usize> {
        self.offset..self.offset + self.green.len()
    }

    /// Tokens and nodes directly inside.
    pub fn children(&self) -> Children<'t> {
        self.children_from(0)
    }

    /// The children from somewhere before `offset` on: in a long collection, most of those that end before it are
    /// skipped.
    pub fn children_from(&self, offset: usize) -> Children<'t> {
        Children {
            tree: self.tree,
            offset: self.offset,
            current: self.green.children(),
            outer: Vec::new(),
            from: offset.min(self.range().end),
        }
    }

    /// Nodes directly inside.
    pub fn nodes(&self) -> impl Iterator<Item = Node<'t>> + use<'t> {
        self.children().filter_map(Element::node)
    }

    /// Tokens and nodes directly inside, with the entries of a long collection in groups ([`Kind::Group`]). Revisions
    /// share the groups that did not change. Groups contain entries, the tokens between them, or groups.
    pub fn parts(&self) -> impl Iterator<Item = Element<'t>> + use<'t> {
        let (tree, mut offset) = (self.tree, self.offset);
        self.green.children().map(move |child| {
            lofting_memo::step();
            let start = offset;
            offset += child.len();
            match child {
                Child::Node(green) => Element::Node(Node { tree, green, offset: start }),
                Child::Token { kind, len } => Element::Token(Token { tree, kind, offset: start, len }),
            }
        })
    }

    /// Tokens directly inside.
    pub fn tokens(&self) -> impl Iterator<Item = Token<'t>> + use<'t> {
        self.children().filter_map(|child| match child {
            Element::Token(token) => Some(token),
            Element::Node(_) => None,
        })
    }

    /// How many nodes it is among those around it: all that are in it, if it is a group.
    pub fn count(&self) -> usize {
        self.green().filter(|_| self.kind() == Kind::Group).map_or(1, |group| group.count())
    }

    /// The last node inside that begins at or before an offset, with its number among these. It is not a group, and other
    /// groups are not looked into.
    pub fn inside_at(&self, offset: usize) -> Option<(usize, Node<'t>)> {
        let (mut node, mut number) = (*self, 0);
        loop {
            let (mut last, mut before) = (None, number);
            for part in node.parts().filter_map(Element::node).take_while(|part| part.range().start <= offset) {
                last = Some((before, part));
                before += part.count();
            }
            (number, node) = last?;
            if node.kind() != Kind::Group {
                return Some((number, node));
            }
        }
    }

    /// Where the content ends: without trailing white space, comments and line breaks.
    pub fn content_end(&self) -> usize {
        let (mut green, mut start) = (self.green, self.offset);
        loop {
            // Nodes are looked into only if the last one has no content, because few are without.
            let mut last = last_child(green, start, |child| !child.is_trivial_token());
            if let Some((Child::Node(node), _)) = last
                && node.is_trivia()
            {
                last = last_child(green, start, |child| !child.is_trivia());
            }
            match last {
                Some((Child::Node(node), at)) => (green, start) = (node, at),
                Some((Child::Token { len, .. }, at)) => return at + len as usize,
                None => return start,
            }
        }
    }

    /// The node that revisions of the text share; None for a one-line entry, which is stored in its collection's node.
    pub fn green(&self) -> Option<&'t Arc<Green>> {
        match self.green {
            GreenNode::Shared(node) => Some(node),
            GreenNode::Line(_) => None,
        }
    }

    /// The tokens of an entry that is stored as a one-line entry: key (None for an item), dash, value. None for all
    /// other nodes, even if they look the same.
    pub fn one_line(&self) -> Option<(Option<Token<'t>>, Option<Token<'t>>, Token<'t>)> {
        let GreenNode::Line(line) = self.green else { return None };
        let token =
            |(kind, at, len): (Kind, u32, u32)| Token { tree: self.tree, kind, offset: self.offset + at as usize, len };
        Some((line.key().map(token), line.dash().map(token), token(line.value())))
    }

    /// The token that it begins with; None if it begins with a node.
    pub(crate) fn first_token(&self) -> Option<Token<'t>> {
        match self.green.children().next()? {
            Child::Token { kind, len } => Some(Token { tree: self.tree, kind, offset: self.offset, len }),
            Child::Node(_) => None,
        }
    }

    /// Whether the node or something inside it has a syntax error.
    pub fn has_errors(&self) -> bool {
        self.green.flags() & flag::ERROR != 0
    }

    /// Whether the node or something inside it is a comment.
    pub fn has_comments(&self) -> bool {
        self.green.flags() & flag::COMMENT != 0
    }

    /// Whether the node or something inside it is an anchor or an alias.
    pub fn has_names(&self) -> bool {
        self.green.flags() & flag::NAME != 0
    }

    /// Whether the node or something inside it is written in a way that YAML libraries read differently: a rare escape, a
    /// colon or question mark in the wrong place between brackets, a very long key.
    pub fn is_unusual(&self) -> bool {
        self.green.flags() & flag::UNUSUAL != 0
    }

    /// The tree it belongs to.
    pub fn tree(&self) -> &'t Tree {
        self.tree
    }

    /// Its text.
    pub fn text(&self) -> Cow<'t, str> {
        self.tree.source.slice(self.range())
    }
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        let same = match (self.green, other.green) {
            (GreenNode::Shared(one), GreenNode::Shared(other)) => Arc::ptr_eq(one, other),
            (GreenNode::Line(one), GreenNode::Line(other)) => one == other,
            _ => false,
        };
        same && self.offset == other.offset
    }
}

impl std::fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}@{:?}", self.kind().name(), self.range())
    }
}

/// A token of a tree, with its place.
#[derive(Clone, Copy)]
pub struct Token<'t> {
    pub(crate) tree: &'t Tree,
    pub(crate) kind: Kind,
    pub(crate) offset: usize,
    pub(crate) len: u32,
}

impl<'t> Token<'t> {
    /// The kind of the token.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Bytes of the text.
    pub fn range(&self) -> Range<usize> {
        self.offset..self.offset + self.len as usize
    }

    /// Its text.
    pub fn text(&self) -> Cow<'t, str> {
        self.tree.source.slice(self.range())
    }

    /// The tree it belongs to.
    pub fn tree(&self) -> &'t Tree {
        self.tree
    }
}

impl std::fmt::Debug for Token<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}@{:?} {:?}", self.kind.name(), self.range(), self.text())
    }
}

/// A node or a token.
#[derive(Clone, Copy, Debug)]
pub enum Element<'t> {
    /// A node.
    Node(Node<'t>),
    /// A token.
    Token(Token<'t>),
}

impl<'t> Element<'t> {
    /// The node, if it is one.
    pub fn node(self) -> Option<Node<'t>> {
        match self {
            Element::Node(node) => Some(node),
            Element::Token(_) => None,
        }
    }

    /// The kind.
    pub fn kind(&self) -> Kind {
        match self {
            Element::Node(node) => node.kind(),
            Element::Token(token) => token.kind,
        }
    }

    /// Bytes of the text.
    pub fn range(&self) -> Range<usize> {
        match self {
            Element::Node(node) => node.range(),
            Element::Token(token) => token.range(),
        }
    }
}

/// Children of a node in order, including those in groups.
#[derive(Clone)]
pub struct Children<'t> {
    tree: &'t Tree,
    offset: usize,
    current: GreenChildren<'t>,
    outer: Vec<GreenChildren<'t>>,
    /// Groups that end before this offset are skipped.
    from: usize,
}

impl<'t> Iterator for Children<'t> {
    type Item = Element<'t>;

    fn next(&mut self) -> Option<Element<'t>> {
        lofting_memo::step();
        loop {
            let Some(child) = self.current.next() else {
                self.current = self.outer.pop()?;
                continue;
            };
            let offset = self.offset;
            match child {
                Child::Token { kind, len } => {
                    self.offset += len as usize;
                    let token = Token { tree: self.tree, kind, offset, len };
                    return Some(Element::Token(token));
                }
                Child::Node(green) if green.kind() == Kind::Group => {
                    if offset + green.len() < self.from {
                        self.offset += green.len();
                        continue;
                    }
                    let outer = std::mem::replace(&mut self.current, green.children());
                    self.outer.push(outer);
                }
                Child::Node(green) => {
                    self.offset += green.len();
                    return Some(Element::Node(Node { tree: self.tree, green, offset }));
                }
            }
        }
    }
}

/// The last child of a node that begins at `start` of those that are `kept`, with its offset.
fn last_child(node: GreenNode<'_>, start: usize, kept: impl Fn(Child<'_>) -> bool) -> Option<(Child<'_>, usize)> {
    let (mut at, mut last) = (start, None);
    for child in node.children() {
        if kept(child) {
            last = Some((child, at));
        }
        at += child.len();
    }
    last
}
