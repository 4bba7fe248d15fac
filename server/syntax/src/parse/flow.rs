//! Flow style: `{...}` and `[...]`.

use super::block::Properties;
use super::scan;
use super::{DEEPEST, Parser, State, Step};
use crate::error::ErrorCode;
use crate::green::flag;
use crate::kind::Kind;

impl Parser<'_> {
    /// Opens the outermost flow collection at the current position. Its lines must be deeper than `column`. `key`: the
    /// collection is the key of the open entry.
    pub(super) fn begin_flow(&mut self, column: i64, key: bool) -> Step {
        if self.depth >= DEEPEST {
            self.flow_too_deep(column);
            return Step::Next;
        }
        self.flow_column = if self.loose { -1 } else { column };
        self.flow_base = self.frames.len();
        self.flow_key = key;
        self.flow_start = self.pos;
        self.open_bracket();
        Step::Flow
    }

    fn open_bracket(&mut self) {
        let (kind, token) = match self.input.byte(self.pos) {
            b'[' => (Kind::FlowSeq, Kind::OpenBracket),
            _ => (Kind::FlowMap, Kind::OpenBrace),
        };
        self.open_apart(kind, self.flow_column);
        self.set_state(State::Empty);
        self.token(token, self.pos + 1);
    }

    fn set_state(&mut self, state: State) {
        if let Some(frame) = self.frames.last_mut() {
            frame.state = state;
        }
    }

    fn state(&self) -> State {
        self.frames.last().map_or(State::Plain, |frame| frame.state)
    }

    /// Whether the innermost open node is a collection with brackets (and not one of its entries).
    fn between_entries(&self) -> bool {
        self.frames.last().is_some_and(|frame| {
            matches!(frame.kind, Kind::FlowMap | Kind::FlowSeq) && frame.state != State::SinglePair
        })
    }

    /// Reads until the outermost flow collection is closed.
    pub(super) fn flow(&mut self) -> Step {
        while self.frames.len() > self.flow_base {
            let Some(at) = self.flow_peek() else {
                self.unclosed();
                break;
            };
            match self.input.byte(at) {
                b',' => self.comma(at),
                b']' | b'}' => self.close_bracket(at),
                byte => self.flow_content(at, byte),
            }
        }
        if !self.flow_key {
            return Step::Next;
        }
        if self.line_start > self.flow_start {
            self.error(ErrorCode::MultilineKey, self.flow_start..self.flow_start + 1);
        }
        self.after_key(self.flow_start)
    }

    /// The next byte that is neither white space nor comment; `None` if the collection cannot continue (rule 4: a line
    /// that is not deeper, a marker, the end).
    fn flow_peek(&mut self) -> Option<usize> {
        let mut at = self.pos;
        let mut blank_before = at == self.line_start;
        loop {
            let line = self.input.line_from(at);
            let blanks = line.iter().take_while(|&&b| scan::is_blank(b)).count();
            match line.get(blanks) {
                Some(b'#') if blanks > 0 || blank_before => {}
                Some(_) => {
                    self.input.look_to(at + blanks + 1);
                    return Some(at + blanks);
                }
                None => {}
            }
            let line_end = self.input.line_end(at);
            let next = line_end + self.input.break_len(line_end);
            if next == line_end {
                return None;
            }
            at = next;
            blank_before = true;
            let line = self.input.line_from(at);
            let spaces = line.iter().take_while(|&&b| b == b' ').count();
            let lead = line.iter().take_while(|&&b| scan::is_blank(b)).count();
            let blank = matches!(line.get(lead), None | Some(b'#'));
            // A closing bracket at the column of the key is common and accepted by all YAML 1.1 programs, so it is not
            // an error.
            let closing = matches!(line.get(lead), Some(b']' | b'}'));
            let enough = spaces as i64 + i64::from(closing) > self.flow_column;
            let ends = !blank && (!enough || scan::marker(line));
            // A marker has three characters, and a blank after it.
            self.input.look_to(at + lead.max(3) + 1);
            if ends {
                return None;
            }
        }
    }

    fn unclosed(&mut self) {
        // Every open bracket gets its error, because a reused inner one must equal one that is read; only the innermost
        // is reported.
        while self.frames.len() > self.flow_base {
            if self.between_entries() {
                let start = self.frames.last().map_or(self.pos, |frame| frame.start);
                self.error(ErrorCode::UnclosedFlow, start..start + 1);
            }
            self.close();
        }
    }

    /// Closes the entry of the innermost collection with brackets, if one is open.
    fn close_entry(&mut self) {
        let mut closed = false;
        while !self.between_entries() && self.frames.len() > self.flow_base {
            self.close();
            closed = true;
        }
        if closed {
            self.set_state(State::Content);
        }
    }

    fn comma(&mut self, at: usize) {
        self.close_entry();
        self.trivia_to(at);
        if self.state() != State::Content {
            self.stray(ErrorCode::ExtraComma, Kind::Comma);
        } else {
            self.token(Kind::Comma, at + 1);
        }
        self.set_state(State::Empty);
    }

    fn close_bracket(&mut self, at: usize) {
        self.close_entry();
        let (kind, token) = match self.input.byte(at) {
            b']' => (Kind::FlowSeq, Kind::CloseBracket),
            _ => (Kind::FlowMap, Kind::CloseBrace),
        };
        let own = self.frames.last().is_some_and(|frame| frame.kind == kind);
        if !own {
            let frames = self.frames.get_mut(self.flow_base..).unwrap_or_default();
            let outer = frames.iter().rposition(|frame| frame.kind == kind && frame.state != State::SinglePair);
            // What becomes of the bracket follows from the collections around these entries. Where an old entry could be
            // used again, they may be others.
            let entries = frames.get_mut(outer.map_or(0, |outer| outer + 1)..).unwrap_or_default();
            entries.iter_mut().for_each(|frame| frame.flags &= !flag::EXACT);
            if outer.is_some() {
                // It closes an outer collection; the inner one lacks its bracket.
                let start = self.frames.last().map_or(at, |frame| frame.start);
                self.error(ErrorCode::UnclosedFlow, start..start + 1);
                self.close();
                return;
            }
            self.trivia_to(at);
            self.stray(ErrorCode::StrayBracket, Kind::ErrorText);
            return;
        }
        self.trivia_to(at);
        self.token(token, at + 1);
        self.close();
    }

    /// A character that is not allowed between two entries. It gets its own node, because errors of the collection
    /// itself would be lost when entries around it are reused.
    fn stray(&mut self, code: ErrorCode, kind: Kind) {
        self.open_apart(Kind::Error, 0);
        self.error(code, self.pos..self.pos + 1);
        self.token(kind, self.pos + 1);
        self.close();
    }

    /// A comment directly after a bracket, a comma or a value.
    fn comment_without_space(&mut self) {
        self.open_apart(Kind::Error, 0);
        self.error(ErrorCode::CommentSpace, self.pos..self.pos + 1);
        let line_end = self.input.line_end(self.pos);
        self.token(Kind::Comment, line_end);
        self.close();
    }

    fn begin_entry(&mut self) -> bool {
        let missing = self.state() == State::Content;
        let column = (self.flow_column + 1).max(0) as usize;
        if !missing && self.take_over(column) {
            self.set_state(State::Content);
            return false;
        }
        let seq = self.frames.last().is_some_and(|frame| frame.kind == Kind::FlowSeq);
        if !missing && self.simple_flow_entry(seq) {
            self.set_state(State::Content);
            return false;
        }
        self.open_apart(if seq { Kind::SeqEntry } else { Kind::MapEntry }, self.flow_column + 1);
        self.set_state(State::Empty);
        if missing {
            self.error(ErrorCode::MissingComma, self.pos..self.pos + 1);
        } else if let Some(frame) = self.frames.last_mut() {
            frame.flags |= flag::EXACT;
        }
        true
    }

    /// Turns the open item of a sequence into the single pair of a mapping.
    fn single_pair(&mut self) {
        let Some(item) = self.frames.last() else { return };
        if item.kind != Kind::SeqEntry {
            return;
        }
        let (start, first_word, first_node) = (item.start, item.first_word, item.first_node);
        let (first_error, flags, height) = (item.first_error, item.flags & flag::INHERITED, item.height);
        let explicit = item.explicit;
        for kind in [Kind::FlowMap, Kind::MapEntry] {
            let column = self.flow_column + i64::from(kind == Kind::MapEntry);
            self.open(kind, column);
            if let Some(frame) = self.frames.last_mut() {
                frame.start = start;
                frame.first_word = first_word;
                frame.first_node = first_node;
                frame.flags = flags;
                frame.height = height;
                frame.first_error = first_error;
                frame.explicit = explicit;
                frame.state = State::SinglePair;
            }
        }
    }

    fn flow_content(&mut self, at: usize, byte: u8) {
        if self.between_entries() {
            self.trivia_to(at);
            if byte == b'#' {
                self.comment_without_space();
                return;
            }
            if !self.begin_entry() {
                return;
            }
        }
        let state = self.state();
        self.input.look_to(at + 2);
        let next = self.input.line_from(at).get(1).copied();
        let ends = next.is_none_or(|b| scan::is_blank(b) || scan::is_flow_indicator(b));
        let json = self.frames.last().is_some_and(|frame| frame.json);
        if byte == b':' && (ends || state == State::Content && json) {
            self.flow_colon(at, state);
            return;
        }
        if matches!(state, State::Content | State::Value) {
            // The next entry begins without a comma before it.
            self.close_entry();
            return;
        }
        self.trivia_to(at);
        if byte == b'?' && ends && state == State::Empty {
            if let Some(frame) = self.frames.last_mut() {
                frame.explicit = true;
            }
            self.single_pair();
            self.set_state(State::Empty);
            self.token(Kind::Question, at + 1);
            return;
        }
        if let b'&' | b'!' = byte {
            let Some(frame) = self.frames.last() else { return };
            let mut properties = frame.properties;
            self.property(&mut properties, &Properties::default(), true);
            if let Some(frame) = self.frames.last_mut() {
                frame.properties = properties;
                if frame.state == State::Empty {
                    frame.state = State::Properties;
                }
            }
            return;
        }
        let before = self.frames.last().map(|frame| frame.properties).unwrap_or_default();
        if let Some(frame) = self.frames.last_mut() {
            frame.json = matches!(byte, b'"' | b'\'' | b'[' | b'{');
            frame.state = if state == State::Colon { State::Value } else { State::Content };
        }
        match byte {
            b'[' | b'{' => {
                if self.depth >= DEEPEST {
                    self.flow_too_deep(self.flow_column);
                } else {
                    self.open_bracket();
                }
            }
            b'"' | b'\'' => {
                let quoted = self.quoted(at, Some(self.flow_column), true);
                self.quoted_token(quoted);
            }
            b'*' => {
                let line = self.input.rest_of_line(at);
                let len = scan::alias_as_key(line, true).unwrap_or_else(|| scan::property_len(line, true));
                self.alias(at + len, before.anchor || before.tag);
            }
            _ => {
                self.check_plain_start();
                if byte == b'-' && next.is_some_and(scan::is_flow_indicator) {
                    self.error(ErrorCode::UnexpectedText, at..at + 1);
                }
                let (end, _) = self.plain_lines(at, self.flow_column, true);
                let end = end.max(at + 1);
                if byte == b':' || self.input.bytes(at, end).contains(&b'?') {
                    self.note_unusual();
                }
                self.long_token(Kind::Plain, end);
            }
        }
    }

    fn flow_colon(&mut self, at: usize, state: State) {
        self.trivia_to(at);
        let key_start = self.frames.last().map_or(at, |frame| frame.start);
        self.input.look_to(at + 2);
        let next = self.input.line_from(at).get(1).copied();
        let is_long = self.line_start > key_start || at.saturating_sub(key_start) > scan::LONGEST_KEY;
        if next.is_some_and(scan::is_flow_indicator) || is_long {
            self.note_unusual();
        }
        if matches!(state, State::Colon | State::Value) {
            self.error(ErrorCode::NestedMapping, at..at + 1);
            self.token(Kind::ErrorText, at + 1);
            return;
        }
        if let Some(item) = self.frames.last().filter(|frame| frame.kind == Kind::SeqEntry) {
            let start = item.start;
            if self.line_start > start && !item.explicit {
                self.error(ErrorCode::MultilineKey, start..start + 1);
            }
            self.single_pair();
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.properties = Properties::default();
        }
        self.set_state(State::Colon);
        self.token(Kind::Colon, at + 1);
    }

    /// A flow collection beyond the nesting limit: one token up to its bracket or to its last deeper line.
    fn flow_too_deep(&mut self, column: i64) {
        if let Some(frame) = self.frames.last_mut() {
            frame.flags |= flag::DEEP;
        }
        let start = self.pos;
        let mut open = 0usize;
        let mut from = start;
        let mut end;
        'lines: loop {
            let line_end = self.input.line_end(from);
            end = line_end;
            for (index, byte) in self.input.bytes(from, line_end).iter().enumerate() {
                match byte {
                    b'[' | b'{' => open += 1,
                    b']' | b'}' => {
                        open -= 1;
                        if open == 0 {
                            end = from + index + 1;
                            break 'lines;
                        }
                    }
                    _ => {}
                }
            }
            from = line_end + self.input.break_len(line_end);
            if from == line_end {
                break;
            }
            let line = self.input.rest_of_line(from);
            let spaces = line.iter().take_while(|&&b| b == b' ').count();
            let blank = line.iter().all(|&b| scan::is_blank(b));
            if !blank && (spaces as i64 <= column || scan::marker(line)) {
                break;
            }
        }
        self.error(ErrorCode::TooDeep, start..start + 1);
        self.long_token(Kind::ErrorText, end);
    }
}
