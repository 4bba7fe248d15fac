//! YAML that yaml.v2, with which ytt reads, refuses, and that newer libraries read.

use super::{follows_byte_order_mark, has_byte_order_mark};
use crate::{FileId, Issue, Refused, Span};
use lofting_syntax::{Document, Element, Kind, Node, Token, Tree, Value, ValueKind};
use std::ops::Range;

/// The documents that yaml.v2 refuses, judging by what is around their values.
pub(super) fn around_documents(file: FileId, tree: &Tree) -> Vec<Issue> {
    let mut search = Search { file, tree, found: Vec::new() };
    search.documents();
    search.found
}

/// The places in documents that yaml.v2 refuses. Only those parts of a tree are visited in which there may be one.
pub(super) fn in_documents(file: FileId, tree: &Tree) -> Vec<Issue> {
    let mut search = Search { file, tree, found: Vec::new() };
    let root = tree.root();
    if root.is_unusual() || root.has_names() {
        search.below(root);
    }
    search.found
}

struct Search<'t> {
    file: FileId,
    tree: &'t Tree,
    found: Vec<Issue>,
}

/// The key after a question mark with which an unquoted text begins: between brackets, yaml.v2 needs no blank between
/// them. `None` where the key is not simply text.
pub(super) fn marked_key(text: &str) -> Option<&str> {
    let key = text.strip_prefix('?')?;
    let is_text = key.chars().next().is_none_or(char::is_alphanumeric) && !key.contains('?');
    is_text.then_some(key)
}

/// What comes before a token in its node.
#[derive(Default)]
struct Passed {
    /// The node is between brackets.
    in_flow: bool,
    /// Where the first token or node begins that is not white space.
    entry: Option<usize>,
    /// Where the first one begins that is neither white space nor anchor or tag.
    key: Option<usize>,
    /// There is a question mark.
    question: bool,
    /// An unquoted text is the last of it, except for white space.
    text: bool,
}

impl Passed {
    fn pass(&mut self, kind: Kind, start: usize) {
        self.question |= kind == Kind::Question;
        self.text = kind == Kind::Plain || self.text && matches!(kind, Kind::Whitespace | Kind::Newline);
        if !kind.is_trivia() {
            self.entry.get_or_insert(start);
        }
        if !kind.is_trivia() && !kind.is_property() {
            self.key.get_or_insert(start);
        }
    }
}

/// yaml.v2 searches this many characters for the colon after a key.
const LONGEST_KEY: usize = 1024;

impl<'t> Search<'t> {
    fn push(&mut self, range: Range<usize>, what: Refused) {
        self.found.push(Issue::Refused { span: Span::new(self.file, range), what });
    }

    /// A document after `...` needs a marker, and a byte order mark turns what follows it into text.
    fn documents(&mut self) {
        let (mut ended, mut is_first) = (false, true);
        for child in self.tree.root().children() {
            let document = match child {
                Element::Token(token) => {
                    ended |= token.kind() == Kind::DocEnd;
                    continue;
                }
                Element::Node(node) => match Document::cast(node) {
                    Some(document) => document,
                    None => continue,
                },
            };
            let marker = document.start_marker().map(|token| token.range());
            let root = document.root();
            if let (None, true, Some(root)) = (&marker, ended, &root) {
                let start = root.range().start;
                self.push(start..start + self.first_line(root.range()), Refused::NoMarker);
            }
            ended |= document.end_marker().is_some();
            if let Some(root) = root {
                self.margin(root);
                if root.node().is_some() {
                    let is_first = std::mem::take(&mut is_first) && has_byte_order_mark(self.tree);
                    self.marked(root, marker, is_first);
                }
            }
        }
    }

    /// A byte order mark begins unquoted text. It turns into text the `---`, `-`, bracket or comment after it, and goes
    /// on with the lines below it.
    fn marked(&mut self, root: Value<'t>, marker: Option<Range<usize>>, is_first: bool) {
        if is_first {
            let comment = self.tree.comments_in(0..self.tree.len()).next().map(|token| token.range());
            if let Some(range) = marker.clone().or(comment).filter(|range| range.start == MARK) {
                return self.push(range, Refused::Mark);
            }
        }
        let range = root.range();
        let is_collection = root.seq().is_some() || root.map().is_some_and(|map| map.is_flow());
        let behind_it = is_collection && follows_byte_order_mark(self.tree, range.start);
        let below_it = is_first
            && marker.is_none()
            && range.start > MARK
            && self.tree.text(MARK..range.start).trim_start_matches([' ', '\t']).starts_with(['\n', '\r']);
        if behind_it || below_it {
            self.push(range.start..range.start + self.first_line(range), Refused::Mark);
        }
    }

    /// The text of a block scalar is indented by at least one column, even if the scalar is the document.
    fn margin(&mut self, root: Value<'t>) {
        if !matches!(root.kind(), ValueKind::Literal | ValueKind::Folded) {
            return;
        }
        let range = root.content_range();
        let text = self.tree.text(range.clone());
        let mut at = range.start;
        for (number, line) in text.split_inclusive('\n').enumerate() {
            let content = line.trim_end_matches(['\n', '\r']);
            if number > 0 && !content.is_empty() && !content.starts_with([' ', '\t']) {
                return self.push(at..at + content.len(), Refused::Margin);
            }
            at += line.len();
        }
    }

    fn below(&mut self, root: Node<'t>) {
        let mut open = vec![(root, false)];
        while let Some((node, in_flow)) = open.pop() {
            let in_flow = in_flow || matches!(node.kind(), Kind::FlowMap | Kind::FlowSeq);
            let mut passed = Passed { in_flow, ..Passed::default() };
            for child in node.children() {
                let (kind, start) = match child {
                    Element::Node(inner) => {
                        if inner.is_unusual() || inner.has_names() {
                            open.push((inner, in_flow));
                        }
                        (inner.kind(), inner.range().start)
                    }
                    Element::Token(token) => {
                        self.token(token, &passed);
                        (token.kind(), token.range().start)
                    }
                };
                passed.pass(kind, start);
            }
        }
    }

    fn token(&mut self, token: Token<'t>, passed: &Passed) {
        let range = token.range();
        match token.kind() {
            Kind::DoubleQuoted => self.escapes(&token.text(), range.start),
            Kind::Anchor | Kind::Alias => {
                let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
                if range.len() > 1 && !token.text().chars().skip(1).all(is_letter) {
                    self.push(range, Refused::Name);
                }
            }
            Kind::Tag => {
                let behind = self.tree.text(range.end..self.tree.len().min(range.end + 1));
                if token.text().contains('#') || passed.in_flow && behind.starts_with([',', '[', ']', '{', '}']) {
                    self.push(range, Refused::Tag);
                }
            }
            Kind::Plain if passed.in_flow => {
                let text = token.text();
                if text.starts_with(':') {
                    self.push(range.start..range.start + 1, Refused::Colon);
                } else if passed.entry.is_none() && marked_key(&text).is_some() {
                    // It is a key for yaml.v2.
                } else if let Some(at) = text.find('?') {
                    self.push(range.start + at..range.start + at + 1, Refused::Question);
                }
            }
            Kind::Colon => self.colon(range, passed),
            _ => {}
        }
    }

    fn colon(&mut self, range: Range<usize>, passed: &Passed) {
        let behind = self.tree.text(range.end..self.tree.len().min(range.end + 1));
        let entry = passed.entry.filter(|_| passed.in_flow && !passed.question);
        if let Some(start) = entry.filter(|start| self.tree.text(*start..range.start).contains(['\n', '\r'])) {
            self.push(start..start + self.first_line(start..range.start), Refused::KeyLines);
        } else if passed.in_flow && passed.text && matches!(&*behind, "[" | "{") {
            self.push(range.end..range.end + 1, Refused::Bracket);
        }
        let start = passed.key.filter(|start| !passed.question && range.start - start > LONGEST_KEY);
        if let Some(start) = start.filter(|start| self.tree.text(*start..range.start).chars().count() > LONGEST_KEY) {
            self.push(start..range.start, Refused::LongKey);
        }
    }

    /// The length of the first line of a text.
    fn first_line(&self, range: Range<usize>) -> usize {
        let text = self.tree.text(range);
        text.find(['\n', '\r']).unwrap_or(text.len())
    }

    fn escapes(&mut self, text: &str, start: usize) {
        let mut at = 0;
        while let Some(found) = text.get(at..).and_then(|rest| rest.find('\\')) {
            at += found;
            let digits = |at: usize| {
                let hex = text.get(at..at + 6)?.strip_prefix("\\u")?;
                u32::from_str_radix(hex, 16).ok()
            };
            if text.get(at + 1..).is_some_and(|rest| rest.starts_with('/')) {
                self.push(start + at..start + at + 2, Refused::Slash);
            } else if let (Some(0xD800..0xDC00), Some(0xDC00..0xE000)) = (digits(at), digits(at + 6)) {
                self.push(start + at..start + at + 12, Refused::Pair);
                at += 10;
            }
            at += 2;
        }
    }
}

/// Bytes of a byte order mark.
const MARK: usize = 3;
