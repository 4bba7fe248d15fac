//! The fast path for the lines that most files consist of: `key: value` and `- value` with an ordinary scalar on one
//! line. It produces the same nodes as the general path, which reads everything else.

use super::scan::{self, Stop};
use super::{Parser, Peek};
use crate::green::{self, Body, Green, LineParts, OneLine, flag};
use crate::kind::Kind;
use std::sync::Arc;

/// Bytes that begin a plain scalar, whatever follows.
fn plain_start(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'/' | b'.' | b'(' | b'$' | b'+' | b'~') || byte >= 0x80
}

impl Parser<'_> {
    /// Reads an entry on one line; returns false (and reads nothing) if the line needs the general path.
    pub(super) fn simple_line(&mut self, peek: Peek, flags: u8) -> bool {
        debug_assert_eq!(self.pos, peek.at);
        let line_end = self.input.line_end(self.pos);
        let line = self.input.bytes(self.pos, line_end);
        let mut parts = LineParts { dash: peek.dash, ..LineParts::default() };
        let mut at = 1;
        if !peek.dash {
            let Some(&first) = line.first() else { return false };
            if !plain_start(first) {
                return false;
            }
            let (end, stop) = scan::plain(line, false);
            if stop != Stop::Colon || line.get(end) != Some(&b':') || end > scan::LONGEST_KEY {
                return false;
            }
            parts.key = Some((Kind::Plain, end));
            at = end + 1;
        }
        let rest = line.get(at..).unwrap_or(&[]);
        let blanks = rest.iter().take_while(|&&b| b == b' ').count();
        let Some(rest) = rest.get(blanks..) else { return false };
        let Some(&first) = rest.first() else { return false };
        let (kind, len) = match first {
            b'"' | b'\'' => {
                let Some(end) = memchr::memchr2(first, b'\\', &rest[1..]) else { return false };
                if end + 2 != rest.len() || rest[end + 1] != first {
                    return false;
                }
                (if first == b'"' { Kind::DoubleQuoted } else { Kind::SingleQuoted }, end + 2)
            }
            _ if plain_start(first) => match scan::plain(rest, false) {
                (len, Stop::Line) if len == rest.len() => (Kind::Plain, len),
                _ => return false,
            },
            _ => return false,
        };
        (parts.blanks, parts.value) = (blanks, Some((kind, len)));
        parts.line_break = self.input.break_len(line_end);
        // A deeper line may continue the scalar, or turn it into a key.
        let end = line_end + parts.line_break;
        let below = if parts.line_break > 0 { self.peek_from(end) } else { None };
        if below.is_some_and(|below| below.column > peek.column) {
            return false;
        }
        self.pos = end;
        self.line_start = end;
        let kind = if peek.dash { Kind::SeqEntry } else { Kind::MapEntry };
        self.add_entry(kind, &parts, flags, peek.column);
        true
    }

    /// Adds an entry that ends at the current position: in the words of its collection, or as a node if it is too long
    /// for that.
    fn add_entry(&mut self, kind: Kind, parts: &LineParts, flags: u8, column: usize) {
        let lookahead = self.input.furthest.saturating_sub(self.pos) as u32;
        if let Some(line) = OneLine::new(parts, flags == flag::EXACT, column, lookahead) {
            self.add_line(line);
            return;
        }
        let first = self.words.len();
        let mut len = 0;
        for (kind, token) in parts.tokens() {
            green::push_token(&mut self.words, kind, token as u32);
            len += token;
        }
        let body = Body::new(&self.words[first..], &mut Vec::new(), 0);
        self.words.truncate(first);
        let (len, column) = (len as u32, column as u32);
        self.add_node(Arc::new(Green { kind, flags, height: 1, len, lookahead, column, body }));
    }

    /// Reads a flow entry of one or two scalars, up to the comma or bracket that ends it; returns false (and reads
    /// nothing) if it needs the general path.
    pub(super) fn simple_flow_entry(&mut self, seq: bool) -> bool {
        let (start, before) = (self.pos, self.input.furthest);
        // Nothing before it matters: see `open_apart`.
        self.input.furthest = start;
        let read = FlowEntry::read(self.input.line_from(start), seq);
        self.input.look_to(start + read.looked_at);
        if let Some((parts, len)) = read.parts {
            self.pos += len;
            let kind = if seq { Kind::SeqEntry } else { Kind::MapEntry };
            self.add_entry(kind, &parts, flag::EXACT, (self.flow_column + 1).max(0) as usize);
        }
        self.input.look_to(before);
        read.parts.is_some()
    }

    /// [`Parser::simple_line`] for the first entry of a collection.
    pub(super) fn simple_first(&mut self, dash: bool, column: usize) -> bool {
        let peek = Peek { line_start: self.line_start, at: self.pos, column, spaces: column, dash, marker: false };
        self.simple_line(peek, flag::EXACT)
    }
}

/// A flow entry of one or two ordinary scalars.
struct FlowEntry {
    /// Its tokens and its length; None if it is something else.
    parts: Option<(LineParts, usize)>,
    /// How many bytes of the line were looked at to tell that; more than the line has, if its end is among them.
    looked_at: usize,
}

impl FlowEntry {
    fn read(line: &[u8], seq: bool) -> FlowEntry {
        let none = |looked_at| FlowEntry { parts: None, looked_at };
        let mut parts = LineParts::default();
        let mut at = 0;
        if !seq {
            let (key, looked_at) = flow_scalar(line);
            let Some((kind, len)) = key else { return none(looked_at) };
            let colon = line.get(len) == Some(&b':');
            let apart = line.get(len + 1).is_some_and(|&b| b == b' ');
            if !colon || !apart || len > scan::LONGEST_KEY {
                return none(looked_at.max(len + 2));
            }
            parts.key = Some((kind, len));
            parts.blanks = line[len + 1..].iter().take_while(|&&b| b == b' ').count();
            at = len + 1 + parts.blanks;
        }
        let rest = line.get(at..).unwrap_or(&[]);
        let (value, looked_at) = flow_scalar(rest);
        let Some((kind, len)) = value else { return none(at + looked_at) };
        let blanks = rest[len..].iter().take_while(|&&b| b == b' ').count();
        let looked_at = at + looked_at.max(len + blanks + 1);
        if !matches!(rest.get(len + blanks), Some(b',' | b']' | b'}')) {
            return none(looked_at);
        }
        parts.value = Some((kind, len));
        FlowEntry { parts: Some((parts, at + len)), looked_at }
    }
}

/// A scalar at the start of a flow entry or of its value, if it is an ordinary one, and how many bytes were looked at.
fn flow_scalar(line: &[u8]) -> (Option<(Kind, usize)>, usize) {
    // The line break tells what ends with the line.
    let all = line.len() + 2;
    let Some(&first) = line.first() else { return (None, all) };
    if first == b'"' || first == b'\'' {
        let Some(end) = memchr::memchr2(first, b'\\', &line[1..]).map(|at| at + 1) else { return (None, all) };
        let closed = line[end] == first && line.get(end + 1) != Some(&first);
        let kind = if first == b'"' { Kind::DoubleQuoted } else { Kind::SingleQuoted };
        return (closed.then_some((kind, end + 1)), end + 2);
    }
    if !plain_start(first) {
        return (None, 1);
    }
    match scan::plain(line, true) {
        (len, Stop::Flow | Stop::Colon) => {
            // A question mark has a meaning of its own for some libraries.
            let is_ordinary = !line[..len].contains(&b'?');
            (is_ordinary.then_some((Kind::Plain, len)), scan::looked_at(line, len))
        }
        _ => (None, all),
    }
}
