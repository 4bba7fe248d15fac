//! Scalars, anchors and tags as tokens, with the errors inside them.

use super::Parser;
use super::block::Properties;
use super::scan::{self, Quoted};
use crate::error::ErrorCode;
use crate::faults::named_handle;
use crate::green::flag;
use crate::kind::Kind;
use crate::scalar::{HALF, escape, low_half};

impl Parser<'_> {
    /// Reads an anchor or tag and the blanks after it.
    pub(super) fn property(&mut self, here: &mut Properties, earlier: &Properties, flow: bool) {
        let line = self.input.line_from(self.pos);
        let len = scan::property_len(line, flow);
        let (start, end) = (self.pos, self.pos + len);
        let is_unusual = line[..len].contains(&b'#');
        if line.first() == Some(&b'&') {
            if len == 1 {
                self.error(ErrorCode::EmptyName, start..end);
            }
            if here.anchor || earlier.anchor {
                self.error(ErrorCode::RepeatedProperty, start..end);
            }
            here.anchor = true;
            self.token(Kind::Anchor, end);
        } else {
            let text = String::from_utf8_lossy(&line[..len]).into_owned();
            if !valid_tag(&text) {
                self.error(ErrorCode::InvalidTag, start..end);
            }
            if here.tag || earlier.tag {
                self.error(ErrorCode::RepeatedProperty, start..end);
            }
            here.tag = true;
            if named_handle(&text).is_some()
                && let Some(frame) = self.frames.last_mut()
            {
                frame.flags |= flag::HANDLE;
            }
            self.token(Kind::Tag, end);
        }
        // `&a"text"` or `!!str[`
        self.input.look_to(end + 2);
        let next = self.input.line_from(end).first().copied();
        if next.is_some_and(|byte| !(scan::is_blank(byte) || flow && scan::is_flow_indicator(byte))) {
            self.error(ErrorCode::UnexpectedText, end..end + 1);
        }
        if is_unusual || next.is_some_and(scan::is_flow_indicator) {
            self.note_unusual();
        }
    }

    /// Adds an alias whose end is known. A colon after it is part of its name by the grammar, so the caller has found that it
    /// is meant as that of a key.
    pub(super) fn alias(&mut self, end: usize, has_properties: bool) {
        if has_properties {
            self.error(ErrorCode::AliasProperty, self.pos..end);
        }
        if self.input.byte(end) == b':' {
            self.error(ErrorCode::AliasColon, self.pos..end + 1);
        }
        if end == self.pos + 1 {
            self.error(ErrorCode::EmptyName, self.pos..end);
        }
        self.token(Kind::Alias, end);
    }

    /// Adds a quoted scalar whose end is known.
    pub(super) fn quoted_token(&mut self, quoted: Quoted) {
        let start = self.pos;
        if !quoted.closed {
            self.error(ErrorCode::UnclosedQuote, start..quoted.end);
        }
        if self.input.byte(start) == b'\'' {
            self.long_token(Kind::SingleQuoted, quoted.end);
            return;
        }
        self.check_escapes(start + 1, quoted.end);
        self.long_token(Kind::DoubleQuoted, quoted.end);
    }

    fn check_escapes(&mut self, start: usize, end: usize) {
        let mut found = Vec::new();
        let mut unusual = false;
        let bytes = self.input.bytes(start, end);
        let mut at = 0;
        while let Some(next) = bytes.get(at..).and_then(|rest| memchr::memchr(b'\\', rest)) {
            at += next;
            let Some(&letter) = bytes.get(at + 1) else { break };
            let digits = match letter {
                b'x' => 2,
                b'u' => 4,
                b'U' => 8,
                _ => 0,
            };
            let rest = bytes.get(at + 2..).unwrap_or(&[]);
            let hex = rest.iter().take(digits).take_while(|b| b.is_ascii_hexdigit()).count();
            let code = std::str::from_utf8(&rest[..hex]).ok();
            let code = code.and_then(|code| u32::from_str_radix(code, 16).ok());
            unusual |= matches!(letter, b'/' | b'\'');
            if letter == b'u' && hex == digits && code.is_some_and(|code| low_half(code, &rest[hex..]).is_some()) {
                unusual = true;
                at += 2 * HALF;
                continue;
            }
            let valid = match digits {
                0 => matches!(letter, b'\n' | b'\r') || escape(letter as char).is_some(),
                _ => hex == digits && code.is_some_and(|code| char::from_u32(code).is_some()),
            };
            if !valid {
                // Up to the end of the character, or of the digits that are present.
                let mut len = 2 + hex;
                while bytes.get(at + len).is_some_and(|b| b & 0xc0 == 0x80) {
                    len += 1;
                }
                found.push((start + at, len));
            }
            at += 2;
        }
        for (at, len) in found {
            self.error(ErrorCode::InvalidEscape, at..at + len);
        }
        if unusual {
            self.note_unusual();
        }
    }

    /// Notes that something in the innermost open node is read differently by YAML libraries.
    pub(super) fn note_unusual(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.flags |= flag::UNUSUAL;
        }
    }

    /// Reports characters that a plain scalar cannot begin with.
    pub(super) fn check_plain_start(&mut self) {
        self.input.look_to(self.pos + 2);
        let line = self.input.line_from(self.pos);
        let Some(&byte) = line.first() else { return };
        let code = match byte {
            b'@' | b'`' | b'%' | b',' | b'|' | b'>' => ErrorCode::ReservedCharacter,
            b']' | b'}' => ErrorCode::StrayBracket,
            b'#' => ErrorCode::CommentSpace,
            b':' | b'?' | b'-' if line.get(1).is_none_or(|&b| scan::is_blank(b)) => ErrorCode::UnexpectedText,
            _ => return,
        };
        self.error(code, self.pos..self.pos + 1);
    }

    /// `|` or `>`: header, comment, lines. Only indentation ends them (rule 5).
    pub(super) fn block_scalar(&mut self, column: i64) {
        let line = self.input.rest_of_line(self.pos);
        let mut len = 1;
        let (mut digit, mut chomp) = (None, None);
        while let Some(&byte) = line.get(len) {
            match byte {
                b'1'..=b'9' if digit.is_none() => digit = Some(i64::from(byte - b'0')),
                b'+' | b'-' if chomp.is_none() => chomp = Some(byte),
                _ => break,
            }
            len += 1;
        }
        self.token(Kind::BlockHeader, self.pos + len);
        let line_end = self.input.line_end(self.pos);
        let blanks = self.blanks();
        if self.pos < line_end {
            if self.input.byte(self.pos) == b'#' {
                if !blanks {
                    self.error(ErrorCode::CommentSpace, self.pos..self.pos + 1);
                }
                self.token(Kind::Comment, line_end);
            } else {
                self.unexpected(ErrorCode::BlockScalarHeader);
                self.blanks();
                self.token(Kind::Comment, line_end);
            }
        }
        let indent = digit.map(|digit| digit + column.max(0));
        let start = line_end + self.input.break_len(line_end);
        if start == line_end {
            return;
        }
        let (end, deep_blank) = self.block_lines(start, column, indent, chomp == Some(b'+'));
        if let Some((code, range)) = deep_blank {
            self.error(code, range);
        }
        if let Some(end) = end.filter(|&end| end > start) {
            self.line_break();
            self.long_token(Kind::BlockBody, end);
        }
    }

    /// The end of the lines of a block scalar, and a leading blank line that is too deep.
    fn block_lines(
        &mut self,
        start: usize,
        column: i64,
        indent: Option<i64>,
        keep: bool,
    ) -> (Option<usize>, Option<(ErrorCode, std::ops::Range<usize>)>) {
        let mut indent = indent;
        let mut begun = false;
        let mut deepest = None;
        let mut deep_blank = None;
        let mut end = None;
        let mut at = start;
        loop {
            let line_end = self.input.line_end(at);
            let after = line_end + self.input.break_len(line_end);
            let line = self.input.rest_of_line(at);
            let spaces = line.iter().take_while(|&&b| b == b' ').count();
            if spaces == line.len() {
                // A blank line with more spaces than the text is text.
                if indent.is_some_and(|indent| spaces as i64 > indent) {
                    end = Some(line_end);
                } else if keep && (after > line_end || spaces > 0) {
                    end = Some(after);
                }
                if indent.is_none() && deepest.is_none_or(|(deep, _)| spaces > deep) {
                    deepest = Some((spaces, at));
                }
            } else {
                let deep = match indent {
                    Some(indent) => spaces as i64 >= indent,
                    None => spaces as i64 > column,
                };
                if !deep || scan::marker(line) {
                    if !begun && line.iter().all(|&b| scan::is_blank(b)) {
                        // A tab where the text should begin.
                        deep_blank = Some((ErrorCode::TabIndentation, at..line_end));
                    }
                    break;
                }
                if indent.is_none() {
                    if let Some((deep, at)) = deepest.filter(|&(deep, _)| deep > spaces) {
                        deep_blank = Some((ErrorCode::BlockScalarIndentation, at..at + deep));
                    }
                    if spaces == 0 && line.first() == Some(&b'\t') {
                        deep_blank = Some((ErrorCode::TabIndentation, at..at + 1));
                    }
                    indent = Some(spaces as i64);
                }
                begun = true;
                end = Some(line_end);
            }
            if after == line_end {
                break;
            }
            at = after;
        }
        if keep {
            // With `+`, the last break and the blank lines are part of the text.
            if let Some(at) = end {
                end = Some(at + self.break_at(at));
            }
        }
        (end, deep_blank)
    }

    fn break_at(&self, offset: usize) -> usize {
        // `end` is a line end or, after a kept blank line, already a line start.
        let before = self.input.bytes(offset.saturating_sub(1), offset).first().copied();
        if matches!(before, Some(b'\n' | b'\r')) { 0 } else { self.input.break_len(offset) }
    }
}

/// `!`, `!!word`, `!word`, `!h!word` or `!<uri>`.
pub(crate) fn valid_tag(tag: &str) -> bool {
    // `%` begins an escape of two hexadecimal digits.
    let escapes =
        tag.split('%').skip(1).all(|rest| rest.len() >= 2 && rest.bytes().take(2).all(|byte| byte.is_ascii_hexdigit()));
    if !escapes {
        return false;
    }
    let uri = |c: char| c.is_ascii_alphanumeric() || "-#;/?:@&=+$_.~*'()%,[]!".contains(c);
    if let Some(rest) = tag.strip_prefix("!<") {
        return rest.strip_suffix('>').is_some_and(|uri_text| !uri_text.is_empty() && uri_text.chars().all(uri));
    }
    let rest = &tag[1..];
    let (handle, suffix) = rest.split_once('!').unwrap_or(("", rest));
    let word = handle.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    let suffix_ok = suffix.chars().all(|c| uri(c) && !"!,[]".contains(c));
    word && suffix_ok && (!rest.contains('!') || !suffix.is_empty())
}
