//! The tree in YAML's own terms. A getter returns an `Option` for everything that the text may lack.

use crate::kind::Kind;
use crate::scalar::Scalar;
use crate::tree::{Element, Node, Token, Tree};
use std::ops::Range;

/// One document of a stream.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Document<'t>(Node<'t>);

impl<'t> Document<'t> {
    /// The node as a document.
    pub fn cast(node: Node<'t>) -> Option<Document<'t>> {
        (node.kind() == Kind::Document).then_some(Document(node))
    }

    /// From its first directive, marker or content to the end of its last line.
    pub fn range(&self) -> Range<usize> {
        self.0.range()
    }

    /// `---`
    pub fn start_marker(&self) -> Option<Token<'t>> {
        self.0.tokens().find(|token| token.kind() == Kind::DocStart)
    }

    /// `...`
    pub fn end_marker(&self) -> Option<Token<'t>> {
        self.0.tokens().find(|token| token.kind() == Kind::DocEnd)
    }

    /// `%YAML`, `%TAG` and unknown directives.
    pub fn directives(&self) -> impl Iterator<Item = Token<'t>> + use<'t> {
        self.0.tokens().filter(|token| token.kind() == Kind::Directive)
    }

    /// The value of the document; `None` if it has no content, anchor or tag.
    pub fn root(&self) -> Option<Value<'t>> {
        let value = Value::read(self.0, ValuePart::Root);
        (value.kind != ValueKind::Missing || value.anchor.is_some() || value.tag.is_some()).then_some(value)
    }

    /// The DOCUMENT node.
    pub fn node(&self) -> Node<'t> {
        self.0
    }
}

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// Nothing is written (null, possibly with anchor or tag).
    Missing,
    /// Unquoted scalar.
    Plain,
    /// `'...'`
    SingleQuoted,
    /// `"..."`
    DoubleQuoted,
    /// `|` block scalar.
    Literal,
    /// `>` block scalar.
    Folded,
    /// `*name`
    Alias,
    /// Keys on lines of their own.
    BlockMap,
    /// The keys of `{...}`, or the single pair of `[key: value]`.
    FlowMap,
    /// `- ` items.
    BlockSeq,
    /// `[...]`
    FlowSeq,
}

impl<'t> Node<'t> {
    /// The values whose tokens are directly in it: key and value of an entry, or the value of an item or a document.
    pub fn values(&self) -> [Option<Value<'t>>; 2] {
        match self.kind() {
            Kind::MapEntry => Entry::cast(*self).map_or([None, None], |entry| [entry.key(), Some(entry.value())]),
            Kind::SeqEntry => [Item::cast(*self).map(|item| item.value()), None],
            Kind::Document => [Document::cast(*self).and_then(|document| document.root()), None],
            _ => [None, None],
        }
    }
}

/// Which value of a node is meant.
#[derive(Clone, Copy, PartialEq)]
enum ValuePart {
    Root,
    Key,
    Value,
    Item,
}

/// A key or a value: anchor, tag and content.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value<'t> {
    owner: Node<'t>,
    kind: ValueKind,
    anchor: Option<Span>,
    tag: Option<Span>,
    start: usize,
    content: Span,
    body: Option<Span>,
    node: Option<Node<'t>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    start: usize,
    len: u32,
}

impl Span {
    fn end(self) -> usize {
        self.start + self.len as usize
    }

    fn token<'t>(self, tree: &'t Tree, kind: Kind) -> Token<'t> {
        Token { tree, kind, offset: self.start, len: self.len }
    }
}

impl<'t> Value<'t> {
    fn nothing(owner: Node<'t>) -> Value<'t> {
        Value {
            owner,
            kind: ValueKind::Missing,
            anchor: None,
            tag: None,
            start: usize::MAX,
            content: Span { start: owner.range().start, len: 0 },
            body: None,
            node: None,
        }
    }

    fn read(owner: Node<'t>, part: ValuePart) -> Value<'t> {
        let mut value = Value::nothing(owner);
        // A value comes after its indicator, a key before the colon.
        let mut inside = part != ValuePart::Value && part != ValuePart::Item;
        if part == ValuePart::Item && owner.tokens().all(|token| token.kind() != Kind::Dash) {
            inside = true;
        }
        for child in owner.children() {
            match child {
                Element::Token(token) => match token.kind() {
                    Kind::Colon | Kind::Dash | Kind::DocStart => {
                        if part == ValuePart::Key {
                            break;
                        }
                        inside = true;
                        value.content = Span { start: token.range().end, len: 0 };
                    }
                    Kind::Question => value.content = Span { start: token.range().end, len: 0 },
                    _ if inside => value.take_token(token),
                    _ => {}
                },
                Element::Node(node) if inside && node.kind().is_collection() => {
                    if value.kind != ValueKind::Missing {
                        // The key lacks its colon, and the deeper lines are its value.
                        break;
                    }
                    value.take_node(node);
                }
                Element::Node(_) => {}
            }
        }
        if value.start == usize::MAX {
            value.start = value.content.start;
        }
        value
    }

    fn take_token(&mut self, token: Token<'t>) {
        let range = token.range();
        let span = Span { start: range.start, len: token.len };
        let kind = match token.kind() {
            Kind::Anchor if self.kind == ValueKind::Missing => {
                self.anchor = Some(span);
                self.start = self.start.min(span.start);
                self.content = Span { start: span.end(), len: 0 };
                return;
            }
            Kind::Tag if self.kind == ValueKind::Missing => {
                self.tag = Some(span);
                self.start = self.start.min(span.start);
                self.content = Span { start: span.end(), len: 0 };
                return;
            }
            Kind::Plain => ValueKind::Plain,
            Kind::SingleQuoted => ValueKind::SingleQuoted,
            Kind::DoubleQuoted => ValueKind::DoubleQuoted,
            Kind::Alias => ValueKind::Alias,
            Kind::BlockHeader if token.text().starts_with('>') => ValueKind::Folded,
            Kind::BlockHeader => ValueKind::Literal,
            Kind::BlockBody => {
                self.body = Some(span);
                return;
            }
            _ => return,
        };
        if self.kind == ValueKind::Missing {
            self.kind = kind;
            self.content = span;
            self.start = self.start.min(span.start);
        }
    }

    fn take_node(&mut self, node: Node<'t>) {
        self.kind = match node.kind() {
            Kind::BlockMap => ValueKind::BlockMap,
            Kind::FlowMap => ValueKind::FlowMap,
            Kind::BlockSeq => ValueKind::BlockSeq,
            _ => ValueKind::FlowSeq,
        };
        let start = node.range().start;
        // Where it ends is looked for only when it is asked for.
        self.content = Span { start, len: 0 };
        self.start = self.start.min(start);
        self.node = Some(node);
    }

    /// Where its [range](Value::range) begins. Where it ends takes longer to tell.
    pub fn start(&self) -> usize {
        self.start
    }

    /// Anchor, tag and content; empty and directly after the indicator if nothing is written.
    pub fn range(&self) -> Range<usize> {
        self.start..self.content_range().end
    }

    /// The content alone, without anchor and tag. For a block scalar, its header and lines.
    pub fn content_range(&self) -> Range<usize> {
        let end = match self.node {
            Some(node) => node.content_end(),
            None => self.body.unwrap_or(self.content).end(),
        };
        self.content.start..end
    }

    /// How it is written.
    pub fn kind(&self) -> ValueKind {
        self.kind
    }

    /// Whether nothing is written.
    pub fn is_missing(&self) -> bool {
        self.kind == ValueKind::Missing
    }

    /// `&name`
    pub fn anchor(&self) -> Option<Token<'t>> {
        self.anchor.map(|span| span.token(self.owner.tree(), Kind::Anchor))
    }

    /// `!tag`
    pub fn tag(&self) -> Option<Token<'t>> {
        self.tag.map(|span| span.token(self.owner.tree(), Kind::Tag))
    }

    /// `*name`
    pub fn alias(&self) -> Option<Token<'t>> {
        (self.kind == ValueKind::Alias).then(|| self.content.token(self.owner.tree(), Kind::Alias))
    }

    /// The value as a mapping.
    pub fn map(&self) -> Option<Map<'t>> {
        self.node.and_then(Map::cast)
    }

    /// The value as a sequence.
    pub fn seq(&self) -> Option<Seq<'t>> {
        self.node.and_then(Seq::cast)
    }

    /// The value as a scalar; `None` for collections, aliases and missing values.
    pub fn scalar(&self) -> Option<Scalar<'t>> {
        let kind = match self.kind {
            ValueKind::Plain => Kind::Plain,
            ValueKind::SingleQuoted => Kind::SingleQuoted,
            ValueKind::DoubleQuoted => Kind::DoubleQuoted,
            ValueKind::Literal | ValueKind::Folded => Kind::BlockHeader,
            _ => return None,
        };
        let tree = self.owner.tree();
        Some(Scalar {
            style: self.kind,
            token: self.content.token(tree, kind),
            body: self.body.map(|body| body.token(tree, Kind::BlockBody)),
            column: self.owner.green.column(),
        })
    }

    /// The node of a collection.
    pub fn node(&self) -> Option<Node<'t>> {
        self.node
    }

    /// The node that holds the tokens of this value: an entry, an item or the document.
    pub fn owner(&self) -> Node<'t> {
        self.owner
    }
}

/// A mapping of either style.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Map<'t>(Node<'t>);

impl<'t> Map<'t> {
    /// The node as a mapping.
    pub fn cast(node: Node<'t>) -> Option<Map<'t>> {
        matches!(node.kind(), Kind::BlockMap | Kind::FlowMap).then_some(Map(node))
    }

    /// Its entries, including incomplete ones.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'t>> + use<'t> {
        self.0.nodes().filter_map(Entry::cast)
    }

    /// Whether it is `{...}` or a single pair in `[...]`.
    pub fn is_flow(&self) -> bool {
        self.0.kind() == Kind::FlowMap
    }

    /// Column of its entries; `None` in flow style.
    pub fn column(&self) -> Option<usize> {
        (!self.is_flow()).then_some(self.0.green.column() as usize)
    }

    /// From its first key to the end of its last line.
    pub fn range(&self) -> Range<usize> {
        self.0.range()
    }

    /// The node.
    pub fn node(&self) -> Node<'t> {
        self.0
    }
}

/// `key: value`
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry<'t>(Node<'t>);

impl<'t> Entry<'t> {
    /// The node as an entry.
    pub fn cast(node: Node<'t>) -> Option<Entry<'t>> {
        (node.kind() == Kind::MapEntry).then_some(Entry(node))
    }

    /// The key; `None` if nothing is written before the colon.
    pub fn key(&self) -> Option<Value<'t>> {
        let key = Value::read(self.0, ValuePart::Key);
        let written = !key.is_missing() || key.anchor.is_some() || key.tag.is_some();
        written.then_some(key)
    }

    /// Whether the key is a scalar with this text.
    pub fn is_named(&self, name: &str) -> bool {
        // Most keys are words of one line, which say what they are as they are written. Folded lines are shorter than what is
        // written.
        if let Some(first) = self.0.first_token()
            && first.kind() == Kind::Plain
        {
            if first.range().len() < name.len() {
                return false;
            }
            let text = first.text();
            if !text.contains(['\n', '\r']) {
                return text == name;
            }
        }
        self.key().and_then(|key| key.scalar()).is_some_and(|key| key.value() == name)
    }

    /// The value; of kind `Missing` if nothing is written after the colon.
    pub fn value(&self) -> Value<'t> {
        if self.colon().is_none() {
            return self.value_without_colon();
        }
        Value::read(self.0, ValuePart::Value)
    }

    /// Key and value in one pass, for reading all entries of a large file.
    pub fn parts(&self) -> EntryParts<'t> {
        let (mut key, mut value) = (Value::nothing(self.0), Value::nothing(self.0));
        let (mut colon, mut question, mut key_done) = (false, false, false);
        for child in self.0.children() {
            match child {
                Element::Token(token) => match token.kind() {
                    Kind::Colon => {
                        colon = true;
                        value.content = Span { start: token.range().end, len: 0 };
                    }
                    Kind::Question => {
                        question = true;
                        key.content = Span { start: token.range().end, len: 0 };
                    }
                    kind if kind.is_trivia() => {}
                    _ if colon => value.take_token(token),
                    _ if !key_done => key.take_token(token),
                    _ => {}
                },
                Element::Node(node) if node.kind().is_collection() => {
                    let target = if colon { &mut value } else { &mut key };
                    if target.kind == ValueKind::Missing {
                        target.take_node(node);
                    } else {
                        key_done = true;
                    }
                }
                Element::Node(_) => {}
            }
        }
        for part in [&mut key, &mut value] {
            if part.start == usize::MAX {
                part.start = part.content.start;
            }
        }
        let written = !key.is_missing() || key.anchor.is_some() || key.tag.is_some();
        let value = if colon { value } else { self.value_without_colon() };
        EntryParts { key: written.then_some(key), value, is_incomplete: !colon && !question }
    }

    /// Lines that are deeper than an incomplete key are meant as its value.
    fn value_without_colon(&self) -> Value<'t> {
        let mut value = Value {
            owner: self.0,
            kind: ValueKind::Missing,
            anchor: None,
            tag: None,
            start: self.0.content_end(),
            content: Span { start: self.0.content_end(), len: 0 },
            body: None,
            node: None,
        };
        if self.question().is_some() {
            return value;
        }
        let mut key_seen = false;
        let mut line_end = false;
        for child in self.0.children() {
            match child {
                Element::Token(token) if key_seen && !line_end => {
                    line_end = token.kind() == Kind::Newline;
                }
                Element::Token(token) if line_end => {
                    if value.is_missing() && !token.kind().is_trivia() {
                        value.start = value.start.min(token.range().start);
                    }
                    value.take_token(token);
                }
                Element::Token(token) => {
                    if !token.kind().is_trivia() && !token.kind().is_property() {
                        key_seen = true;
                        value.start = token.range().end;
                        value.content = Span { start: token.range().end, len: 0 };
                    }
                }
                Element::Node(node) if line_end && node.kind().is_collection() => {
                    value.start = node.range().start;
                    value.take_node(node);
                    break;
                }
                Element::Node(node) => {
                    key_seen = true;
                    value.start = node.range().end;
                    value.content = Span { start: node.range().end, len: 0 };
                }
            }
        }
        if !value.is_missing() && value.anchor.is_none() && value.tag.is_none() {
            value.start = value.content.start;
        }
        value
    }

    /// `:`
    pub fn colon(&self) -> Option<Token<'t>> {
        self.0.tokens().find(|token| token.kind() == Kind::Colon)
    }

    /// `?`
    pub fn question(&self) -> Option<Token<'t>> {
        self.0.tokens().find(|token| token.kind() == Kind::Question)
    }

    /// Whether it is a key that still lacks its colon. In flow mappings `{a, b}` such a key is
    /// valid YAML with the value null.
    pub fn is_incomplete(&self) -> bool {
        self.colon().is_none() && self.question().is_none()
    }

    /// From the key to the end of the value, without trailing white space and comments.
    pub fn range(&self) -> Range<usize> {
        self.0.range().start..self.0.content_end()
    }

    /// The MAP_ENTRY node. Its range includes the line break.
    pub fn node(&self) -> Node<'t> {
        self.0
    }
}

/// Key and value of an entry, see [`Entry::key`], [`Entry::value`] and [`Entry::is_incomplete`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EntryParts<'t> {
    /// The key.
    pub key: Option<Value<'t>>,
    /// The value.
    pub value: Value<'t>,
    /// A key that still lacks its colon.
    pub is_incomplete: bool,
}

/// A sequence of either style.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seq<'t>(Node<'t>);

impl<'t> Seq<'t> {
    /// The node as a sequence.
    pub fn cast(node: Node<'t>) -> Option<Seq<'t>> {
        matches!(node.kind(), Kind::BlockSeq | Kind::FlowSeq).then_some(Seq(node))
    }

    /// Its items.
    pub fn items(&self) -> impl Iterator<Item = Item<'t>> + use<'t> {
        self.0.nodes().filter_map(Item::cast)
    }

    /// The item at an index. Of a long sequence only the groups on the way are looked into.
    pub fn item(&self, index: usize) -> Option<Item<'t>> {
        let mut left = index;
        let mut open = vec![self.0.parts()];
        while let Some(parts) = open.last_mut() {
            let node = match parts.next() {
                Some(Element::Node(node)) => node,
                Some(Element::Token(_)) => continue,
                None => {
                    open.pop();
                    continue;
                }
            };
            // A node that is not allowed is counted, but is not an item.
            if node.kind() == Kind::Group && !node.has_errors() && node.count() <= left {
                left -= node.count();
            } else if node.kind() == Kind::Group {
                open.push(node.parts());
            } else if let Some(item) = Item::cast(node) {
                if left == 0 {
                    return Some(item);
                }
                left -= 1;
            }
        }
        None
    }

    /// Whether it is `[...]`.
    pub fn is_flow(&self) -> bool {
        self.0.kind() == Kind::FlowSeq
    }

    /// Column of its dashes; `None` in flow style.
    pub fn column(&self) -> Option<usize> {
        (!self.is_flow()).then_some(self.0.green.column() as usize)
    }

    /// From its first item to the end of its last line.
    pub fn range(&self) -> Range<usize> {
        self.0.range()
    }

    /// The node.
    pub fn node(&self) -> Node<'t> {
        self.0
    }
}

/// `- value`
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Item<'t>(Node<'t>);

impl<'t> Item<'t> {
    /// The node as an item.
    pub fn cast(node: Node<'t>) -> Option<Item<'t>> {
        (node.kind() == Kind::SeqEntry).then_some(Item(node))
    }

    /// `-`; None in flow style.
    pub fn dash(&self) -> Option<Token<'t>> {
        self.0.tokens().find(|token| token.kind() == Kind::Dash)
    }

    /// The value; of kind `Missing` if nothing is written after the dash.
    pub fn value(&self) -> Value<'t> {
        Value::read(self.0, ValuePart::Item)
    }

    /// From the dash to the end of the value, without trailing white space and comments.
    pub fn range(&self) -> Range<usize> {
        self.0.range().start..self.0.content_end()
    }

    /// The SEQ_ENTRY node. Its range includes the line break.
    pub fn node(&self) -> Node<'t> {
        self.0
    }
}
