//! The parser: reads lines, keeps an explicit stack of open nodes, never recurses and never fails.
//!
//! What an entry of a collection becomes depends only on its own text, on the text after it that was looked at, and on
//! its collection's kind and column. The incremental part ([`reuse`]) relies on this: a new rule must not look at outer
//! levels.

mod block;
mod flow;
mod input;
mod line;
mod loose;
mod reuse;
mod scalar;
mod scan;
mod stream;
mod two;

use crate::error::ErrorCode;
use crate::green::{self, Body, Green, OneLine, RelativeError, flag, token_flags};
use crate::kind::Kind;
use crate::source::Source;
use crate::tree::Tree;
use input::Input;
use reuse::Reuse;
pub(crate) use scalar::valid_tag;
use std::ops::Range;
use std::sync::Arc;

/// Collections that may be open at once (rule 8). Consumers may rely on it.
pub const MAX_NESTING: usize = 2_000;

/// `MAX_NESTING` under the name that the parser uses.
const DEEPEST: usize = MAX_NESTING;

/// Parses any text. Never fails: errors are listed by [`Tree::errors`]. Text beyond 4 GB is cut off.
pub fn parse(text: &str) -> Tree {
    let text = within_limit(text);
    let green = Parser::new(Input::whole(text), None).run();
    loose::settle(Tree::strict(Arc::new(Source::new(text)), green, Arc::default()), None)
}

/// Like [`parse`], on two threads if the text is large and the system has them.
pub fn parse_in_two(text: &str) -> Tree {
    let text = within_limit(text);
    two::cut(text).map_or_else(|| parse(text), |cut| two::parse_at(text, cut))
}

fn within_limit(text: &str) -> &str {
    let mut end = text.len().min(u32::MAX as usize - 16);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

pub(crate) fn edit(tree: &Tree, range: Range<usize>, new_text: &str) -> Tree {
    let end = tree.source.floor(range.end);
    let start = tree.source.floor(range.start).min(end);
    if tree.len() + new_text.len() > u32::MAX as usize - 16 {
        let mut text = tree.to_text();
        text.replace_range(start..end, new_text);
        return parse(&text);
    }
    let source = tree.source.edit(start..end, new_text);
    let reuse = |old| Reuse::new(old, start..end, new_text.len());
    let (strict, loose) = tree.readings();
    let green = Parser::new(Input::window(&source), Some(reuse(strict))).run();
    loose::settle(Tree::strict(Arc::new(source), green, Arc::clone(&tree.names)), loose.map(reuse))
}

/// An open node.
struct Frame {
    kind: Kind,
    flags: u8,
    /// See [`Green::column`]; -1 for a document.
    column: i64,
    start: usize,
    first_word: usize,
    first_node: usize,
    height: u16,
    /// A child is a group.
    grouped: bool,
    /// For a block collection: the column of the previous entry, if that is not the collection's. Consecutive misplaced
    /// lines share one error.
    misplaced: Option<i64>,
    first_error: usize,
    state: State,
    /// For a flow entry: its last content was quoted or in brackets, so a colon may follow directly.
    json: bool,
    /// For a flow entry: it began with `?`.
    explicit: bool,
    /// For a flow entry: anchor and tag of the current key or value.
    properties: block::Properties,
    /// The end of the text that was looked at before the node was opened; see [`Parser::open_apart`].
    looked_at: usize,
}

/// How much of an entry (or a document) has been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Nothing special: collections, items, entries whose value is expected or read.
    Plain,
    /// An explicit key (`? `) whose colon may be on a later line.
    Explicit,
    /// A flow entry: nothing read yet.
    Empty,
    /// A flow entry: anchor or tag read.
    Properties,
    /// A flow entry: content read; it may turn out to be a key.
    Content,
    /// A flow entry: colon read.
    Colon,
    /// A flow entry: content after the colon read.
    Value,
    /// The flow mapping of a single pair, without braces.
    SinglePair,
}

struct AbsoluteError {
    code: ErrorCode,
    start: usize,
    end: usize,
}

/// The next step of the parser.
enum Step {
    /// Look at the next line, or at the text after a complete value.
    Next,
    /// Read a value for the open entry or document.
    Value(ValueStart),
    /// Read the key of the open entry.
    Key,
    /// Continue reading the open flow collection.
    Flow,
    /// All text is read.
    End,
}

/// Where a value may begin.
#[derive(Clone, Copy, Debug)]
struct ValueStart {
    /// The column that its later lines must exceed.
    column: i64,
    /// A sequence may begin at that very column (`key:` with `- ` below it).
    same_column_seq: bool,
    /// A block collection may begin on this line.
    compact: bool,
    /// It is on the line of `---`.
    start_line: bool,
}

/// The beginning of a line.
#[derive(Clone, Copy, Debug)]
struct Peek {
    line_start: usize,
    /// Its first byte that is neither blank nor comment.
    at: usize,
    /// Blanks before it.
    column: usize,
    /// Leading spaces; fewer than `column` if there are tabs.
    spaces: usize,
    /// `- `
    dash: bool,
    /// `---` or `...`
    marker: bool,
}

struct Parser<'a> {
    input: Input<'a>,
    pos: usize,
    line_start: usize,
    frames: Vec<Frame>,
    /// The children of all open nodes, innermost last: one word each, and the nodes among them.
    words: Vec<u32>,
    nodes: Vec<Arc<Green>>,
    errors: Vec<AbsoluteError>,
    /// Open collections.
    depth: usize,
    peeked: Option<(usize, Option<Peek>)>,
    /// A (column, quote) for which no closing quote was found up to an offset, and how far was looked for that.
    no_quote: ((i64, u8), usize, usize),
    /// The column of the block around the open flow collection.
    flow_column: i64,
    /// Frames below the outermost open flow collection.
    flow_base: usize,
    /// The open flow collection is a key.
    flow_key: bool,
    flow_start: usize,
    reuse: Option<Reuse<'a>>,
    /// Nodes of the text further down, which another thread reads.
    ahead: Option<two::Ahead<'a>>,
    /// Lines of quoted and flow scalars may be in any column.
    loose: bool,
}

impl<'a> Parser<'a> {
    fn new(input: Input<'a>, reuse: Option<Reuse<'a>>) -> Parser<'a> {
        Parser {
            input,
            pos: 0,
            line_start: 0,
            frames: Vec::with_capacity(64),
            words: Vec::with_capacity(1024),
            nodes: Vec::with_capacity(256),
            errors: Vec::new(),
            depth: 0,
            peeked: None,
            no_quote: ((0, 0), 0, 0),
            flow_column: 0,
            flow_base: 0,
            flow_key: false,
            flow_start: 0,
            reuse,
            ahead: None,
            loose: false,
        }
    }

    fn run(mut self) -> Arc<Green> {
        self.open(Kind::Stream, -1);
        let mut step = Step::Next;
        loop {
            step = match step {
                Step::Next => self.next(),
                Step::Value(place) => self.value(place),
                Step::Key => self.key(),
                Step::Flow => self.flow(),
                Step::End => break,
            };
        }
        while self.frames.len() > 1 {
            self.close();
        }
        self.close();
        self.nodes.pop().unwrap_or_else(|| Arc::new(empty_stream()))
    }

    // ---- building ----

    fn open(&mut self, kind: Kind, column: i64) {
        self.depth += usize::from(kind.is_collection());
        self.frames.push(Frame {
            kind,
            flags: 0,
            column,
            start: self.pos,
            first_word: self.words.len(),
            first_node: self.nodes.len(),
            height: 0,
            grouped: false,
            misplaced: None,
            first_error: self.errors.len(),
            state: State::Plain,
            json: false,
            explicit: false,
            properties: block::Properties::default(),
            looked_at: 0,
        });
    }

    /// Opens a node for which is noted how far the text is looked at from here on, whatever the nodes around it have looked
    /// at: in flow style they may all be on one line.
    fn open_apart(&mut self, kind: Kind, column: i64) {
        self.open(kind, column);
        if let Some(frame) = self.frames.last_mut() {
            frame.looked_at = std::mem::replace(&mut self.input.furthest, self.pos);
        }
    }

    /// Finishes the innermost open node.
    fn close(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        self.depth -= usize::from(frame.kind.is_collection());
        let mut flags = frame.flags;
        let mut height = frame.height;
        let column = match frame.kind {
            Kind::FlowMap | Kind::FlowSeq => frame.column + 1,
            _ => frame.column.max(0),
        } as u32;
        if frame.grouped || green::is_long(&self.words[frame.first_word..]) {
            let nodes = self.nodes.split_off(frame.first_node);
            let (words, nodes) = green::group(&self.words[frame.first_word..], nodes);
            height = nodes.iter().map(|node| node.height).fold(height, u16::max);
            self.words.truncate(frame.first_word);
            self.words.extend(words);
            self.nodes.extend(nodes);
        }
        let words = &self.words[frame.first_word..];
        let body = if self.errors.len() > frame.first_error {
            flags |= flag::ERROR;
            let start = frame.start;
            let relative = self.errors.drain(frame.first_error..).map(|error| RelativeError {
                code: error.code,
                start: error.start.saturating_sub(start) as u32,
                len: (error.end - error.start) as u32,
            });
            Body::with_errors(words, &mut self.nodes, frame.first_node, relative.collect())
        } else {
            Body::new(words, &mut self.nodes, frame.first_node)
        };
        self.words.truncate(frame.first_word);
        self.add_node(Arc::new(Green {
            kind: frame.kind,
            flags,
            height: height.saturating_add(1),
            len: (self.pos - frame.start) as u32,
            lookahead: self.input.furthest.saturating_sub(self.pos) as u32,
            column,
            body,
        }));
        self.input.look_to(frame.looked_at);
    }

    /// Adds a finished node to the innermost open one.
    fn add_node(&mut self, node: Arc<Green>) {
        green::push_node(&mut self.words);
        if let Some(frame) = self.frames.last_mut() {
            frame.flags |= node.flags & flag::INHERITED;
            frame.height = frame.height.max(node.height);
            frame.grouped |= node.kind == Kind::Group;
        }
        self.nodes.push(node);
    }

    /// Adds an entry of one line to the innermost open node.
    fn add_line(&mut self, line: OneLine) {
        self.words.extend_from_slice(line.words());
        if let Some(frame) = self.frames.last_mut() {
            frame.height = frame.height.max(1);
        }
    }

    /// Adds a token from the current position to `end`.
    #[inline]
    fn token(&mut self, kind: Kind, end: usize) {
        if end > self.pos {
            green::push_token(&mut self.words, kind, (end - self.pos) as u32);
            self.pos = end;
            let flags = token_flags(kind);
            if flags != 0
                && let Some(frame) = self.frames.last_mut()
            {
                frame.flags |= flags;
            }
        }
    }

    fn error(&mut self, code: ErrorCode, range: Range<usize>) {
        self.errors.push(AbsoluteError { code, start: range.start, end: range.end.max(range.start) });
    }

    /// Adds the blanks at the current position; returns whether there were any.
    #[inline]
    fn blanks(&mut self) -> bool {
        let line = self.input.line_from(self.pos);
        let len = line.iter().take_while(|&&b| scan::is_blank(b)).count();
        self.input.look_to(self.pos + len + 1);
        self.token(Kind::Whitespace, self.pos + len);
        len > 0
    }

    /// Adds the line break at the current position.
    #[inline]
    fn line_break(&mut self) {
        let len = self.input.break_len(self.pos);
        self.token(Kind::Newline, self.pos + len);
        self.line_start = self.pos;
    }

    /// Looks at the next line with content, starting at the current position (a line start).
    fn peek(&mut self) -> Option<Peek> {
        self.peek_from(self.pos)
    }

    fn peek_from(&mut self, from: usize) -> Option<Peek> {
        if let Some((at, peek)) = self.peeked
            && at == from
        {
            return peek;
        }
        let mut line_start = from;
        let peek = loop {
            let line_end = self.input.line_end(line_start);
            let line = self.input.rest_of_line(line_start);
            let spaces = line.iter().take_while(|&&b| b == b' ').count();
            let mut column = spaces;
            while line.get(column).is_some_and(|&b| scan::is_blank(b)) {
                column += 1;
            }
            match line.get(column) {
                None | Some(b'#') => {}
                Some(_) => {
                    break Some(Peek {
                        line_start,
                        at: line_start + column,
                        column,
                        spaces,
                        dash: scan::indicator(&line[column..], b'-'),
                        marker: column == 0 && scan::marker(line),
                    });
                }
            }
            let next = line_end + self.input.break_len(line_end);
            if next == line_end {
                break None;
            }
            line_start = next;
        };
        self.peeked = Some((from, peek));
        peek
    }

    /// Adds blank lines, comments and indentation from a line start up to `end`.
    fn trivia_to(&mut self, end: usize) {
        while self.pos < end {
            self.blanks();
            if self.pos >= end {
                break;
            }
            let line_end = self.input.line_end(self.pos);
            self.token(Kind::Comment, line_end);
            let before = self.pos;
            self.line_break();
            if self.pos == before {
                break;
            }
        }
    }

    /// Finishes a line after a value: blanks, comment, line break; anything else is an error.
    fn finish_line(&mut self) {
        let blanks = self.blanks() || self.pos == self.line_start;
        let line_end = self.input.line_end(self.pos);
        if self.pos < line_end {
            if self.input.byte(self.pos) == b'#' {
                if !blanks {
                    self.error(ErrorCode::CommentSpace, self.pos..self.pos + 1);
                }
            } else {
                self.unexpected(ErrorCode::UnexpectedText);
            }
            self.blanks();
            self.token(Kind::Comment, line_end);
        }
        self.line_break();
    }

    /// The rest of the line (without a comment) is not allowed here.
    fn unexpected(&mut self, code: ErrorCode) {
        let line = self.input.rest_of_line(self.pos);
        let mut end = line.len();
        if let Some(at) = (1..line.len()).find(|&at| line[at] == b'#' && scan::is_blank(line[at - 1])) {
            end = at;
        }
        while end > 1 && scan::is_blank(line[end - 1]) {
            end -= 1;
        }
        let end = self.pos + end;
        self.error(code, self.pos..end);
        self.token(Kind::ErrorText, end);
    }

    fn column(&self) -> usize {
        self.pos - self.line_start
    }
}

fn empty_stream() -> Green {
    Green {
        kind: Kind::Stream,
        flags: 0,
        height: 1,
        len: 0,
        lookahead: 2,
        column: 0,
        body: Body::new(&[], &mut Vec::new(), 0),
    }
}
