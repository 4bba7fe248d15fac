//! Editor positions, and the conversion between them and byte offsets.

use crate::{Text, ends_line};
use memchr::{memchr, memchr_iter, memrchr};

/// A position as editors give it: line and column from 0, the column in units of an [`Encoding`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Line, from 0.
    pub line: u32,
    /// Units between the start of the line and this position.
    pub column: u32,
}

impl Position {
    /// The position `column` units into `line`, both from 0.
    pub fn new(line: u32, column: u32) -> Self {
        Self { line, column }
    }
}

/// The unit in which columns are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// Code units of UTF-16; a character outside the basic plane counts as two. LSP's default when client and server
    /// agree on nothing else.
    #[default]
    Utf16,
    /// Characters.
    Utf32,
}

impl Text {
    /// The position of a byte offset. An offset inside a line break gives the end of its line.
    pub fn position(&self, offset: usize, encoding: Encoding) -> Position {
        self.position_in_chunk(offset, encoding).unwrap_or_else(|| self.position_in_rope(offset, encoding))
    }

    /// The position if its line begins in the same piece of the rope, as it mostly does: one search of the rope instead of
    /// one for each of line, start, end and column.
    pub(crate) fn position_in_chunk(&self, offset: usize, encoding: Encoding) -> Option<Position> {
        let (chunk, chunk_start, _, chunk_line) = self.rope.chunk_at_byte(offset.min(self.len()));
        let mut end = offset.min(self.len()).checked_sub(chunk_start)?;
        while !chunk.is_char_boundary(end) {
            end = end.checked_sub(1)?;
        }
        // A rope does not cut between CR and LF.
        let bytes = chunk.as_bytes();
        if bytes.get(end) == Some(&b'\n') && end.checked_sub(1).and_then(|before| bytes.get(before)) == Some(&b'\r') {
            end -= 1;
        }
        let before = bytes.get(..end)?;
        // An answer about a whole file has thousands of positions.
        let (breaks, last) = if memchr(b'\r', before).is_some() {
            let mut ends = (0..end).filter(|at| ends_line(bytes, *at));
            let last = ends.next_back();
            (ends.count() + usize::from(last.is_some()), last)
        } else {
            (memchr_iter(b'\n', before).count(), memrchr(b'\n', before))
        };
        let start = match last {
            Some(at) => at + 1,
            None if chunk_start == 0 => 0,
            None => return None,
        };
        let text = chunk.get(start..end)?;
        let column = match encoding {
            Encoding::Utf8 => text.len(),
            _ if text.is_ascii() => text.len(),
            Encoding::Utf16 => text.chars().map(char::len_utf16).sum(),
            Encoding::Utf32 => text.chars().count(),
        };
        Some(Position { line: to_u32(chunk_line + breaks), column: to_u32(column) })
    }

    pub(crate) fn position_in_rope(&self, offset: usize, encoding: Encoding) -> Position {
        let line = self.line_of(offset);
        let range = self.line_range(line);
        let end = self.round_down(offset.min(range.end)).max(range.start);
        let column = match encoding {
            Encoding::Utf8 => end - range.start,
            Encoding::Utf32 => self.rope.byte_to_char(end) - self.rope.byte_to_char(range.start),
            Encoding::Utf16 => {
                let unit = |byte| self.rope.char_to_utf16_cu(self.rope.byte_to_char(byte));
                unit(end) - unit(range.start)
            }
        };
        Position { line: to_u32(line), column: to_u32(column) }
    }

    /// The byte offset of a position. A column beyond the end of the line gives the end of the line (before its break),
    /// a line beyond the last gives the end of the text, and a column inside a character gives the start of that
    /// character.
    pub fn offset(&self, position: Position, encoding: Encoding) -> usize {
        let (line, column) = (position.line as usize, position.column as usize);
        if line >= self.line_count() {
            return self.len();
        }
        let range = self.line_range(line);
        let (start, end) = (self.rope.byte_to_char(range.start), self.rope.byte_to_char(range.end));
        match encoding {
            Encoding::Utf8 => self.round_down(range.start.saturating_add(column).min(range.end)),
            Encoding::Utf32 => self.rope.char_to_byte(start.saturating_add(column).min(end)),
            Encoding::Utf16 => {
                let (first, last) = (self.rope.char_to_utf16_cu(start), self.rope.char_to_utf16_cu(end));
                let unit = first.saturating_add(column).min(last);
                // Inside a surrogate pair, ropey rounds down.
                self.rope.char_to_byte(self.rope.utf16_cu_to_char(unit).clamp(start, end))
            }
        }
    }
}

fn to_u32(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
