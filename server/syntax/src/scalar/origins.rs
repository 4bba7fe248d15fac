//! Maps the text of a scalar to the file. Languages inside scalars are parsed from the scalar's text, and their errors
//! have to be shown at the bytes of the file.

use super::{HALF, Scalar, low_half};
use crate::ast::ValueKind;
use crate::resolve::Profile;
use std::ops::Range;

/// Converts offsets in the text of a scalar to offsets in the file, and back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origins {
    /// In order, without gaps in the scalar's text.
    pieces: Vec<OriginPiece>,
    /// The offset in the file at which the scalar's text would continue.
    end: usize,
}

/// A part of the text, with the bytes that stand for it: the same bytes, or a whole escape.
#[derive(Clone, Debug, PartialEq, Eq)]
struct OriginPiece {
    meant: Range<usize>,
    written: Range<usize>,
}

impl OriginPiece {
    fn is_verbatim(&self) -> bool {
        self.meant.len() == self.written.len()
    }
}

impl Origins {
    /// The bytes of the file that stand for a range of the text. Empty ranges stay empty.
    pub fn written(&self, meant: Range<usize>) -> Range<usize> {
        let start = match self.piece(meant.start) {
            Some(piece) if piece.is_verbatim() => piece.written.start + (meant.start - piece.meant.start),
            Some(piece) => piece.written.start,
            None => self.end,
        };
        let Some(last) = meant.end.checked_sub(1).filter(|last| *last >= meant.start) else { return start..start };
        let end = match self.piece(last) {
            Some(piece) if piece.is_verbatim() => piece.written.start + (meant.end - piece.meant.start),
            Some(piece) => piece.written.end,
            None => self.end,
        };
        start..end.max(start)
    }

    /// The offset in the text for an offset in the file: inside an escape the start of the escape, between lines the
    /// end of the line above. None before and after the scalar.
    pub fn meant(&self, written: usize) -> Option<usize> {
        let first = self.pieces.first().map_or(self.end, |piece| piece.written.start);
        if written < first || written > self.end {
            return None;
        }
        let after = self.pieces.partition_point(|piece| piece.written.start <= written);
        let Some(piece) = after.checked_sub(1).and_then(|index| self.pieces.get(index)) else { return Some(0) };
        let inside = written - piece.written.start;
        Some(if piece.is_verbatim() {
            piece.meant.start + inside.min(piece.meant.len())
        } else if inside > 0 && inside >= piece.written.len() {
            // Text without bytes of its own, such as a line break at the end of the file, begins here.
            piece.meant.end
        } else {
            piece.meant.start
        })
    }

    /// The parts of the text, in order and without gaps, and the bytes of the file that stand for them: the same bytes,
    /// or those of an escape or of a folded line break.
    pub fn parts(&self) -> impl Iterator<Item = (Range<usize>, Range<usize>)> {
        self.pieces.iter().map(|piece| (piece.meant.clone(), piece.written.clone()))
    }

    fn piece(&self, meant: usize) -> Option<&OriginPiece> {
        let after = self.pieces.partition_point(|piece| piece.meant.start <= meant);
        self.pieces.get(after.checked_sub(1)?).filter(|piece| meant < piece.meant.end)
    }
}

impl Scalar<'_> {
    /// Where the parts of its text ([`Scalar::value_in`]) are written.
    ///
    /// Folding changes only white space, so all other characters have the same order in both texts, literally or as an
    /// escape.
    pub fn origins(&self, profile: Profile) -> Origins {
        let value = self.value_in(profile);
        // In broken text, a block scalar's body can follow a scalar of a different style that it does not belong to.
        let is_block = matches!(self.style, ValueKind::Literal | ValueKind::Folded);
        let (start, written) = match self.body.filter(|_| is_block) {
            Some(body) => (body.range().start, body.text()),
            None => (self.token.range().start, self.token.text()),
        };
        let opening = usize::from(matches!(self.style, ValueKind::SingleQuoted | ValueKind::DoubleQuoted));
        let mut pieces: Vec<OriginPiece> = Vec::new();
        let mut at = opening;
        for (offset, c) in value.char_indices() {
            let meant = offset..offset + c.len_utf8();
            let found = self.next(&written, at, c);
            let piece = OriginPiece { meant, written: start + found.start..start + found.end };
            at = found.end;
            match pieces.last_mut() {
                Some(last) if last.is_verbatim() && piece.is_verbatim() && last.written.end == piece.written.start => {
                    last.meant.end = piece.meant.end;
                    last.written.end = piece.written.end;
                }
                _ => pieces.push(piece),
            }
        }
        Origins { pieces, end: start + at.min(written.len()) }
    }

    /// The bytes from `at` on that stand for a character.
    fn next(&self, written: &str, at: usize, c: char) -> Range<usize> {
        let rest = written.get(at..).unwrap_or_default();
        if c.is_whitespace() && self.folds_at(rest) {
            return at..self.fold_end(written, at, c);
        }
        let skipped = self.skipped(rest, c);
        let here = rest.get(skipped..).unwrap_or_default();
        let length = match self.style {
            ValueKind::SingleQuoted if here.starts_with("''") => 2,
            ValueKind::DoubleQuoted if here.starts_with('\\') => escape_length(here),
            _ if here.starts_with(c) => c.len_utf8(),
            _ => 0,
        };
        at + skipped..at + skipped + length
    }

    /// The end of the line breaks at `at` that a space or a line break stands for, with the blanks around them.
    fn fold_end(&self, written: &str, at: usize, c: char) -> usize {
        let is_block = matches!(self.style, ValueKind::Literal | ValueKind::Folded);
        let (before, rest) = written.split_at_checked(at).unwrap_or((written, ""));
        // In flow scalars one break becomes a space, and of several breaks the first is dropped.
        let is_first = !before.trim_end_matches([' ', '\t']).ends_with(['\n', '\r']);
        let breaks = if !is_block && c == '\n' && is_first { 2 } else { 1 };
        let mut left = rest;
        for _ in 0..breaks {
            left = left.trim_start_matches([' ', '\t']);
            left = left.strip_prefix("\r\n").or_else(|| left.strip_prefix(['\n', '\r'])).unwrap_or(left);
        }
        if !is_block {
            // Indentation.
            left = left.trim_start_matches([' ', '\t']);
        }
        at + (rest.len() - left.len())
    }

    /// Whether a line ends here and is folded into white space.
    fn folds_at(&self, rest: &str) -> bool {
        let rest = if self.style == ValueKind::Literal { rest } else { rest.trim_start_matches([' ', '\t']) };
        rest.starts_with(['\n', '\r'])
    }

    /// The number of bytes before the next character that stand for nothing: indentation, and line breaks after a
    /// backslash.
    fn skipped(&self, rest: &str, c: char) -> usize {
        let quoted = self.style == ValueKind::DoubleQuoted;
        let mut here = rest;
        loop {
            let escaped_break = here.strip_prefix('\\').filter(|next| quoted && next.starts_with(['\r', '\n']));
            here = match escaped_break {
                Some(next) => next,
                None if here.starts_with(c) => break,
                None => {
                    let next = here.trim_start_matches([' ', '\t', '\r', '\n']);
                    if next.len() == here.len() {
                        break;
                    }
                    next
                }
            };
        }
        rest.len() - here.len()
    }
}

/// The length of an escape in double quotes, in bytes.
fn escape_length(text: &str) -> usize {
    let mut chars = text.chars().skip(1);
    let digits = match chars.next() {
        Some('x') => 2,
        Some('u') => 4,
        Some('U') => 8,
        Some(c) if super::escape(c).is_some() || c == '\'' => return 1 + c.len_utf8(),
        _ => return 1,
    };
    let code = text.get(2..2 + digits).filter(|hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let Some(code) = code.and_then(|hex| u32::from_str_radix(hex, 16).ok()) else { return 1 };
    let after = text.as_bytes().get(2 + digits..).unwrap_or_default();
    2 + digits + low_half(code, after).map_or(0, |_| HALF)
}

#[cfg(test)]
mod tests;
