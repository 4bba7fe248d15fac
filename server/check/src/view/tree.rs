//! A view of values in a syntax tree, read in place.
//!
//! Reads maps and arrays of plain, quoted and block scalars; where comments have no meaning, also tags, and the anchors,
//! aliases and merge keys of a document whose [`DocumentNames`] are known. Explicit keys (`? key`) are left to lowering.

mod merges;
mod read;

pub(crate) use self::read::EntryParts;

use super::{DocumentNames, Entry, Item, Kind, Overlay, Piece, Scalar, View};
use lofting_document::{FileId, Key, Span, is_substituted, is_substituted_key, item_notes};
use lofting_syntax::resolve::{Profile, Resolved, TagError, decode_base64, resolve_plain, resolve_text, short_tag};
use lofting_syntax::{Element, Green, Kind as Syntax, Node, Tree, Value, ValueKind};
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

/// How the values of a document are read in its tree.
#[derive(Debug, Clone, Copy)]
pub struct TreeReader<'t> {
    /// Its file.
    pub(crate) file: TreeFile,
    /// The tree of the file.
    pub(crate) tree: &'t Tree,
    /// What its aliases stand for. None if only values without anchors, aliases and tags are read.
    pub(crate) names: Option<&'t DocumentNames<'t>>,
    /// See [`View::copy`].
    copy: u64,
}

/// A value in a tree.
#[derive(Debug, Clone, Copy)]
pub struct TreeView<'t> {
    reader: TreeReader<'t>,
    content: Content<'t>,
    /// Where the content begins.
    start: usize,
    end: usize,
    /// The length of its anchor and tag, with what is between them and the content, in bytes.
    before: u32,
}

#[derive(Debug, Clone, Copy)]
enum Content<'t> {
    Missing,
    Plain,
    SingleQuoted,
    DoubleQuoted,
    /// A block scalar, with the entry, item or document that holds it.
    Block(Node<'t>),
    /// A scalar with a tag, with what holds it.
    Tagged(Node<'t>),
    Collection(Node<'t>),
    /// A collection of which only an application knows the meaning, by its tag.
    Opaque(Node<'t>),
    /// A group of entries or items of a collection of this kind.
    Part(Node<'t>, Kind),
    Alias,
    Unknown,
}

/// A key as it is written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WrittenKey<'t>(TreeView<'t>);

impl<'t> TreeReader<'t> {
    /// Reads values without anchors, aliases and tags.
    pub fn new(file: TreeFile, tree: &'t Tree) -> Self {
        TreeReader { file, tree, names: None, copy: 0 }
    }

    /// Reads the values of a document with these names, in which comments have no meaning.
    pub fn of_document(file: TreeFile, tree: &'t Tree, names: &'t DocumentNames<'t>) -> Self {
        TreeReader { file, tree, names: Some(names), copy: 0 }
    }

    /// Stands for what the aliases in a node refer to; 0 if there are none.
    pub(crate) fn names_in(self, node: Node<'_>) -> u64 {
        self.names.filter(|_| node.has_names()).map_or(0, DocumentNames::stamp)
    }

    /// A value; None if this reader cannot read it.
    pub fn view(self, value: Value<'t>) -> Option<TreeView<'t>> {
        self.written(value).map(TreeView::meant)
    }

    /// The content of a document, which may have none; None if this reader cannot read it.
    pub fn root(self, value: Option<Value<'t>>) -> Option<TreeView<'t>> {
        match value {
            Some(value) => self.view(value),
            None => Some(self.missing(self.tree.len())),
        }
    }
}

impl<'t> TreeView<'t> {
    /// The node of a map or array.
    pub(crate) fn collection(self) -> Option<Node<'t>> {
        match self.content {
            Content::Collection(node) | Content::Part(node, _) => Some(node),
            _ => None,
        }
    }

    /// The node of what is written as a map or array, whatever it means.
    pub(crate) fn written_collection(self) -> Option<Node<'t>> {
        match self.content {
            Content::Opaque(node) => Some(node),
            _ => self.collection(),
        }
    }

    /// Whether nothing is known of it, because its text is broken, or because an alias stands for it.
    pub(crate) fn is_unknown(self) -> bool {
        matches!(self.content, Content::Unknown | Content::Alias)
    }

    /// Whether it is written as an alias.
    pub(crate) fn is_alias(self) -> bool {
        matches!(self.content, Content::Alias)
    }

    /// The name of an alias without a value.
    pub(crate) fn unknown_alias(self) -> Option<String> {
        let name = matches!(self.content, Content::Alias).then(|| self.text())?;
        let name = name.trim_start_matches('*');
        self.reader.names?.value(name).is_none().then(|| name.to_owned())
    }

    /// The value that an alias stands for; other values as they are.
    pub(crate) fn meant(self) -> Self {
        let reader = self.reader;
        let Some(names) = reader.names.filter(|_| matches!(self.content, Content::Alias)) else { return self };
        let value = names.value(self.text().trim_start_matches('*'));
        let copy = FxBuildHasher.hash_one((reader.copy, self.start)).max(1);
        value.and_then(|value| TreeReader { copy, ..reader }.written(value)).unwrap_or(self)
    }

    /// The pieces of a collection of kind `of`: single entries as `read` returns them, and groups as parts.
    fn pieces<T>(
        self,
        of: Kind,
        read: impl Fn(TreeReader<'t>, Node<'t>) -> Option<T> + 't,
    ) -> impl Iterator<Item = Piece<Self, T>> {
        let reader = self.reader;
        let node = self.collection().filter(|_| self.kind() == of);
        let parts = node.into_iter().flat_map(|node| node.parts()).filter_map(Element::node);
        let nodes = parts.flat_map(|part| {
            let broken = is_broken(part);
            let inside = broken.then(|| opened(part)).into_iter().flatten();
            (!broken).then_some(part).into_iter().chain(inside)
        });
        nodes.filter_map(move |node| match node.kind() {
            Syntax::Group => Some(self.part_piece(node, of)),
            Syntax::MapEntry if of == Kind::Map => read(reader, node).map(Piece::One),
            Syntax::SeqEntry if of == Kind::Array => read(reader, node).map(Piece::One),
            _ => None,
        })
    }

    /// Like [`TreeView::pieces`]; None if something in the collection is neither read nor a group.
    fn all_pieces<T>(
        self,
        of: Syntax,
        kind: Kind,
        read: impl Fn(TreeReader<'t>, Node<'t>) -> Option<T>,
    ) -> Option<Vec<Piece<Self, T>>> {
        let Some(collection) = self.collection().filter(|_| self.kind() == kind) else { return Some(Vec::new()) };
        let piece = |node: Node<'t>| match node.kind() {
            Syntax::Group => Some(self.part_piece(node, kind)),
            entry if entry == of => read(self.reader, node).map(Piece::One),
            _ => None,
        };
        collection.parts().filter_map(Element::node).map(piece).collect()
    }

    /// A group of entries or items.
    fn part(self, group: Node<'t>, kind: Kind) -> Self {
        let range = group.range();
        let content = Content::Part(group, kind);
        TreeView { reader: self.reader, content, start: range.start, end: range.end, before: 0 }
    }

    /// A group of entries or items, with their number.
    fn part_piece<T>(self, group: Node<'t>, kind: Kind) -> Piece<Self, T> {
        Piece::Part(self.part(group, kind), group.green().map_or(1, |group| group.count()))
    }

    /// Whether what is in a collection is read as an entry or item.
    fn is_readable(self, child: Node<'t>) -> bool {
        match child.kind() {
            Syntax::MapEntry => matches!(self.reader.entry(child), EntryParts::Pair(..)),
            Syntax::SeqEntry => self.reader.item(child).is_some(),
            _ => false,
        }
    }

    /// With its anchor and tag.
    fn range(self) -> Range<usize> {
        self.start - self.before as usize..self.end
    }

    /// The text of the content.
    fn text(self) -> Cow<'t, str> {
        self.reader.tree.text(self.start..self.end)
    }

    /// Whether it is a text in which another program puts something.
    fn is_substituted(self) -> bool {
        if !self.reader.file.substituted {
            return false;
        }
        // No mark has a character that is written in another way in quotes.
        match self.content {
            Content::Plain => is_substituted(&self.text()),
            Content::SingleQuoted | Content::DoubleQuoted => is_substituted(self.text().trim_matches(['"', '\''])),
            Content::Block(_) => self.text().split_once('\n').is_some_and(|(_, body)| is_substituted(body)),
            Content::Tagged(_) => self.cooked().is_some_and(|text| is_substituted(&text)),
            _ => false,
        }
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
            Content::Block(owner) => value_of(owner)?.scalar().map(|scalar| scalar.value_in(self.reader.file.profile)),
            Content::Tagged(owner) => {
                let value = value_of(owner)?;
                let Some(scalar) = value.scalar() else { return Some(Cow::Borrowed("")) };
                let text = scalar.value_in(self.reader.file.profile);
                let is_binary = value.tag().is_some_and(|tag| short_tag(&tag.text()) == "!!binary");
                match decode_base64(&text).filter(|_| is_binary) {
                    Some(bytes) => Some(lofting_eval::bytes::text(&bytes).into()),
                    None => Some(text),
                }
            }
            _ => None,
        }
    }

    /// What the text of a scalar means by its tag, if it has one.
    pub(crate) fn tagged(self) -> Option<Result<Resolved, TagError>> {
        let Content::Tagged(owner) = self.content else { return None };
        let (profile, value) = (self.reader.file.profile, value_of(owner)?);
        let tag = value.tag()?.text();
        let text = value.scalar().map(|scalar| scalar.value_in(profile)).unwrap_or_default();
        Some(resolve_text(profile, matches!(value.kind(), ValueKind::Plain), &text, Some(&tag)))
    }

    /// Folding and escapes are left to the parser; they are rare enough to parse the scalar again.
    fn reparsed(self) -> Option<Cow<'t, str>> {
        let begins = |value: &Value<'t>| value.content_range().start == self.start;
        let path = self.reader.tree.path_at(self.start);
        let value = path.into_iter().rev().find_map(|node| node.values().into_iter().flatten().find(begins))?;
        value.scalar().map(|scalar| scalar.value())
    }
}

impl<'t> WrittenKey<'t> {
    /// The key with its type.
    pub(crate) fn key(self) -> Key {
        let plain = matches!(self.0.content, Content::Plain);
        let text = self.0.cooked().unwrap_or_default();
        match if plain { resolve_plain(self.0.reader.file.profile, &text) } else { Resolved::String } {
            Resolved::Null => Key::Null,
            Resolved::Bool(value) => Key::Bool(value),
            Resolved::Int(value) => Key::int(value),
            Resolved::Float(value) => Key::Float(value.to_bits()),
            Resolved::String => Key::String(SmolStr::new(text)),
        }
    }

    /// Whether another program puts something in it, so that it is not known.
    fn is_substituted(self) -> bool {
        self.0.reader.file.substituted && self.0.cooked().is_some_and(|text| is_substituted_key(&text))
    }

    /// Where it is written.
    pub(crate) fn span(self) -> Span {
        Span::new(self.0.reader.file.id, self.0.range())
    }

    /// Whether it is the merge key.
    pub(crate) fn is_merge(self) -> bool {
        self.0.end - self.0.start == 2 && matches!(self.0.content, Content::Plain) && self.0.text() == "<<"
    }
}

/// The value of an entry, an item or a document.
fn value_of(owner: Node<'_>) -> Option<Value<'_>> {
    match owner.kind() {
        Syntax::MapEntry => Some(lofting_syntax::Entry::cast(owner)?.value()),
        Syntax::SeqEntry => Some(lofting_syntax::Item::cast(owner)?.value()),
        _ => lofting_syntax::Document::cast(owner)?.root(),
    }
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

/// A complete entry of a map; None otherwise.
fn pair<'t>(reader: TreeReader<'t>, entry: Node<'t>) -> Option<Entry<TreeView<'t>>> {
    match reader.entry(entry) {
        EntryParts::Pair(key, value) => Some(Entry {
            key: key.key(),
            key_span: key.span(),
            value: value.meant(),
            overlay: reader.file.overlay(entry),
        }),
        EntryParts::Incomplete | EntryParts::Odd => None,
    }
}

/// An item of an array, if it can be read.
fn item<'t>(reader: TreeReader<'t>, entry: Node<'t>) -> Option<Item<TreeView<'t>>> {
    let (span, value) = reader.item(entry)?;
    Some(Item { span, value: value.meant(), overlay: reader.file.overlay(entry) })
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
            Content::Alias | Content::Opaque(_) | Content::Unknown => Kind::Unknown,
            // Text on several lines is folded into words with blanks, which can only be a string.
            Content::Plain => kind_of(resolve_plain(self.reader.file.profile, &self.text())),
            Content::Tagged(_) => self.tagged().and_then(Result::ok).map_or(Kind::Unknown, kind_of),
        }
    }

    fn span(self) -> Span {
        Span::new(self.reader.file.id, self.range())
    }

    fn is_missing(self) -> bool {
        match self.content {
            Content::Missing => true,
            Content::Tagged(_) | Content::Unknown => self.start == self.end,
            _ => false,
        }
    }

    fn scalar(self) -> Option<Scalar> {
        let resolved = match self.content {
            _ if self.is_substituted() => return None,
            Content::Missing => Resolved::Null,
            Content::Plain => resolve_plain(self.reader.file.profile, &self.text()),
            Content::SingleQuoted | Content::DoubleQuoted | Content::Block(_) => Resolved::String,
            Content::Tagged(_) => self.tagged()?.ok()?,
            Content::Collection(_) | Content::Part(..) | Content::Alias | Content::Opaque(_) | Content::Unknown => {
                return None;
            }
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
        let reader = self.reader;
        let merged = self.with_merged();
        let map = self.collection().filter(|_| merged.is_none() && self.kind() == Kind::Map);
        let entries = map.into_iter().flat_map(|map| map.nodes().filter(|node| node.kind() == Syntax::MapEntry));
        merged.into_iter().flat_map(|map| map.entries).chain(entries.filter_map(move |entry| pair(reader, entry)))
    }

    fn items(self) -> impl Iterator<Item = Item<Self>> {
        let reader = self.reader;
        let array = self.collection().filter(|_| self.kind() == Kind::Array);
        let items = array.into_iter().flat_map(|array| array.nodes().filter(|node| node.kind() == Syntax::SeqEntry));
        items.filter_map(move |entry| item(reader, entry))
    }

    fn is_partial(self) -> bool {
        self.maybe_partial().is_none_or(|parts| parts.into_iter().any(Self::is_partial))
    }

    fn count(self) -> usize {
        match self.with_merged() {
            Some(merged) => merged.entries.len(),
            None => self.collection().and_then(|node| node.green()).map_or(0, |green| green.count()),
        }
    }

    fn maybe_partial(self) -> Option<Vec<Self>> {
        if let Some(merged) = self.with_merged() {
            return (!merged.is_partial).then(Vec::new);
        }
        let mut parts = Vec::new();
        for child in self.collection().into_iter().flat_map(|node| node.parts()).filter_map(Element::node) {
            match child.kind() {
                Syntax::Group => parts.push(self.part(child, self.kind())),
                _ if self.is_readable(child) => {}
                _ => return None,
            }
        }
        Some(parts)
    }

    fn entry_pieces(self) -> impl Iterator<Item = Piece<Self, Entry<Self>>> {
        let merged = self.with_merged();
        let pieces = merged.is_none().then(|| self.pieces(Kind::Map, pair));
        let merged = merged.into_iter().flat_map(|map| map.entries).map(Piece::One);
        merged.chain(pieces.into_iter().flatten())
    }

    fn item_pieces(self) -> impl Iterator<Item = Piece<Self, Item<Self>>> {
        self.pieces(Kind::Array, item)
    }

    fn all_entries(self) -> Option<Vec<Entry<Self>>> {
        if let Some(merged) = self.with_merged() {
            return (!merged.is_partial).then_some(merged.entries);
        }
        let read = |entry: Node<'t>| (entry.kind() == Syntax::MapEntry).then(|| pair(self.reader, entry))?;
        self.collection().map_or(Some(Vec::new()), |map| map.nodes().map(read).collect())
    }

    fn all_items(self) -> Option<Vec<Item<Self>>> {
        let read = |entry: Node<'t>| (entry.kind() == Syntax::SeqEntry).then(|| item(self.reader, entry))?;
        self.collection().map_or(Some(Vec::new()), |array| array.nodes().map(read).collect())
    }

    fn may_have_overlays(self) -> bool {
        self.reader.file.overlays
    }

    fn names(&self) -> u64 {
        self.collection().map_or(0, |node| self.reader.names_in(node))
    }

    fn copy(&self) -> u64 {
        self.reader.copy
    }

    fn first_annotations(&self) -> u64 {
        let node = self.collection().filter(|_| self.reader.file.overlays);
        node.and_then(|node| node.nodes().next()).map_or(0, |item| self.reader.file.annotations(item))
    }

    fn all_entry_pieces(self) -> Option<Vec<Piece<Self, Entry<Self>>>> {
        if let Some(merged) = self.with_merged() {
            return (!merged.is_partial).then(|| merged.entries.into_iter().map(Piece::One).collect());
        }
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

fn kind_of(resolved: Resolved) -> Kind {
    match resolved {
        Resolved::Null => Kind::Null,
        Resolved::Bool(_) => Kind::Bool,
        Resolved::Int(_) => Kind::Int,
        Resolved::Float(_) => Kind::Float,
        Resolved::String => Kind::String,
    }
}
