//! Reads entries and items, token by token.

use super::{Content, TreeReader, TreeView, WrittenKey};
use lofting_document::Span;
use lofting_syntax::resolve::{Profile, is_of_application, short_tag};
use lofting_syntax::{Element, Kind as Syntax, Node, Token, Value, ValueKind, named_handle};
use std::ops::Range;

/// The parts of an entry of a map.
pub(crate) enum EntryParts<'t> {
    /// `key: value`
    Pair(WrittenKey<'t>, TreeView<'t>),
    /// Not a key yet: one without a colon, most likely being typed, or one in which another program puts something.
    Incomplete,
    /// Something that this view cannot read.
    Odd,
}

/// A value of which some tokens were read.
struct Started<'t> {
    view: TreeView<'t>,
    /// Where its anchor or tag begins.
    first: Option<usize>,
    tag: Option<Token<'t>>,
}

impl<'t> TreeReader<'t> {
    /// Reads an entry of a map.
    pub(crate) fn entry(self, entry: Node<'t>) -> EntryParts<'t> {
        if let Some((Some(key), _, value)) = entry.one_line() {
            return match (self.scalar_at(key), self.scalar_at(value)) {
                (Some(key), Some(_)) if WrittenKey(key).is_substituted() => EntryParts::Incomplete,
                (Some(key), Some(value)) => EntryParts::Pair(WrittenKey(key), value),
                _ => EntryParts::Odd,
            };
        }
        let (mut key, mut anchor): (Option<TreeView<'t>>, Option<usize>) = (None, None);
        let mut value: Option<Started<'t>> = None;
        for child in entry.children() {
            let token = match child {
                Element::Token(token) => token,
                Element::Node(node) => match &mut value {
                    Some(value) if value.is_missing() && node.kind().is_collection() => {
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
            match (&mut value, token.kind()) {
                (None, Syntax::Colon) => value = Some(Started::new(self.missing(token.range().end))),
                (None, Syntax::Anchor) if key.is_none() && self.names.is_some() => {
                    anchor = Some(token.range().start);
                }
                (None, _) => match self.scalar_at(token) {
                    Some(scalar) if key.is_none() => key = Some(scalar.after(anchor)),
                    // A second line below a key without a colon.
                    Some(_) => return EntryParts::Incomplete,
                    None => return EntryParts::Odd,
                },
                (Some(value), _) => {
                    if !value.takes(token, entry) {
                        return EntryParts::Odd;
                    }
                }
            }
        }
        let is_block = || entry.range().end >= self.tree.len() || ends_line(entry);
        match (key, value) {
            (Some(key), Some(_)) if WrittenKey(key).is_substituted() => EntryParts::Incomplete,
            (Some(key), Some(value)) => match value.finished(entry) {
                Some(value) => EntryParts::Pair(WrittenKey(key), value),
                None => EntryParts::Odd,
            },
            // Between brackets, a key without a colon has no value. In a block, which ends with its line, it is half-typed.
            (Some(key), None) if !is_block() => EntryParts::Pair(WrittenKey(key), self.missing(key.end)),
            (Some(_), None) => EntryParts::Incomplete,
            // `: value`, an empty key.
            _ => EntryParts::Odd,
        }
    }

    /// Reads an item of an array: its start and its value.
    pub(crate) fn item(self, item: Node<'t>) -> Option<(Span, TreeView<'t>)> {
        if let Some((None, dash, value)) = item.one_line() {
            let value = self.scalar_at(value)?;
            return Some((self.span(dash.map_or(value.range(), |dash| dash.range())), value));
        }
        let mut value = Started::new(self.missing(item.range().start));
        let mut dash = None;
        for child in item.children() {
            match child {
                Element::Token(token) if token.kind() == Syntax::Dash => {
                    let range = token.range();
                    value = Started::new(self.missing(range.end));
                    dash = Some(range);
                }
                Element::Token(token) if token.kind().is_trivia() => {}
                Element::Token(token) if value.takes(token, item) => {}
                Element::Node(node) if value.is_missing() && node.kind().is_collection() => {
                    value.set(Content::Collection(node), node.range());
                }
                _ => return None,
            }
        }
        let value = value.finished(item)?;
        Some((self.span(dash.unwrap_or(value.range())), value))
    }

    /// A value as it is written: an alias is not followed. None if this reader cannot read it.
    pub(super) fn written(self, value: Value<'t>) -> Option<TreeView<'t>> {
        let owner = value.owner();
        let (first, tag) = (value.start(), value.tag());
        if self.names.is_none() && (value.anchor().is_some() || tag.is_some()) {
            return None;
        }
        let content = match (value.kind(), value.node()) {
            (ValueKind::Missing, _) => Content::Missing,
            (ValueKind::Plain, _) => Content::Plain,
            (ValueKind::SingleQuoted, _) => Content::SingleQuoted,
            (ValueKind::DoubleQuoted, _) => Content::DoubleQuoted,
            (ValueKind::Literal | ValueKind::Folded, _) => Content::Block(owner),
            (ValueKind::Alias, _) if self.names.is_some() => Content::Alias,
            (_, Some(node)) => Content::Collection(node),
            _ => return None,
        };
        // As entries and items read it.
        let range = value.node().map_or_else(|| value.content_range(), |node| node.range());
        let view = TreeView { reader: self, content, start: range.start, end: range.end, before: 0 };
        let first = Some(first).filter(|first| *first < range.start);
        Started { view, first, tag }.finished(owner)
    }

    /// Nothing, where it could be.
    pub(super) fn missing(self, at: usize) -> TreeView<'t> {
        TreeView { reader: self, content: Content::Missing, start: at, end: at, before: 0 }
    }

    /// A scalar that consists of one token.
    fn scalar_at(self, token: Token<'t>) -> Option<TreeView<'t>> {
        let content = match token.kind() {
            Syntax::Plain => Content::Plain,
            Syntax::SingleQuoted => Content::SingleQuoted,
            Syntax::DoubleQuoted => Content::DoubleQuoted,
            _ => return None,
        };
        let range = token.range();
        Some(TreeView { reader: self, content, start: range.start, end: range.end, before: 0 })
    }

    fn span(self, range: Range<usize>) -> Span {
        Span::new(self.file.id, range)
    }
}

impl<'t> Started<'t> {
    fn new(view: TreeView<'t>) -> Self {
        Started { view, first: None, tag: None }
    }

    fn set(&mut self, content: Content<'t>, range: Range<usize>) {
        self.view.content = content;
        (self.view.start, self.view.end) = (range.start, range.end);
    }

    fn is_missing(&self) -> bool {
        matches!(self.view.content, Content::Missing)
    }

    /// Adds a token; false if it cannot be read.
    fn takes(&mut self, token: Token<'t>, owner: Node<'t>) -> bool {
        let (kind, range, reader) = (token.kind(), token.range(), self.view.reader);
        match (self.view.content, kind) {
            (Content::Missing, Syntax::Anchor | Syntax::Tag) if reader.names.is_some() => {
                self.tag = self.tag.or(Some(token).filter(|_| kind == Syntax::Tag));
                self.first = self.first.or(Some(range.start));
                (self.view.start, self.view.end) = (range.end, range.end);
            }
            (Content::Missing, Syntax::Alias) if reader.names.is_some() => self.set(Content::Alias, range),
            (Content::Missing, Syntax::BlockHeader) => self.set(Content::Block(owner), range),
            (Content::Block(_), Syntax::BlockBody) => self.view.end = range.end,
            (Content::Missing, _) => match reader.scalar_at(token) {
                Some(scalar) => self.set(scalar.content, range),
                // Broken text, which the parser has already reported.
                None if kind == Syntax::ErrorText => self.set(Content::Unknown, range),
                None => return false,
            },
            (_, Syntax::ErrorText) => self.view.content = Content::Unknown,
            _ => return false,
        }
        true
    }

    /// The value, all of whose tokens were read; None if it cannot be read.
    fn finished(self, owner: Node<'t>) -> Option<TreeView<'t>> {
        let Started { mut view, first, tag } = self;
        if let Some(tag) = tag {
            let text = tag.text();
            // What a handle stands for is a directive of the document.
            if named_handle(&text).is_some() {
                return None;
            }
            let profile = view.reader.file.profile;
            let is_opaque = profile == Profile::Core12 && is_of_application(&text);
            view.content = match view.content {
                Content::Collection(node) if is_opaque => Content::Opaque(node),
                content @ (Content::Collection(_) | Content::Unknown | Content::Alias) => content,
                _ if is_opaque => Content::Unknown,
                Content::Missing if !profile.library().tags_empty_text() && short_tag(&text) != "!!str" => {
                    Content::Missing
                }
                _ => Content::Tagged(owner),
            };
        }
        Some(view.after(first))
    }
}

impl TreeView<'_> {
    /// With an anchor or a tag, which begins at this offset.
    fn after(self, first: Option<usize>) -> Self {
        let before = first.and_then(|first| u32::try_from(self.start.checked_sub(first)?).ok());
        TreeView { before: before.unwrap_or_default(), ..self }
    }
}

/// Whether a node ends with a line break.
fn ends_line(node: Node<'_>) -> bool {
    let end = node.range().end;
    matches!(node.tree().text(end.saturating_sub(1)..end).as_bytes(), [b'\n' | b'\r'])
}
