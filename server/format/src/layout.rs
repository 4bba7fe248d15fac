//! The column of every line.
//!
//! Walks over the tree once, token by token. A line's column follows from what it begins with: an entry is in the
//! column of its collection, a collection is one step deeper than its key, and what continues the line above moves with
//! that line. Comments wait for what comes below them.

use crate::code::Code;
use crate::comments::{Around, Own, lacks_space_after};
use crate::edits::{Edit, Edits};
use crate::gaps;
use crate::options::{Options, Quotes, Sequences};
use crate::style::Style;
use lofting_syntax::{Event, Kind, Node, Token, Tree};
use std::ops::Range;

/// A position on a line before and after, in bytes from the start of the line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Column {
    pub(crate) old: usize,
    pub(crate) new: usize,
}

impl Column {
    fn delta(self) -> isize {
        self.new as isize - self.old as isize
    }
}

/// An open node, as far as it must be known when it ends.
#[derive(Clone, Copy, PartialEq)]
enum Open {
    Collection,
    Entry,
    Other,
}

/// An open entry of a block collection.
#[derive(Clone, Copy)]
struct OpenEntry {
    /// The column of its key or dash, after its first token.
    column: Option<Column>,
    is_map: bool,
    /// It begins with `?`.
    explicit: bool,
}

/// The line that is being read.
#[derive(Default)]
pub(crate) struct Line {
    /// Its first byte.
    pub(crate) start: usize,
    /// How far its first token moves.
    indent: isize,
    /// How far the current token moves.
    pub(crate) delta: isize,
    /// Kind and end of the last token; `None` before the first one.
    last: Option<(Kind, usize)>,
}

/// A text that is being formatted.
pub(crate) struct Layout<'a> {
    pub(crate) text: &'a str,
    pub(crate) style: Style,
    pub(crate) options: &'a Options,
    pub(crate) code: Code,
    pub(crate) edits: Edits<'a>,
    pub(crate) line: Line,
    open: Vec<Open>,
    entries: Vec<OpenEntry>,
    collections: Vec<Column>,
    /// A block collection before its first token.
    beginning: Option<(Kind, Range<usize>)>,
    /// Open brackets, and how far the line of the outermost one moves.
    brackets: Vec<Column>,
    brackets_indent: isize,
    /// The indicator of the last block scalar header.
    pub(crate) block_indent: Option<usize>,
    /// Comments whose column is not known yet.
    pub(crate) waiting: Vec<Own>,
    /// New columns of the comments on their own lines.
    comment_columns: Vec<usize>,
    next_comment: usize,
    closed: Vec<Column>,
    trailing: Option<Column>,
    ceiling: Option<usize>,
    /// Comments below a block scalar at the root of a document could become its text.
    below_root_scalar: bool,
    /// Where the comments at the beginning of the file end.
    pub(crate) head_end: usize,
    /// Blank lines that may stay, until something follows them.
    blank: Vec<Range<usize>>,
    /// Something other than white space and a byte order mark was seen.
    begun: bool,
    /// Blank lines are the text of the block scalar above.
    keeps_blank: bool,
    /// A line break at the end of the text would belong to a block scalar.
    ends_open: bool,
}

impl<'a> Layout<'a> {
    pub(crate) fn new(
        text: &'a str,
        style: Style,
        options: &'a Options,
        code: Code,
        lines: Range<usize>,
    ) -> Layout<'a> {
        let comment_columns = vec![0; code.lines().len()];
        Layout {
            text,
            style,
            options,
            code,
            edits: Edits::new(text, lines),
            line: Line::default(),
            open: Vec::new(),
            entries: Vec::new(),
            collections: Vec::new(),
            beginning: None,
            brackets: Vec::new(),
            brackets_indent: 0,
            block_indent: None,
            waiting: Vec::new(),
            comment_columns,
            next_comment: 0,
            closed: Vec::new(),
            trailing: None,
            ceiling: None,
            below_root_scalar: false,
            head_end: text.len(),
            blank: Vec::new(),
            begun: false,
            keeps_blank: false,
            ends_open: false,
        }
    }

    /// Reads the tree of the text.
    pub(crate) fn run(mut self, tree: &Tree) -> Vec<Edit> {
        for event in tree.walk() {
            match event {
                Event::Enter(node) => self.enter(node),
                Event::Exit => self.exit(),
                Event::Token(token) => match token.kind() {
                    Kind::Bom => self.line.start = token.range().end,
                    Kind::Whitespace => {}
                    Kind::Newline => self.newline(token.range()),
                    Kind::Comment => self.comment(token.range()),
                    Kind::BlockBody => self.body(token.range()),
                    _ => self.token(token),
                },
            }
        }
        self.end();
        self.edits.finish()
    }

    fn enter(&mut self, node: Node<'_>) {
        let open = match node.kind() {
            kind @ (Kind::BlockMap | Kind::BlockSeq) => {
                self.beginning = Some((kind, node.range()));
                Open::Collection
            }
            kind @ (Kind::MapEntry | Kind::SeqEntry) if self.open.last() == Some(&Open::Collection) => {
                self.entries.push(OpenEntry { column: None, is_map: kind == Kind::MapEntry, explicit: false });
                Open::Entry
            }
            _ => Open::Other,
        };
        self.open.push(open);
    }

    fn exit(&mut self) {
        match self.open.pop() {
            Some(Open::Collection) => self.closed.extend(self.collections.pop()),
            Some(Open::Entry) => drop(self.entries.pop()),
            Some(Open::Other) | None => {}
        }
    }

    /// The column of the key or dash that the current token belongs to.
    pub(crate) fn owner(&self) -> Option<Column> {
        self.entries.iter().rev().find_map(|entry| entry.column)
    }

    // ---- lines ----

    /// A token that is neither white space nor a comment.
    fn token(&mut self, token: Token<'_>) {
        let range = token.range();
        if self.line.last.is_none() {
            self.first(token);
        } else {
            self.further(token);
        }
        let column = self.column(range.start);
        if self.beginning.take().is_some() {
            self.collections.push(column);
        }
        if let Some(entry) = self.entries.last_mut() {
            entry.explicit |= token.kind() == Kind::Question;
            entry.column = entry.column.or(self.collections.last().copied());
        }
        self.ends_open = false;
        match token.kind() {
            Kind::OpenBrace | Kind::OpenBracket => {
                if self.brackets.is_empty() {
                    self.brackets_indent = self.line.indent;
                }
                self.brackets.push(column);
            }
            Kind::CloseBrace | Kind::CloseBracket => drop(self.brackets.pop()),
            Kind::Plain => self.further_lines(token, column),
            Kind::SingleQuoted | Kind::DoubleQuoted => {
                self.quotes(token.kind(), &range);
                self.further_lines(token, column);
            }
            Kind::BlockHeader => self.header(&range),
            _ => {}
        }
        self.line.last = Some((token.kind(), range.end));
    }

    /// The column of a token on this line.
    fn column(&self, offset: usize) -> Column {
        let old = offset - self.line.start;
        Column { old, new: old.saturating_add_signed(self.line.delta) }
    }

    /// The first token of a line.
    fn first(&mut self, token: Token<'_>) {
        let start = token.range().start;
        let old = start - self.line.start;
        let new = if self.edits.may_change(self.line.start) { self.first_column(token.kind(), old) } else { old };
        self.content_begins();
        self.keeps_blank = false;
        let column = Column { old, new };
        self.comments_above(column);
        self.closed.clear();
        self.trailing = None;
        self.below_root_scalar = false;
        self.edits.spaces(self.line.start..start, new);
        self.line.indent = column.delta();
        self.line.delta = column.delta();
    }

    fn first_column(&self, kind: Kind, old: usize) -> usize {
        if let Some((kind, range)) = &self.beginning {
            return if self.edits.holds(range) { self.collection_column(*kind, range.start, old) } else { old };
        }
        if !self.brackets.is_empty() {
            let closes = matches!(kind, Kind::CloseBrace | Kind::CloseBracket);
            return self.column_below(old, None, closes);
        }
        match self.entries.last() {
            Some(OpenEntry { column: None, .. }) => self.collections.last().map_or(old, |column| column.new),
            Some(OpenEntry { column: Some(column), explicit: true, .. }) if kind == Kind::Colon => column.new,
            Some(OpenEntry { column: Some(column), .. }) => column.new + self.style.step,
            // A marker, or the value of a document.
            None => old,
        }
    }

    /// The column of a block collection that begins on a line of its own.
    fn collection_column(&self, kind: Kind, start: usize, old: usize) -> usize {
        // The last entry is the collection's own first one.
        let around = self.entries.len().checked_sub(2).and_then(|index| self.entries.get(index));
        let Some((Some(column), entry)) = around.map(|entry| (entry.column, entry)) else {
            // The YAML of functions is often indented.
            let indented = old > 0 && self.code.depth_above(start) > 0;
            return if indented { self.style.step } else { 0 };
        };
        let in_column = kind == Kind::BlockSeq && entry.is_map && !entry.explicit;
        if in_column && self.style.sequences == Sequences::Column { column.new } else { column.new + self.style.step }
    }

    /// The column of a line that continues what began above: it moves with the token that it is to the right of, and
    /// stays deeper than the key or dash. `scalar` is the start of the scalar it belongs to; a bracket that `closes`
    /// may be in the column of its key.
    pub(crate) fn column_below(&self, old: usize, scalar: Option<Column>, closes: bool) -> usize {
        let left = scalar.iter().chain(self.brackets.iter().rev()).find(|column| column.old <= old);
        let base = if self.brackets.is_empty() { self.line.indent } else { self.brackets_indent };
        let new = old.saturating_add_signed(left.map_or(base, |column| column.delta()));
        match self.owner() {
            Some(owner) if closes => new.max(owner.new),
            Some(owner) if new <= owner.new => owner.new + self.style.step,
            _ => new,
        }
    }

    /// A token after another one on its line.
    fn further(&mut self, token: Token<'_>) {
        let Some((kind, end)) = self.line.last else { return };
        let range = token.range();
        let written = range.start.saturating_sub(end);
        let after = self.text.as_bytes().get(range.end);
        // Before a value that follows directly, as it may after a quoted key in brackets, there will be a space.
        let blank_after = after.is_none_or(|byte| !matches!(byte, b',' | b']' | b'}'));
        // The other lines of the collection would have to move with this one.
        let is_fixed = self.beginning.as_ref().is_some_and(|(_, range)| !self.edits.holds(range));
        if is_fixed || !self.edits.may_change(self.line.start) {
            return;
        }
        if let Some(wanted) = gaps::between(kind, token.kind(), written, blank_after) {
            self.edits.spaces(end..range.start, wanted);
            self.line.delta += wanted as isize - written as isize;
        }
    }

    fn quotes(&mut self, kind: Kind, range: &Range<usize>) {
        let Some(quotes) = self.options.quotes else { return };
        let (from, to) = match quotes {
            Quotes::Single => (Kind::DoubleQuoted, "'"),
            Quotes::Double => (Kind::SingleQuoted, "\""),
        };
        let inside = range.start + 1..range.end.saturating_sub(1);
        let text = self.text.get(inside.clone()).unwrap_or("\\");
        if kind == from && !text.contains(['\'', '"', '\\', '\n', '\r']) {
            self.edits.replace(range.start..inside.start, to);
            self.edits.replace(inside.end..range.end, to);
        }
    }

    fn header(&mut self, range: &Range<usize>) {
        let header = self.text.get(range.clone()).unwrap_or_default();
        self.block_indent = header.chars().find_map(|c| c.to_digit(10)).map(|digit| digit as usize);
        self.ends_open = !header.contains('-');
        self.keeps_blank = header.contains('+');
        self.ceiling = self.owner().map(|owner| owner.new);
        self.below_root_scalar = self.ceiling.is_none();
    }

    fn body(&mut self, range: Range<usize>) {
        self.content_begins();
        self.block_lines(range.clone());
        let text = self.text.get(range.clone()).unwrap_or_default();
        let last = range.start + text.rfind(['\n', '\r']).map_or(0, |at| at + 1);
        // A body that ends with a line break is followed by a new line.
        let last_token = (last < range.end || range.is_empty()).then_some((Kind::BlockBody, range.end));
        self.line = Line { start: last, last: last_token, ..Line::default() };
    }

    /// Whether the token here is the first of an entry of a document's own collection.
    fn begins_at_root(&self) -> bool {
        let around = self.collections.len() + usize::from(self.beginning.is_some());
        around == 1 && self.entries.last().is_some_and(|entry| entry.column.is_none())
    }

    // ---- white space ----

    fn newline(&mut self, range: Range<usize>) {
        match self.line.last {
            Some((_, end)) => {
                self.trim(end..range.start);
                self.line_break(range.start);
            }
            None => self.blank_line(self.line.start..range.end),
        }
        self.line = Line { start: range.end, ..Line::default() };
    }

    /// A line break that begins here gets the chosen ending.
    pub(crate) fn line_break(&mut self, offset: usize) {
        let Some(ending) = self.options.line_ending else { return };
        let rest = self.text.get(offset..).unwrap_or_default();
        let len = if rest.starts_with("\r\n") { 2 } else { 1 };
        self.edits.replace(offset..offset + len, ending.as_str());
    }

    fn blank_line(&mut self, line: Range<usize>) {
        if self.keeps_blank {
            return;
        }
        let most = if self.begun { self.options.most_blank_lines() } else { 0 };
        if self.blank.len() >= most && self.edits.may_change(line.start) {
            self.edits.replace(line, "");
        } else {
            self.blank.push(line);
        }
    }

    /// The blank lines above stay.
    fn content_begins(&mut self) {
        self.begun = true;
        for line in std::mem::take(&mut self.blank) {
            let text = self.text.get(line.clone()).unwrap_or_default();
            let white = text.len() - text.trim_start_matches([' ', '\t']).len();
            self.trim(line.start..line.start + white);
            self.line_break(line.start + white);
        }
    }

    fn end(&mut self) {
        self.comments_above(Column::default());
        if !self.begun {
            return;
        }
        for line in std::mem::take(&mut self.blank) {
            self.edits.replace(line, "");
        }
        let len = self.text.len();
        match self.line.last {
            Some((_, end)) => {
                self.trim(end..len);
                if self.options.ends_with_newline() && !self.ends_open {
                    let ending =
                        self.options.line_ending.map_or_else(|| usual_break(self.text), |ending| ending.as_str());
                    self.edits.replace(len..len, ending);
                }
            }
            None if self.keeps_blank => {}
            None => self.edits.replace(self.line.start..len, ""),
        }
    }

    // ---- comments ----

    fn comment(&mut self, range: Range<usize>) {
        let Some((kind, end)) = self.line.last else { return self.own_comment(range) };
        let text = self.text.get(range.clone()).unwrap_or_default();
        // Not all readers take text after the header of a block scalar for a comment.
        if kind != Kind::BlockHeader {
            self.trailing = Some(self.column(range.start));
            if lacks_space_after(text) && end < range.start {
                let at = range.start + 1;
                self.edits.replace(at..at, " ");
            }
        }
        self.comment_text(&range, None);
        self.line.last = Some((Kind::Comment, range.end));
    }

    /// A comment on its own line.
    fn own_comment(&mut self, range: Range<usize>) {
        self.content_begins();
        self.keeps_blank = false;
        while self.code.lines().get(self.next_comment).is_some_and(|line| line.start < range.start) {
            self.next_comment += 1;
        }
        let index = self.next_comment;
        self.comment_text(&range, Some(index));
        self.ends_open = false;
        self.line.last = Some((Kind::Comment, range.end));
        let line_start = self.line.start;
        if self.below_root_scalar {
            self.note_comment(index, range.start - line_start);
        } else if self.brackets.is_empty() {
            self.waiting.push(Own { range, line_start, line: index });
        } else {
            let old = range.start - line_start;
            let new = if self.edits.may_change(line_start) { self.column_below(old, None, false) } else { old };
            self.note_comment(index, new);
            self.edits.spaces(line_start..range.start, new);
        }
    }

    pub(crate) fn note_comment(&mut self, line: usize, column: usize) {
        if let Some(known) = self.comment_columns.get_mut(line) {
            *known = column;
        }
    }

    /// The new column of a comment that was already placed.
    pub(crate) fn comment_columns(&self, line: usize) -> usize {
        self.comment_columns.get(line).copied().unwrap_or(0)
    }

    /// Places the comments above a line that begins in this column.
    fn comments_above(&mut self, next: Column) {
        if self.head_end == self.text.len() {
            self.head_end = self.line.start;
        }
        let ceiling = self.ceiling.take();
        if self.waiting.is_empty() {
            return;
        }
        let around = Around {
            next,
            below_margin: next.new > 0 && self.begins_at_root(),
            innermost: self.closed.first().or(self.collections.last()).copied(),
            closed: std::mem::take(&mut self.closed),
            trailing: self.trailing,
            ceiling,
        };
        self.place_comments(&around);
    }
}

/// The line break of the first line.
fn usual_break(text: &str) -> &'static str {
    let first = text.find('\n').unwrap_or(0);
    if text.get(..first).is_some_and(|line| line.ends_with('\r')) { "\r\n" } else { "\n" }
}

/// The lines of a range, without their breaks. What follows the last break is a line, too.
pub(crate) fn lines(text: &str, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let text = text.get(range.clone()).unwrap_or_default();
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let start = next?;
        let rest = text.get(start..)?;
        let Some(len) = rest.find(['\n', '\r']) else {
            next = None;
            return Some(range.start + start..range.start + text.len());
        };
        let end = start + len;
        let broken = if text.get(end..).is_some_and(|rest| rest.starts_with("\r\n")) { 2 } else { 1 };
        next = Some(end + broken);
        Some(range.start + start..range.start + end)
    })
}
