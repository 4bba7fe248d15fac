//! The short way for the lines most files are made of: `key: value` and `- value` with a scalar on
//! one line and nothing special about it. Gives the same nodes as the long way, which everything
//! else takes.

use super::scan::{self, Stop};
use super::{Parser, Peek};
use crate::green::{self, Green, Nodes, Words, flag};
use crate::kind::Kind;
use std::sync::Arc;

/// Bytes that begin a plain scalar whatever follows.
fn plain_start(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'/' | b'.' | b'(' | b'$' | b'+' | b'~') || byte >= 0x80
}

impl Parser<'_> {
    /// Reads an entry of one line whole; false (and nothing is read) if the line needs more care.
    pub(super) fn simple_line(&mut self, peek: Peek, flags: u8) -> bool {
        debug_assert_eq!(self.pos, peek.at);
        let line_end = self.input.line_end(self.pos);
        let line = self.input.bytes(self.pos, line_end);
        // Kind and end of each token.
        let mut tokens = [(Kind::Plain, 0usize); 6];
        let mut count = 0;
        let mut at = 0;
        let mut token = |kind: Kind, end: usize, at: &mut usize| {
            if end > *at {
                if let Some(place) = tokens.get_mut(count) {
                    *place = (kind, end - *at);
                }
                count += 1;
                *at = end;
            }
        };
        if peek.dash {
            token(Kind::Dash, 1, &mut at);
        } else {
            let Some(&first) = line.first() else { return false };
            if !plain_start(first) {
                return false;
            }
            let (end, stop) = scan::plain(line, false);
            if stop != Stop::Colon || line.get(end) != Some(&b':') {
                return false;
            }
            token(Kind::Plain, end, &mut at);
            token(Kind::Colon, end + 1, &mut at);
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
        token(Kind::Whitespace, at + blanks, &mut at);
        token(kind, at + len, &mut at);
        let line_break = self.input.break_len(line_end);
        token(Kind::Newline, at + line_break, &mut at);
        // A deeper line may continue the scalar, or make a key of it.
        let end = line_end + line_break;
        let below = if line_break > 0 { self.peek_from(end) } else { None };
        if below.is_some_and(|below| below.column > peek.column) {
            return false;
        }
        let mut words = [0u32; 7];
        for (word, (kind, len)) in words.iter_mut().zip(&tokens[..count.min(6)]) {
            let Some(packed) = green::token_word(*kind, *len) else { return false };
            *word = packed;
        }
        self.pos = end;
        self.line_start = end;
        self.add_node(Arc::new(Green {
            kind: if peek.dash { Kind::SeqEntry } else { Kind::MapEntry },
            flags,
            level: 0,
            height: 1,
            len: at as u32,
            lookahead: self.input.furthest.saturating_sub(end) as u32,
            column: peek.column as u32,
            errors: None,
            words: Words::Inline(count as u8, words),
            nodes: Nodes::None,
        }));
        true
    }

    /// Reads a flow entry of one or two scalars whole, up to the comma or bracket that ends it;
    /// false (and nothing is read) if it needs more care.
    pub(super) fn simple_flow_entry(&mut self, seq: bool) -> bool {
        let line_end = self.input.line_end(self.pos);
        let line = self.input.bytes(self.pos, line_end);
        let mut words = [0u32; 7];
        let mut count = 0;
        let mut at = 0;
        let mut add = |kind: Kind, len: usize, at: &mut usize| match green::token_word(kind, len) {
            Some(word) if len > 0 => {
                words[count] = word;
                count += 1;
                *at += len;
                true
            }
            other => other.is_some(),
        };
        if !seq {
            let Some((kind, len)) = flow_scalar(line) else { return false };
            let colon = line.get(len) == Some(&b':');
            let apart = line.get(len + 1).is_some_and(|&b| b == b' ');
            if !colon || !apart || !add(kind, len, &mut at) || !add(Kind::Colon, 1, &mut at) {
                return false;
            }
            let blanks = line[at..].iter().take_while(|&&b| b == b' ').count();
            if !add(Kind::Whitespace, blanks, &mut at) {
                return false;
            }
        }
        let rest = line.get(at..).unwrap_or(&[]);
        let Some((kind, len)) = flow_scalar(rest) else { return false };
        let after = rest[len..].iter().find(|&&b| b != b' ');
        if !matches!(after, Some(b',' | b']' | b'}')) || !add(kind, len, &mut at) {
            return false;
        }
        self.pos += at;
        self.add_node(Arc::new(Green {
            kind: if seq { Kind::SeqEntry } else { Kind::MapEntry },
            flags: flag::EXACT,
            level: 0,
            height: 1,
            len: at as u32,
            lookahead: self.input.furthest.saturating_sub(self.pos) as u32,
            column: (self.flow_column + 1).max(0) as u32,
            errors: None,
            words: Words::Inline(count as u8, words),
            nodes: Nodes::None,
        }));
        true
    }

    /// [`Parser::simple_line`] for the first entry of a collection.
    pub(super) fn simple_first(&mut self, dash: bool, column: usize) -> bool {
        let peek = Peek { line_start: self.line_start, at: self.pos, column, spaces: column, dash, marker: false };
        self.simple_line(peek, flag::EXACT)
    }
}

/// A scalar at the start of a flow entry or its value, if nothing about it is special.
fn flow_scalar(line: &[u8]) -> Option<(Kind, usize)> {
    let &first = line.first()?;
    if first == b'"' || first == b'\'' {
        let end = memchr::memchr2(first, b'\\', &line[1..])? + 1;
        let closed = line[end] == first && line.get(end + 1) != Some(&first);
        let kind = if first == b'"' { Kind::DoubleQuoted } else { Kind::SingleQuoted };
        return closed.then_some((kind, end + 1));
    }
    if !plain_start(first) {
        return None;
    }
    match scan::plain(line, true) {
        (len, Stop::Flow | Stop::Colon) => Some((Kind::Plain, len)),
        _ => None,
    }
}
