//! Block style: the collection that a line belongs to, keys, items, values.

use super::scan::{self, Stop};
use super::{DEEPEST, Parser, Peek, State, Step, ValueStart};
use crate::error::ErrorCode;
use crate::foreign::foreign_space;
use crate::green::flag;
use crate::kind::Kind;

/// Where a line goes.
enum Target {
    /// A further entry of the collection at this index of the stack.
    Entry(usize),
    /// The colon of the explicit entry at this index.
    Colon(usize),
    /// A further entry, although the line is not at the column of the collection.
    Misplaced(usize),
    /// No open collection accepts it: it goes into an ERROR node inside this one.
    Error(usize),
}

/// Anchor and tag of one node.
#[derive(Clone, Copy, Default)]
pub(super) struct Properties {
    pub(super) anchor: bool,
    pub(super) tag: bool,
}

impl Parser<'_> {
    /// After a complete value: finishes its line and hands the next line to its collection.
    pub(super) fn next(&mut self) -> Step {
        if self.frames.len() <= 1 {
            return self.between_documents();
        }
        if self.pos != self.line_start {
            self.finish_line();
        }
        let Some(peek) = self.peek() else {
            self.close_to(1);
            return self.between_documents();
        };
        if peek.marker {
            return self.document_end();
        }
        let first = self.input.byte(peek.at);
        if peek.column == 0
            && matches!(first, b'<' | b'=' | b'>' | b'|')
            && scan::conflict(self.input.rest_of_line(peek.line_start))
        {
            return self.conflict_line(peek);
        }
        let colon = first == b':' && scan::indicator(self.input.rest_of_line(peek.at), b':');
        match self.target(peek, colon) {
            Some(Target::Entry(index)) => {
                self.close_to(index + 1);
                self.trivia_to(peek.at);
                self.entry(peek, true)
            }
            Some(Target::Colon(index)) => {
                self.close_to(index + 1);
                self.trivia_to(peek.at);
                self.check_tabs(peek);
                self.explicit_value()
            }
            Some(Target::Misplaced(index)) => {
                self.close_to(index + 1);
                self.trivia_to(peek.at);
                self.entry(peek, false)
            }
            Some(Target::Error(index)) => {
                self.close_to(index + 1);
                self.trivia_to(peek.at);
                let code = match (self.frames[index].kind, peek.dash) {
                    (Kind::BlockMap, _) => ErrorCode::UnexpectedItem,
                    _ => ErrorCode::UnexpectedKey,
                };
                self.misfit(peek, code)
            }
            None => {
                self.close_to(2);
                self.trivia_to(peek.at);
                self.misfit(peek, ErrorCode::UnexpectedContent)
            }
        }
    }

    /// Closes nodes until `count` are open.
    pub(super) fn close_to(&mut self, count: usize) {
        while self.frames.len() > count {
            self.close();
        }
    }

    /// Rule 1: a line belongs to the collection at its column, else to the outermost one that is deeper than the line,
    /// else to the innermost one that is not.
    fn target(&self, peek: Peek, colon: bool) -> Option<Target> {
        let column = peek.column as i64;
        let takes = |kind: Kind| (kind == Kind::BlockSeq) == peek.dash;
        let (mut same, mut deeper, mut outer) = (None, None, None);
        for (index, frame) in self.frames.iter().enumerate().skip(2).rev() {
            match frame.kind {
                Kind::MapEntry if frame.state == State::Explicit && frame.column == column && colon => {
                    return Some(Target::Colon(index));
                }
                // A line at the column of a misplaced entry is its sibling, as if the collection were there.
                Kind::MapEntry | Kind::SeqEntry if frame.column == column => {
                    let collection = &self.frames[index - 1];
                    if collection.column != column {
                        if takes(collection.kind) {
                            return Some(Target::Misplaced(index - 1));
                        }
                        same = same.or(Some(index - 1));
                    }
                }
                Kind::BlockMap | Kind::BlockSeq if frame.column == column => {
                    if takes(frame.kind) {
                        return Some(Target::Entry(index));
                    }
                    same = same.or(Some(index));
                }
                Kind::BlockMap | Kind::BlockSeq if frame.column > column => deeper = Some(index),
                Kind::BlockMap | Kind::BlockSeq => {
                    outer = Some(index);
                    break;
                }
                _ => {}
            }
        }
        if let Some(index) = same {
            return Some(Target::Error(index));
        }
        let fits = |index: &usize| takes(self.frames[*index].kind);
        deeper.filter(fits).or(outer.filter(fits)).map(Target::Misplaced).or(deeper.or(outer).map(Target::Error))
    }

    /// Begins an entry of the innermost collection at the current position. `exact`: at the
    /// collection's column.
    fn entry(&mut self, peek: Peek, exact: bool) -> Step {
        if exact && peek.spaces == peek.column {
            if let Some(collection) = self.frames.last_mut() {
                collection.misplaced = None;
            }
            if self.take_over(peek.column) || self.simple_line(peek, flag::EXACT) {
                return Step::Next;
            }
        }
        let column = peek.column as i64;
        let misplaced = (!exact).then_some(column);
        let again = self
            .frames
            .last_mut()
            .is_some_and(|collection| std::mem::replace(&mut collection.misplaced, misplaced) == Some(column));
        // An entry without an error of its own counts as one at its collection's column.
        let untabbed = peek.spaces == peek.column;
        if again && untabbed && (self.take_over(peek.column) || self.simple_line(peek, 0)) {
            return Step::Next;
        }
        let kind = if peek.dash { Kind::SeqEntry } else { Kind::MapEntry };
        self.open(kind, column);
        if exact && peek.spaces == peek.column {
            self.mark_exact();
        }
        if !exact && !again {
            let line_end = self.input.line_end(self.pos);
            let line = self.input.rest_of_line(self.pos);
            let stop = scan::plain(line, false).0;
            let end = if peek.dash { line_end } else { self.pos + stop };
            let end = end.max(self.pos);
            self.error(ErrorCode::BadIndentation, self.pos..end);
        }
        self.check_tabs(peek);
        if peek.dash { self.item() } else { Step::Key }
    }

    fn mark_exact(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.flags |= flag::EXACT;
        }
    }

    pub(super) fn check_tabs(&mut self, peek: Peek) {
        if peek.spaces < peek.column {
            let start = peek.line_start + peek.spaces;
            self.error_before(ErrorCode::TabIndentation, start, peek.at);
        }
    }

    /// Reports an error before the start of the innermost open node. Places are relative to nodes, so the node that
    /// contains the text takes it.
    fn error_before(&mut self, code: ErrorCode, start: usize, end: usize) {
        // The innermost node must not be reused; the outer ones contain the text before it.
        let Some(last) = self.frames.len().checked_sub(1) else { return };
        self.frames[last].flags &= !flag::EXACT;
        let index = (0..=last).rev().find(|&index| self.frames[index].start <= start).unwrap_or(0);
        let at = self.frames.get(index + 1).map_or(self.errors.len(), |frame| frame.first_error);
        self.errors.insert(at, super::AbsoluteError { code, start, end });
        for frame in &mut self.frames[index + 1..] {
            frame.first_error += 1;
        }
    }

    /// A line that no collection accepts: it is read inside an ERROR node, with its structure.
    fn misfit(&mut self, peek: Peek, code: ErrorCode) -> Step {
        self.open(Kind::Error, peek.column as i64);
        let line = self.input.rest_of_line(self.pos);
        let end = self.pos + scan::plain(line, false).0.max(1);
        self.error(code, self.pos..end);
        self.check_tabs(peek);
        Step::Value(ValueStart { column: peek.column as i64, same_column_seq: false, compact: true, start_line: false })
    }

    fn conflict_line(&mut self, peek: Peek) -> Step {
        // It belongs to the innermost collection, whose entries continue below it.
        let innermost = self
            .frames
            .iter()
            .rposition(|frame| matches!(frame.kind, Kind::BlockMap | Kind::BlockSeq | Kind::Document));
        self.close_to(innermost.map_or(2, |index| index + 1));
        self.trivia_to(peek.line_start);
        self.open(Kind::Error, 0);
        let end = self.input.line_end(self.pos);
        self.error(ErrorCode::ConflictMarker, self.pos..end);
        self.token(Kind::ErrorText, end);
        self.line_break();
        self.close();
        Step::Next
    }

    /// `- ` of an item whose node is open.
    fn item(&mut self) -> Step {
        let column = self.frames.last().map_or(0, |frame| frame.column);
        self.token(Kind::Dash, self.pos + 1);
        Step::Value(ValueStart { column, same_column_seq: false, compact: true, start_line: false })
    }

    /// `: ` of an explicit entry whose node is open.
    fn explicit_value(&mut self) -> Step {
        let Some(frame) = self.frames.last_mut() else { return Step::End };
        frame.state = State::Plain;
        let column = frame.column;
        self.token(Kind::Colon, self.pos + 1);
        Step::Value(ValueStart { column, same_column_seq: true, compact: true, start_line: false })
    }

    /// Opens a block collection whose first entry begins here.
    fn collection(&mut self, kind: Kind, column: usize, place: ValueStart) -> Step {
        if self.depth >= DEEPEST {
            return self.too_deep(place.column);
        }
        let seq = kind == Kind::BlockSeq;
        self.open(kind, column as i64);
        if self.take_over(column) || self.simple_first(seq, column) {
            return Step::Next;
        }
        self.open(if seq { Kind::SeqEntry } else { Kind::MapEntry }, column as i64);
        self.mark_exact();
        if seq { self.item() } else { Step::Key }
    }

    /// All lines deeper than `column` as one token.
    fn too_deep(&mut self, column: i64) -> Step {
        if let Some(frame) = self.frames.last_mut() {
            frame.flags |= flag::DEEP;
        }
        let line_end = self.input.line_end(self.pos);
        let mut end = line_end;
        let mut last = line_end;
        loop {
            let next = last + self.input.break_len(last);
            if next == last {
                break;
            }
            last = self.input.line_end(next);
            let line = self.input.rest_of_line(next);
            let lead = line.iter().take_while(|&&b| scan::is_blank(b)).count();
            if lead == line.len() {
                continue;
            }
            if lead as i64 <= column || scan::marker(line) {
                break;
            }
            end = last;
        }
        self.error(ErrorCode::TooDeep, self.pos..line_end.min(self.pos + 40));
        self.token(Kind::ErrorText, end);
        self.line_start = self.input.line_start(self.pos);
        Step::Next
    }

    /// A value of the open entry or document, on this line or on deeper lines below.
    pub(super) fn value(&mut self, mut place: ValueStart) -> Step {
        let mut compact = place.compact;
        let mut earlier = Properties::default();
        let mut here = Properties::default();
        let mut indent_tabs = None;
        loop {
            let before = self.pos;
            let blanks = self.blanks() || self.pos == self.line_start;
            let blank_tab = self.input.bytes(before, self.pos).contains(&b'\t');
            let line_end = self.input.line_end(self.pos);
            let byte = if self.pos < line_end { self.input.byte(self.pos) } else { b'\n' };
            if byte == b'\n' && self.pos == line_end || byte == b'#' && blanks {
                self.token(Kind::Comment, line_end);
                let after = line_end + self.input.break_len(line_end);
                match self.peek_from(after) {
                    Some(peek) if self.belongs(peek, place) || self.is_header_at_margin(peek, place) => {
                        self.line_break();
                        self.trivia_to(peek.at);
                        compact = true;
                        place.start_line = false;
                        earlier.anchor |= here.anchor;
                        earlier.tag |= here.tag;
                        here = Properties::default();
                        indent_tabs = (peek.spaces < peek.column).then_some(peek);
                        if place.column >= 0 && peek.spaces as i64 <= place.column {
                            // The line is deep enough only because of its tabs.
                            self.check_tabs(peek);
                            indent_tabs = None;
                        }
                        continue;
                    }
                    _ => return Step::Next,
                }
            }
            if compact || place.start_line {
                let tab = if blank_tab { Some(before..self.pos) } else { None };
                let first = !here.anchor && !here.tag;
                if let Some(kind) = self.block_collection(place, byte, first) {
                    if let Some(range) = tab.filter(|_| indent_tabs.is_none()) {
                        self.error(ErrorCode::TabIndentation, range);
                    }
                    if let Some(peek) = indent_tabs {
                        self.check_tabs(peek);
                    }
                    if !compact {
                        let end = self.pos + 1;
                        self.error(ErrorCode::DocumentStartLine, self.pos..end);
                    }
                    let properties = here.anchor || here.tag;
                    if properties && matches!(byte, b'-' | b'?') {
                        let code = match kind {
                            Kind::BlockSeq => ErrorCode::InlineSequence,
                            _ => ErrorCode::UnexpectedText,
                        };
                        self.error(code, self.pos..self.pos + 1);
                    }
                    return self.collection(kind, self.column(), place);
                }
            }
            match byte {
                b'&' | b'!' => {
                    self.property(&mut here, &earlier, false);
                    continue;
                }
                b'*' => {
                    let end = self.pos + scan::property_len(self.input.rest_of_line(self.pos), false);
                    self.alias(end, here.anchor || here.tag || earlier.anchor || earlier.tag);
                }
                b'[' | b'{' => return self.begin_flow(place.column, false),
                b'"' | b'\'' => self.quoted_value(place),
                b'|' | b'>' => {
                    if self.column() as i64 == place.column {
                        self.error(ErrorCode::BadIndentation, self.pos..self.pos + 1);
                    }
                    self.block_scalar(place.column);
                }
                b'-' if scan::indicator(self.input.rest_of_line(self.pos), b'-') => {
                    self.error(ErrorCode::InlineSequence, self.pos..self.pos + 1);
                    return self.collection(Kind::BlockSeq, self.column(), place);
                }
                _ => self.plain_value(place),
            }
            return Step::Next;
        }
    }

    /// Whether the next line with content belongs to the value.
    fn belongs(&self, peek: Peek, place: ValueStart) -> bool {
        if peek.marker {
            return false;
        }
        let column = peek.column as i64;
        column > place.column || place.same_column_seq && peek.dash && column == place.column
    }

    /// Whether the next line with content is the header of a block scalar at the very column of the key or dash, where
    /// nothing else could be meant by it.
    fn is_header_at_margin(&mut self, peek: Peek, place: ValueStart) -> bool {
        if peek.marker || peek.spaces != peek.column || peek.column as i64 != place.column {
            return false;
        }
        let line = self.input.rest_of_line(peek.at);
        let Some(rest) = line.strip_prefix(b"|").or(line.strip_prefix(b">")) else { return false };
        let len = rest.iter().take_while(|byte| matches!(byte, b'1'..=b'9' | b'+' | b'-')).count();
        let blanks = rest.iter().skip(len).take_while(|&&byte| scan::is_blank(byte)).count();
        rest.get(len + blanks).is_none_or(|&byte| byte == b'#' && blanks > 0)
    }

    /// Which block collection begins at the current position, if any. `first`: no anchor or tag comes before it on the
    /// line (the search for a key skips those).
    fn block_collection(&mut self, place: ValueStart, byte: u8, first: bool) -> Option<Kind> {
        let line = self.input.rest_of_line(self.pos);
        if scan::indicator(line, b'-') {
            return Some(Kind::BlockSeq);
        }
        if scan::indicator(line, b'?') || scan::indicator(line, b':') {
            return Some(Kind::BlockMap);
        }
        if first && self.key_here(self.pos) {
            return Some(Kind::BlockMap);
        }
        // Rule 2: a scalar followed by a key at its column or deeper is meant as a key.
        let below = match byte {
            b'[' | b'{' | b'|' | b'>' | b'&' | b'!' => false,
            b'*' => {
                let len = scan::alias_before_colon(self.input.rest_of_line(self.pos), false);
                len.is_some_and(|len| self.key_below(self.pos + len, place.column))
            }
            b'"' | b'\'' => {
                let quoted = self.quoted(self.pos, Some(place.column), false);
                !quoted.multiline && self.key_below(self.pos, place.column)
            }
            _ => {
                let (end, key) = self.plain_lines(self.pos, place.column, false);
                key || self.key_below(end, place.column)
            }
        };
        (below && !place.start_line).then_some(Kind::BlockMap)
    }

    /// The key of the open entry, and its colon.
    pub(super) fn key(&mut self) -> Step {
        let column = self.frames.last().map_or(0, |frame| frame.column);
        let value = ValueStart { column, same_column_seq: true, compact: false, start_line: false };
        let line = self.input.rest_of_line(self.pos);
        if scan::indicator(line, b'?') {
            if let Some(frame) = self.frames.last_mut() {
                frame.state = State::Explicit;
            }
            self.token(Kind::Question, self.pos + 1);
            return Step::Value(ValueStart { compact: true, ..value });
        }
        if scan::indicator(line, b':') {
            self.token(Kind::Colon, self.pos + 1);
            return Step::Value(value);
        }
        let start = self.pos;
        let mut properties = Properties::default();
        while let b'&' | b'!' = self.input.byte(self.pos) {
            self.property(&mut properties, &Properties::default(), false);
            self.blanks();
        }
        let line_end = self.input.line_end(self.pos);
        if self.pos >= line_end || self.input.byte(self.pos) == b'#' {
            self.error(ErrorCode::MissingKey, start..self.pos);
            return Step::Next;
        }
        if scan::indicator(self.input.rest_of_line(self.pos), b':') {
            self.token(Kind::Colon, self.pos + 1);
            return Step::Value(value);
        }
        match self.input.byte(self.pos) {
            b'[' | b'{' => return self.begin_flow(column, true),
            b'*' => {
                let line = self.input.rest_of_line(self.pos);
                // Where a key has to be, a colon at the end is its own.
                let len = scan::alias_before_colon(line, false).unwrap_or_else(|| scan::property_len(line, false));
                self.alias(self.pos + len, properties.anchor || properties.tag);
            }
            b'"' | b'\'' => {
                let quoted = self.quoted(self.pos, None, false);
                self.quoted_token(quoted);
            }
            _ => {
                let (len, _) = scan::plain(self.input.rest_of_line(self.pos), false);
                self.check_plain_start();
                // A colon alone, or `|` and the like. At least one byte is taken, so that the parser advances.
                self.token(Kind::Plain, self.pos + len.max(1));
            }
        }
        self.after_key(start)
    }

    /// After a key, on its line.
    pub(super) fn after_key(&mut self, start: usize) -> Step {
        let column = self.frames.last().map_or(0, |frame| frame.column);
        let value = ValueStart { column, same_column_seq: true, compact: false, start_line: false };
        let end = self.pos;
        let line = self.input.rest_of_line(self.pos);
        let blanks = line.iter().take_while(|&&b| scan::is_blank(b)).count();
        if line.get(blanks..).is_some_and(|rest| scan::indicator(rest, b':')) {
            self.blanks();
            if self.pos - start > scan::LONGEST_KEY {
                self.note_unusual();
            }
            self.token(Kind::Colon, self.pos + 1);
            return Step::Value(value);
        }
        let more = line.get(blanks).is_some_and(|&b| b != b'#');
        match foreign_space(self.input.rest_of_line(start).get(..end - start).unwrap_or_default()) {
            Some(space) => self.error(ErrorCode::MissingSpace, start + space.start..start + space.end),
            None => self.error(ErrorCode::MissingColon, start..end),
        }
        if more {
            self.finish_line();
            return Step::Next;
        }
        // Deeper lines below are meant as its value.
        Step::Value(value)
    }

    fn quoted_value(&mut self, place: ValueStart) {
        let quoted = self.quoted(self.pos, Some(place.column), false);
        self.quoted_token(quoted);
    }

    fn plain_value(&mut self, place: ValueStart) {
        let line = self.input.rest_of_line(self.pos);
        let (len, stop) = scan::plain(line, false);
        if stop == Stop::Colon {
            // `a: b: c`: most likely a text that needs quotes, so the whole rest of the line is the value.
            let mut end = len;
            while let Some(rest) = line.get(end..) {
                let (more, stop) = scan::plain(rest, false);
                end += more;
                if stop != Stop::Colon {
                    break;
                }
                end += 1;
            }
            let colon = self.pos + line[len..].iter().position(|&b| b == b':').map_or(len, |at| len + at);
            let end = self.pos + end;
            self.error(ErrorCode::NestedMapping, colon..colon + 1);
            self.check_plain_start();
            self.token(Kind::Plain, end);
            return;
        }
        self.check_plain_start();
        let (end, _) = self.plain_lines(self.pos, place.column, false);
        self.long_token(Kind::Plain, end.max(self.pos + 1));
    }

    /// A token that may continue over several lines.
    pub(super) fn long_token(&mut self, kind: Kind, end: usize) {
        let start = self.pos;
        self.token(kind, end);
        if let Some(at) = memchr::memrchr2(b'\n', b'\r', self.input.bytes(start, end)) {
            self.line_start = start + at + 1;
        }
    }
}
