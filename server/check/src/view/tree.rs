//! A view of values in a syntax tree, read in place.
//!
//! Supports only what most files consist of: maps and arrays of plain, quoted and block scalars. Anchors, aliases, tags
//! and explicit keys (`? key`) are left to lowering; [`crate::tree`] looks for them first.

use super::{Entry, Item, Kind, Overlay, Piece, Scalar, View};
use lofting_document::{FileId, Key, Span, is_substituted, is_substituted_key, item_notes};
use lofting_syntax::resolve::{Profile, Resolved, resolve_plain};
use lofting_syntax::{Element, Green, Kind as Syntax, Node, Token, Tree, Value, ValueKind};
use rustc_hash::FxBuildHasher;
use smol_str::SmolStr;
use std::borrow::Cow;
use std::hash::BuildHasher;
use std::ops::Range;
use std::sync::Arc;

/// The file of a tree, and how its plain scalars are read.
#[derive(Debug, Clone, Copy)]
pub struct TreeFile {
    /// The file.
    pub id: FileId,
    /// The rule set that gives plain scalars their types.
    pub profile: Profile,
    /// Texts in which other programs put something are unknown.
    pub substituted: bool,
    /// There are annotations of overlays among the values.
    pub overlays: bool,
}

impl TreeFile {
    /// A file without annotations among its values.
    pub fn new(id: FileId, profile: Profile) -> Self {
        TreeFile { id, profile, substituted: false, overlays: false }
    }

    /// What annotations say about an entry or item of a block.
    fn overlay(self, item: Node<'_>) -> Overlay {
        let notes = self.overlays.then(|| item_notes(self.id, item)).flatten();
        notes.map_or_else(Overlay::default, |notes| Overlay::of(&notes))
    }

    /// Stands for the annotations of an entry or item of a block; 0 if there are none.
    pub(crate) fn annotations(self, item: Node<'_>) -> u64 {
        let notes = self.overlays.then(|| item_notes(self.id, item)).flatten().unwrap_or_default();
        let texts: Vec<Cow<'_, str>> = notes.iter().map(|note| item.tree().text(note.span.range())).collect();
        if texts.is_empty() { 0 } else { FxBuildHasher.hash_one(texts) }
    }
}

/// A value in a tree.
#[derive(Debug, Clone, Copy)]
pub struct TreeView<'t> {
    file: TreeFile,
    tree: &'t Tree,
    content: Content<'t>,
    start: usize,
    end: usize,
}

#[derive(Debug, Clone, Copy)]
enum Content<'t> {
    Missing,
    Plain,
    SingleQuoted,
    DoubleQuoted,
    /// A block scalar, with the entry, item or document that holds it.
    Block(Node<'t>),
    Collection(Node<'t>),
    /// A group of entries or items of a collection of this kind.
    Part(Node<'t>, Kind),
    Unknown,
}

/// The parts of an entry of a map.
pub(crate) enum EntryParts<'t> {
    /// `key: value`
    Pair(WrittenKey<'t>, TreeView<'t>),
    /// Not a key yet: one without a colon, most likely being typed, or one in which another program puts something.
    Incomplete,
    /// Something that this view cannot read.
    Odd,
}

/// A key as it is written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WrittenKey<'t>(TreeView<'t>);

impl<'t> TreeView<'t> {
    /// The content of a document; None if this view cannot read it.
    pub fn root(file: TreeFile, tree: &'t Tree, value: Option<Value<'t>>) -> Option<Self> {
        let Some(value) = value else {
            let end = tree.len();
            return Some(TreeView { file, tree, content: Content::Missing, start: end, end });
        };
        if value.anchor().is_some() || value.tag().is_some() {
            return None;
        }
        let content = match (value.kind(), value.node()) {
            (ValueKind::Missing, _) => Content::Missing,
            (ValueKind::Plain, _) => Content::Plain,
            (ValueKind::SingleQuoted, _) => Content::SingleQuoted,
            (ValueKind::DoubleQuoted, _) => Content::DoubleQuoted,
            (ValueKind::Literal | ValueKind::Folded, _) => Content::Block(value.owner()),
            (_, Some(node)) => Content::Collection(node),
            _ => return None,
        };
        let range = value.content_range();
        Some(TreeView { file, tree, content, start: range.start, end: range.end })
    }

    /// The node of a map or array.
    pub(crate) fn collection(self) -> Option<Node<'t>> {
        match self.content {
            Content::Collection(node) | Content::Part(node, _) => Some(node),
            _ => None,
        }
    }

    /// Whether it cannot be read, because its text is broken.
    pub(crate) fn is_broken(self) -> bool {
        matches!(self.content, Content::Unknown)
    }

    /// The pieces of a collection of kind `of`: single entries as `read` returns them, and groups as parts.
    fn pieces<T>(
        self,
        of: Kind,
        read: impl Fn(TreeFile, Node<'t>) -> Option<T> + 't,
    ) -> impl Iterator<Item = Piece<Self, T>> {
        let file = self.file;
        let node = self.collection().filter(|_| self.kind() == of);
        let parts = node.into_iter().flat_map(|node| node.parts()).filter_map(Element::node);
        let nodes = parts.flat_map(|part| {
            let broken = is_broken(part);
            let inside = broken.then(|| opened(part)).into_iter().flatten();
            (!broken).then_some(part).into_iter().chain(inside)
        });
        nodes.filter_map(move |node| match node.kind() {
            Syntax::Group => Some(self.part(node, of)),
            Syntax::MapEntry if of == Kind::Map => read(file, node).map(Piece::One),
            Syntax::SeqEntry if of == Kind::Array => read(file, node).map(Piece::One),
            _ => None,
        })
    }

    /// Like [`TreeView::pieces`]; None if something in the collection is neither read nor a group.
    fn all_pieces<T>(
        self,
        of: Syntax,
        kind: Kind,
        read: impl Fn(TreeFile, Node<'t>) -> Option<T>,
    ) -> Option<Vec<Piece<Self, T>>> {
        let Some(collection) = self.collection().filter(|_| self.kind() == kind) else { return Some(Vec::new()) };
        let piece = |node: Node<'t>| match node.kind() {
            Syntax::Group => Some(self.part(node, kind)),
            entry if entry == of => read(self.file, node).map(Piece::One),
            _ => None,
        };
        collection.parts().filter_map(Element::node).map(piece).collect()
    }

    /// A group of entries or items.
    fn part<T>(self, group: Node<'t>, kind: Kind) -> Piece<Self, T> {
        let range = group.range();
        let content = Content::Part(group, kind);
        let part = TreeView { file: self.file, tree: group.tree(), content, start: range.start, end: range.end };
        Piece::Part(part, group.green().map_or(1, |group| group.count()))
    }

    fn range(self) -> Range<usize> {
        self.start..self.end
    }

    fn text(self) -> Cow<'t, str> {
        self.tree.text(self.range())
    }

    /// Whether it is a text in which another program puts something.
    fn is_substituted(self) -> bool {
        if !self.file.substituted {
            return false;
        }
        // No mark has a character that is written in another way in quotes.
        let text = self.text();
        match self.content {
            Content::Plain => is_substituted(&text),
            Content::SingleQuoted | Content::DoubleQuoted => is_substituted(text.trim_matches(['"', '\''])),
            Content::Block(_) => text.split_once('\n').is_some_and(|(_, body)| is_substituted(body)),
            _ => false,
        }
    }

    /// Reads an entry of a map.
    pub(crate) fn entry(file: TreeFile, entry: Node<'t>) -> EntryParts<'t> {
        let tree = entry.tree();
        if let Some((Some(key), _, value)) = entry.one_line() {
            return match (TreeView::scalar_at(file, key), TreeView::scalar_at(file, value)) {
                (Some(key), Some(_)) if WrittenKey(key).is_substituted() => EntryParts::Incomplete,
                (Some(key), Some(value)) => EntryParts::Pair(WrittenKey(key), value),
                _ => EntryParts::Odd,
            };
        }
        let mut key = None;
        let mut value: Option<TreeView<'t>> = None;
        for child in entry.children() {
            let token = match child {
                Element::Token(token) => token,
                Element::Node(node) => match &mut value {
                    Some(value) if matches!(value.content, Content::Missing) && node.kind().is_collection() => {
                        value.set(Content::Collection(node), node.range());
                        continue;
                    }
                    Some(_) => return EntryParts::Odd,
                    // A key with a collection as its value, or lines below a key without a colon.
                    None if key.is_some() => return EntryParts::Incomplete,
                    None => return EntryParts::Odd,
                },
            };
            if token.kind().is_trivia() {
                continue;
            }
            let range = token.range();
            match (&mut value, token.kind()) {
                (None, Syntax::Colon) => {
                    value = Some(TreeView { file, tree, content: Content::Missing, start: range.end, end: range.end });
                }
                (None, kind) => match scalar_content(kind) {
                    Some(content) if key.is_none() => {
                        key = Some(TreeView { file, tree, content, start: range.start, end: range.end });
                    }
                    // A second line below a key without a colon.
                    Some(_) => return EntryParts::Incomplete,
                    None => return EntryParts::Odd,
                },
                (Some(value), kind) => {
                    if !value.take(kind, range, entry) {
                        return EntryParts::Odd;
                    }
                }
            }
        }
        match (key, value) {
            (Some(key), Some(_)) if WrittenKey(key).is_substituted() => EntryParts::Incomplete,
            (Some(key), Some(value)) => EntryParts::Pair(WrittenKey(key), value),
            // Between brackets, a key without a colon has no value. In a block, which ends with its line, it is half-typed.
            (Some(key), None) if entry.range().end < tree.len() && !ends_line(entry) => {
                let (start, end) = (key.end, key.end);
                EntryParts::Pair(WrittenKey(key), TreeView { content: Content::Missing, start, end, ..key })
            }
            (Some(_), None) => EntryParts::Incomplete,
            // `: value`, an empty key.
            _ => EntryParts::Odd,
        }
    }

    /// Reads an item of an array: its start and its value.
    pub(crate) fn item(file: TreeFile, item: Node<'t>) -> Option<(Span, TreeView<'t>)> {
        let tree = item.tree();
        if let Some((None, dash, value)) = item.one_line() {
            let value = TreeView::scalar_at(file, value)?;
            return Some((Span::new(file.id, dash.map_or(value.range(), |dash| dash.range())), value));
        }
        let start = item.range().start;
        let mut value = TreeView { file, tree, content: Content::Missing, start, end: start };
        let mut dash = None;
        for child in item.children() {
            match child {
                Element::Token(token) if token.kind() == Syntax::Dash => {
                    let range = token.range();
                    (value.start, value.end) = (range.end, range.end);
                    dash = Some(range);
                }
                Element::Token(token) if token.kind().is_trivia() => {}
                Element::Token(token) => {
                    if !value.take(token.kind(), token.range(), item) {
                        return None;
                    }
                }
                Element::Node(node) if matches!(value.content, Content::Missing) && node.kind().is_collection() => {
                    value.set(Content::Collection(node), node.range());
                }
                Element::Node(_) => return None,
            }
        }
        Some((Span::new(file.id, dash.unwrap_or(value.range())), value))
    }

    /// A scalar that consists of one token.
    fn scalar_at(file: TreeFile, token: Token<'t>) -> Option<Self> {
        let (content, range) = (scalar_content(token.kind())?, token.range());
        Some(TreeView { file, tree: token.tree(), content, start: range.start, end: range.end })
    }

    fn set(&mut self, content: Content<'t>, range: Range<usize>) {
        self.content = content;
        (self.start, self.end) = (range.start, range.end);
    }

    /// Adds a token of the value; false if this view cannot read it.
    fn take(&mut self, kind: Syntax, range: Range<usize>, owner: Node<'t>) -> bool {
        match (self.content, kind) {
            (Content::Missing, Syntax::BlockHeader) => self.set(Content::Block(owner), range),
            (Content::Block(_), Syntax::BlockBody) => self.end = range.end,
            (Content::Missing, kind) => match scalar_content(kind) {
                Some(content) => self.set(content, range),
                // Broken text, which the parser has already reported.
                None if kind == Syntax::ErrorText => self.set(Content::Unknown, range),
                None => return false,
            },
            (_, Syntax::ErrorText) => self.content = Content::Unknown,
            _ => return false,
        }
        true
    }

    /// The text that a scalar stands for.
    fn cooked(self) -> Option<Cow<'t, str>> {
        let text = self.text();
        match self.content {
            Content::Plain if !text.bytes().any(|byte| matches!(byte, b'\n' | b'\r')) => Some(text),
            Content::SingleQuoted | Content::DoubleQuoted => {
                let quote = if matches!(self.content, Content::SingleQuoted) { b'\'' } else { b'"' };
                let inside = |text: &str| -> Option<Range<usize>> {
                    let quote = char::from(quote);
                    let inner = text.strip_prefix(quote)?.strip_suffix(quote)?;
                    Some(1..1 + inner.len())
                };
                let range = inside(&text)?;
                let special = |byte: u8| matches!(byte, b'\\' | b'\n' | b'\r') || byte == quote;
                if text.get(range.clone())?.bytes().any(special) {
                    return self.reparsed();
                }
                Some(match text {
                    Cow::Borrowed(text) => Cow::Borrowed(text.get(range)?),
                    Cow::Owned(text) => Cow::Owned(text.get(range)?.to_owned()),
                })
            }
            Content::Plain => self.reparsed(),
            Content::Block(owner) => {
                let value = match owner.kind() {
                    Syntax::MapEntry => lofting_syntax::Entry::cast(owner)?.value(),
                    Syntax::SeqEntry => lofting_syntax::Item::cast(owner)?.value(),
                    _ => lofting_syntax::Document::cast(owner)?.root()?,
                };
                value.scalar().map(|scalar| scalar.value_in(self.file.profile))
            }
            _ => None,
        }
    }

    /// Folding and escapes are left to the parser; they are rare enough to parse the scalar again.
    fn reparsed(self) -> Option<Cow<'t, str>> {
        let path = self.tree.path_at(self.start);
        let owner = path
            .into_iter()
            .rev()
            .find(|node| matches!(node.kind(), Syntax::MapEntry | Syntax::SeqEntry | Syntax::Document))?;
        let candidates = match owner.kind() {
            Syntax::MapEntry => {
                let entry = lofting_syntax::Entry::cast(owner)?;
                [entry.key(), Some(entry.value())]
            }
            Syntax::SeqEntry => [None, Some(lofting_syntax::Item::cast(owner)?.value())],
            _ => [None, lofting_syntax::Document::cast(owner)?.root()],
        };
        let value = candidates.into_iter().flatten().find(|value| value.content_range().start == self.start)?;
        value.scalar().map(|scalar| scalar.value())
    }
}

impl<'t> WrittenKey<'t> {
    /// The key with its type.
    pub(crate) fn key(self) -> Key {
        let plain = matches!(self.0.content, Content::Plain);
        let text = self.0.cooked().unwrap_or_default();
        match if plain { resolve_plain(self.0.file.profile, &text) } else { Resolved::String } {
            Resolved::Null => Key::Null,
            Resolved::Bool(value) => Key::Bool(value),
            Resolved::Int(value) => Key::int(value),
            Resolved::Float(value) => Key::Float(value.to_bits()),
            Resolved::String => Key::String(SmolStr::new(text)),
        }
    }

    /// Whether another program puts something in it, so that it is not known.
    fn is_substituted(self) -> bool {
        self.0.file.substituted && self.0.cooked().is_some_and(|text| is_substituted_key(&text))
    }

    /// Where it is written.
    pub(crate) fn span(self) -> Span {
        Span::new(self.0.file.id, self.0.range())
    }

    /// Whether it is the merge key.
    pub(crate) fn is_merge(self) -> bool {
        self.0.end - self.0.start == 2 && matches!(self.0.content, Content::Plain) && self.0.text() == "<<"
    }
}

/// Whether a node ends with a line break.
fn ends_line(node: Node<'_>) -> bool {
    let end = node.range().end;
    matches!(node.tree().text(end.saturating_sub(1)..end).as_bytes(), [b'\n' | b'\r'])
}

/// Whether it is a group that may contain more than entries.
fn is_broken(node: Node<'_>) -> bool {
    node.kind() == Syntax::Group && node.has_errors()
}

/// The nodes in a broken group, with the groups inside it that are not.
fn opened(group: Node<'_>) -> Vec<Node<'_>> {
    let (mut nodes, mut open) = (Vec::new(), vec![group]);
    while let Some(node) = open.pop() {
        if is_broken(node) { open.extend(backwards(node)) } else { nodes.push(node) }
    }
    nodes
}

/// The nodes and groups in a node, the last first.
fn backwards(node: Node<'_>) -> Vec<Node<'_>> {
    let mut nodes: Vec<Node<'_>> = node.parts().filter_map(Element::node).collect();
    nodes.reverse();
    nodes
}

fn scalar_content<'t>(kind: Syntax) -> Option<Content<'t>> {
    Some(match kind {
        Syntax::Plain => Content::Plain,
        Syntax::SingleQuoted => Content::SingleQuoted,
        Syntax::DoubleQuoted => Content::DoubleQuoted,
        _ => return None,
    })
}

/// A complete entry of a map; None otherwise.
fn pair(file: TreeFile, entry: Node<'_>) -> Option<Entry<TreeView<'_>>> {
    match TreeView::entry(file, entry) {
        EntryParts::Pair(key, value) => {
            Some(Entry { key: key.key(), key_span: key.span(), value, overlay: file.overlay(entry) })
        }
        EntryParts::Incomplete | EntryParts::Odd => None,
    }
}

/// An item of an array, if it can be read.
fn item(file: TreeFile, entry: Node<'_>) -> Option<Item<TreeView<'_>>> {
    let (span, value) = TreeView::item(file, entry)?;
    Some(Item { span, value, overlay: file.overlay(entry) })
}

impl<'t> View for TreeView<'t> {
    fn kind(self) -> Kind {
        match self.content {
            _ if self.is_substituted() => Kind::Unknown,
            Content::Missing => Kind::Null,
            Content::SingleQuoted | Content::DoubleQuoted | Content::Block(_) => Kind::String,
            Content::Collection(node) => match node.kind() {
                Syntax::BlockMap | Syntax::FlowMap => Kind::Map,
                _ => Kind::Array,
            },
            Content::Part(_, kind) => kind,
            Content::Unknown => Kind::Unknown,
            // Text on several lines is folded into words with blanks, which can only be a string.
            Content::Plain => match resolve_plain(self.file.profile, &self.text()) {
                Resolved::Null => Kind::Null,
                Resolved::Bool(_) => Kind::Bool,
                Resolved::Int(_) => Kind::Int,
                Resolved::Float(_) => Kind::Float,
                Resolved::String => Kind::String,
            },
        }
    }

    fn span(self) -> Span {
        Span::new(self.file.id, self.range())
    }

    fn is_missing(self) -> bool {
        matches!(self.content, Content::Missing)
    }

    fn scalar(self) -> Option<Scalar> {
        let resolved = match self.content {
            _ if self.is_substituted() => return None,
            Content::Missing => Resolved::Null,
            Content::Plain => resolve_plain(self.file.profile, &self.text()),
            Content::SingleQuoted | Content::DoubleQuoted | Content::Block(_) => Resolved::String,
            Content::Collection(_) | Content::Part(..) | Content::Unknown => return None,
        };
        Some(match resolved {
            Resolved::Null => Scalar::Null,
            Resolved::Bool(value) => Scalar::Bool(value),
            Resolved::Int(value) => Scalar::Int(value),
            Resolved::Float(value) => Scalar::Float(value),
            Resolved::String => Scalar::String(SmolStr::new(self.cooked()?)),
        })
    }

    fn entries(self) -> impl Iterator<Item = Entry<Self>> {
        let file = self.file;
        let map = self.collection().filter(|_| self.kind() == Kind::Map);
        let entries = map.into_iter().flat_map(|map| map.nodes().filter(|node| node.kind() == Syntax::MapEntry));
        entries.filter_map(move |entry| pair(file, entry))
    }

    fn items(self) -> impl Iterator<Item = Item<Self>> {
        let file = self.file;
        let array = self.collection().filter(|_| self.kind() == Kind::Array);
        let items = array.into_iter().flat_map(|array| array.nodes().filter(|node| node.kind() == Syntax::SeqEntry));
        items.filter_map(move |entry| item(file, entry))
    }

    fn is_partial(self) -> bool {
        let Some(node) = self.collection() else { return false };
        node.nodes().any(|child| match child.kind() {
            Syntax::MapEntry => !matches!(TreeView::entry(self.file, child), EntryParts::Pair(..)),
            Syntax::SeqEntry => TreeView::item(self.file, child).is_none(),
            _ => true,
        })
    }

    fn entry_pieces(self) -> impl Iterator<Item = Piece<Self, Entry<Self>>> {
        self.pieces(Kind::Map, pair)
    }

    fn item_pieces(self) -> impl Iterator<Item = Piece<Self, Item<Self>>> {
        self.pieces(Kind::Array, item)
    }

    fn all_entries(self) -> Option<Vec<Entry<Self>>> {
        let file = self.file;
        let read = |entry: Node<'t>| (entry.kind() == Syntax::MapEntry).then(|| pair(file, entry))?;
        self.collection().map_or(Some(Vec::new()), |map| map.nodes().map(read).collect())
    }

    fn all_items(self) -> Option<Vec<Item<Self>>> {
        let file = self.file;
        let read = |entry: Node<'t>| (entry.kind() == Syntax::SeqEntry).then(|| item(file, entry))?;
        self.collection().map_or(Some(Vec::new()), |array| array.nodes().map(read).collect())
    }

    fn may_have_overlays(self) -> bool {
        self.file.overlays
    }

    fn first_annotations(&self) -> u64 {
        let node = self.collection().filter(|_| self.file.overlays);
        node.and_then(|node| node.nodes().next()).map_or(0, |item| self.file.annotations(item))
    }

    fn all_entry_pieces(self) -> Option<Vec<Piece<Self, Entry<Self>>>> {
        self.all_pieces(Syntax::MapEntry, Kind::Map, pair)
    }

    fn all_item_pieces(self) -> Option<Vec<Piece<Self, Item<Self>>>> {
        self.all_pieces(Syntax::SeqEntry, Kind::Array, item)
    }

    fn shared(&self) -> Option<(&Arc<Green>, usize)> {
        match &self.content {
            Content::Collection(node) | Content::Part(node, _) => Some((node.green()?, node.range().start)),
            _ => None,
        }
    }
}
