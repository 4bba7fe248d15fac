//! Finds the ends of tokens. These functions only look at the text; nothing is added to the tree.

use super::{Parser, Peek};

/// Some libraries search for the colon after a key within this many bytes.
pub(super) const LONGEST_KEY: usize = 1024;

/// Why a plain scalar ends on its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// End of the line.
    Line,
    /// A comment.
    Comment,
    /// `:` followed by white space (or, in flow style, an indicator).
    Colon,
    /// `,` or a bracket in flow style.
    Flow,
}

const BLANK: u8 = 1;
const FLOW: u8 = 2;
const COLON: u8 = 4;
const HASH: u8 = 8;

/// Bytes at which the scan of a plain scalar has to look more closely.
static CLASS: [u8; 256] = {
    let mut class = [0u8; 256];
    class[b' ' as usize] = BLANK;
    class[b'\t' as usize] = BLANK;
    class[b',' as usize] = FLOW;
    class[b'[' as usize] = FLOW;
    class[b']' as usize] = FLOW;
    class[b'{' as usize] = FLOW;
    class[b'}' as usize] = FLOW;
    class[b':' as usize] = COLON;
    class[b'#' as usize] = HASH;
    class
};

pub(super) fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

pub(super) fn is_flow_indicator(byte: u8) -> bool {
    CLASS[byte as usize] == FLOW
}

/// The length of a plain scalar on one line, without trailing blanks, and why it ends.
pub(super) fn plain(line: &[u8], flow: bool) -> (usize, Stop) {
    let mut end = 0;
    let mut index = 0;
    while let Some(rest) = line.get(index..) {
        // Most bytes are ordinary.
        let Some(ordinary) = rest.iter().position(|&byte| CLASS[byte as usize] != 0) else {
            return (if rest.is_empty() { end } else { line.len() }, Stop::Line);
        };
        if ordinary > 0 {
            index += ordinary;
            end = index;
        }
        match CLASS[line[index] as usize] {
            BLANK => {
                index += 1;
                continue;
            }
            FLOW if flow => return (end, Stop::Flow),
            COLON => match line.get(index + 1) {
                None => return (end, Stop::Colon),
                Some(&next) if is_blank(next) || flow && is_flow_indicator(next) => {
                    return (end, Stop::Colon);
                }
                _ => {}
            },
            HASH if index > 0 && is_blank(line[index - 1]) => return (end, Stop::Comment),
            _ => {}
        }
        index += 1;
        end = index;
    }
    (end, Stop::Line)
}

/// How many bytes [`plain`] looked at to tell that a scalar has this length, if it did not end with its line: the blanks
/// after it, and the colon with what comes after it or another indicator.
pub(super) fn looked_at(line: &[u8], len: usize) -> usize {
    len + line.get(len..).unwrap_or_default().iter().take_while(|&&b| is_blank(b)).count() + 2
}

/// The offset after the closing quote of a quoted scalar on its line. `from` is after the opening quote.
pub(super) fn quote_end(line: &[u8], from: usize, quote: u8) -> Option<usize> {
    let mut index = from;
    if quote == b'\'' {
        loop {
            index += memchr::memchr(b'\'', line.get(index..)?)? + 1;
            if line.get(index) != Some(&b'\'') {
                return Some(index);
            }
            index += 1;
        }
    }
    loop {
        index += memchr::memchr2(b'"', b'\\', line.get(index..)?)?;
        if line[index] == b'"' {
            return Some(index + 1);
        }
        index += 2;
    }
}

/// `---` or `...` followed by white space or the end of the line.
pub(super) fn marker(line: &[u8]) -> bool {
    (line.starts_with(b"---") || line.starts_with(b"...")) && line.get(3).is_none_or(|&b| is_blank(b))
}

/// An indicator (`-`, `?`, `:`) followed by white space or the end of the line.
pub(super) fn indicator(line: &[u8], byte: u8) -> bool {
    line.first() == Some(&byte) && line.get(1).is_none_or(|&b| is_blank(b))
}

/// Length of an anchor, alias or tag.
pub(super) fn property_len(line: &[u8], flow: bool) -> usize {
    if line.starts_with(b"!<") {
        if let Some(end) = line.iter().position(|&b| b == b'>' || is_blank(b)) {
            return end + usize::from(line[end] == b'>');
        }
        return line.len();
    }
    let tag = line.first() == Some(&b'!');
    let stops = |byte: u8| is_blank(byte) || is_flow_indicator(byte) && (flow || !tag);
    line.iter().skip(1).position(|&b| stops(b)).map_or(line.len(), |at| at + 1)
}

/// Length of an alias without the colon at its end, unless a colon that is not part of it follows.
pub(super) fn alias_before_colon(line: &[u8], flow: bool) -> Option<usize> {
    let len = property_len(line, flow);
    let ends = len > 2 && line[len - 1] == b':' && !indicator(line[len..].trim_ascii_start(), b':');
    ends.then_some(len - 1)
}

/// Like [`alias_before_colon`], if the colon must be that of a key, because something follows on the line that cannot
/// follow an alias.
pub(super) fn alias_as_key(line: &[u8], flow: bool) -> Option<usize> {
    alias_before_colon(line, flow).filter(|len| {
        let rest = &line[len + 1..];
        let next = rest.trim_ascii_start().first();
        rest.first().is_some_and(|&b| is_blank(b))
            && next.is_some_and(|&b| b != b'#' && !(flow && is_flow_indicator(b)))
    })
}

/// Whether a line is a marker of a merge conflict.
pub(super) fn conflict(line: &[u8]) -> bool {
    [b"<<<<<<<", b"=======", b">>>>>>>", b"|||||||"]
        .iter()
        .any(|mark| line.starts_with(*mark) && line.get(7).is_none_or(|&b| b == b' '))
}

/// The extent of a quoted scalar.
pub(super) struct Quoted {
    pub(super) end: usize,
    pub(super) closed: bool,
    pub(super) multiline: bool,
}

impl Parser<'_> {
    /// Finds the end of a quoted scalar. `deeper_than` is the column that all its later lines must exceed; `None` keeps
    /// it on one line (a key).
    ///
    /// It continues beyond its line only if it is closed on a deeper line and what follows the quote is allowed there;
    /// otherwise it is open and ends with its first line, so that the damage stays there (rule 3).
    pub(super) fn quoted(&mut self, start: usize, deeper_than: Option<i64>, flow: bool) -> Quoted {
        let quote = self.input.byte(start);
        if let Some(len) = quote_end(self.input.line_from(start), 1, quote) {
            // One quote may be followed by another.
            self.input.look_to(start + len + 1);
            return Quoted { end: start + len, closed: true, multiline: false };
        }
        let line_end = self.input.line_end(start);
        if let Some(column) = deeper_than.map(|column| if self.loose { -1 } else { column })
            && let Some(end) = self.quoted_lines(line_end, column, quote, flow)
        {
            return Quoted { end, closed: true, multiline: true };
        }
        let line = self.input.rest_of_line(start);
        let mut len = line.len();
        let closing = |byte: &u8| is_blank(*byte) || matches!(byte, b'}' | b']' | b',');
        while len > 1 && (is_blank(line[len - 1]) || flow && closing(&line[len - 1])) {
            len -= 1;
        }
        Quoted { end: start + len, closed: false, multiline: false }
    }

    fn quoted_lines(&mut self, mut line_end: usize, column: i64, quote: u8, flow: bool) -> Option<usize> {
        let key = (column, quote);
        if self.no_quote.0 == key && line_end < self.no_quote.1 {
            self.input.look_to(self.no_quote.2);
            return None;
        }
        loop {
            let start = line_end + self.input.break_len(line_end);
            if start == line_end {
                self.no_quote = (key, line_end, self.input.furthest);
                return None;
            }
            line_end = self.input.line_end(start);
            let line = self.input.rest_of_line(start);
            let spaces = line.iter().take_while(|&&b| b == b' ').count();
            let blank = line.iter().all(|&b| is_blank(b));
            if marker(line) || (!blank && spaces as i64 <= column) {
                self.no_quote = (key, start, self.input.furthest);
                return None;
            }
            // A backslash before the line break escapes the break, not a quote on the next line.
            if let Some(end) = quote_end(line, 0, quote) {
                let rest = &line[end.min(line.len())..];
                let blanks = rest.iter().take_while(|&&b| is_blank(b)).count();
                let follows = match rest.get(blanks) {
                    None => true,
                    Some(b'#') => blanks > 0,
                    Some(b',' | b']' | b'}' | b':') => flow,
                    _ => false,
                };
                return follows.then_some(start + end);
            }
        }
    }

    /// The end of a plain scalar that begins on this line, and whether the line that would continue it looks like a key
    /// (rule 6).
    pub(super) fn plain_lines(&mut self, start: usize, column: i64, flow: bool) -> (usize, bool) {
        let line = self.input.line_from(start);
        let (len, stop) = plain(line, flow);
        let mut end = start + len;
        if stop != Stop::Line {
            let looked_at = looked_at(line, len);
            self.input.look_to(start + looked_at);
            return (end, false);
        }
        let mut line_end = self.input.line_end(start);
        loop {
            let next = line_end + self.input.break_len(line_end);
            if next == line_end {
                return (end, false);
            }
            line_end = self.input.line_end(next);
            let line = self.input.rest_of_line(next);
            let spaces = line.iter().take_while(|&&b| b == b' ').count();
            let lead = line.iter().take_while(|&&b| is_blank(b)).count();
            let rest = &line[lead..];
            match rest.first() {
                None => continue,
                Some(b'#') => return (end, false),
                _ if spaces as i64 <= column || marker(line) || conflict(line) => return (end, false),
                _ => {}
            }
            let (len, stop) = plain(rest, flow);
            if flow {
                if len == 0 {
                    return (end, false);
                }
            } else if stop == Stop::Colon {
                return (end, true);
            }
            end = next + lead + len;
            if stop != Stop::Line {
                return (end, false);
            }
        }
    }

    /// Whether an entry with a simple key begins here: anchor and tag, a key on one line, a colon.
    pub(super) fn key_here(&mut self, start: usize) -> bool {
        let at = self.skip_properties(start);
        let line = self.input.rest_of_line(at);
        let colon_after = |mut index: usize| {
            while line.get(index).is_some_and(|&b| is_blank(b)) {
                index += 1;
            }
            line.get(index..).is_some_and(|rest| indicator(rest, b':'))
        };
        match line.first() {
            None | Some(b'#' | b'|' | b'>') => false,
            Some(&quote @ (b'"' | b'\'')) => quote_end(line, 1, quote).is_some_and(colon_after),
            Some(b'[' | b'{') => flow_end(line).is_some_and(colon_after),
            Some(b'*') => alias_as_key(line, false).is_some() || colon_after(property_len(line, false)),
            _ => plain(line, false).1 == Stop::Colon,
        }
    }

    /// The offset after the anchors and tags at an offset, on its line.
    pub(super) fn skip_properties(&mut self, start: usize) -> usize {
        let line = self.input.rest_of_line(start);
        let mut index = 0;
        while let Some(b'&' | b'!') = line.get(index) {
            index += property_len(&line[index..], false);
            index += line[index..].iter().take_while(|&&b| is_blank(b)).count();
        }
        start + index
    }

    /// Whether the next line (comments and blank lines skipped) is deeper than `column` and looks like a key: then a
    /// scalar above it is meant as a key too (rule 2).
    pub(super) fn key_below(&mut self, here: usize, column: i64) -> bool {
        let line_end = self.input.line_end(here);
        let next = line_end + self.input.break_len(line_end);
        if next == line_end {
            return false;
        }
        match self.peek_from(next) {
            Some(Peek { at, column: found, marker: false, dash: false, .. }) => {
                found as i64 > column && (self.key_here(at) || indicator(self.input.rest_of_line(at), b'?'))
            }
            _ => false,
        }
    }
}

/// The end of a flow collection that is closed on its line.
fn flow_end(line: &[u8]) -> Option<usize> {
    let mut depth = 0usize;
    let mut index = 0;
    while let Some(&byte) = line.get(index) {
        let before = index.checked_sub(1).map_or(b' ', |at| line[at]);
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(index + 1);
                }
            }
            b'"' | b'\'' if is_blank(before) || is_flow_indicator(before) || before == b':' => {
                index = quote_end(line, index + 1, byte)?;
                continue;
            }
            b'#' if is_blank(before) => return None,
            _ => {}
        }
        index += 1;
    }
    None
}
