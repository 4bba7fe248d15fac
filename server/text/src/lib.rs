//! The text of one document: bytes, lines, edits and editor positions.
//!
//! Every crate above this one counts bytes. That the text is kept in a rope, and that editors count lines and UTF-8,
//! UTF-16 or UTF-32 units, is known only here. This crate must not know YAML, files or the protocol.
//!
//! No function panics: offsets beyond the end are clamped, and offsets inside a character are rounded down.
#![forbid(unsafe_code)]

mod position;
#[cfg(test)]
mod tests;
mod visible;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use ropey::{Rope, RopeSlice};

pub use position::{Encoding, Position};
pub use visible::{Breaks, is_hidden, visible, visible_at};

/// A text that is cheap to edit and cheap to clone (a clone shares everything until one of the two is edited).
#[derive(Clone, Default)]
pub struct Text {
    rope: Rope,
}

impl Text {
    /// A text with this content, byte for byte.
    pub fn new(content: &str) -> Self {
        Self { rope: Rope::from_str(content) }
    }

    /// Length in bytes.
    pub fn len(&self) -> usize {
        self.rope.len_bytes()
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of lines; a text that ends in a line break has an empty last line, the empty text has one line.
    pub fn line_count(&self) -> usize {
        self.rope.len_lines()
    }

    /// Replaces the bytes of `range` by `new_text`. Returns the range that was really replaced: clamped to the text,
    /// with both ends rounded down to the start of a character.
    pub fn edit(&mut self, range: Range<usize>, new_text: &str) -> Range<usize> {
        let (start, end) = self.char_range(&range);
        let replaced = self.rope.char_to_byte(start)..self.rope.char_to_byte(end);
        if end > start {
            self.rope.remove(start..end);
        }
        if !new_text.is_empty() {
            self.rope.insert(start, new_text);
        }
        replaced
    }

    /// The bytes of `range`, clamped, both ends rounded down to a character.
    pub fn slice(&self, range: Range<usize>) -> Cow<'_, str> {
        let (start, end) = self.char_range(&range);
        self.rope.slice(start..end).into()
    }

    /// Whether the bytes of `range` are in the text, with both ends between characters.
    pub fn has(&self, range: &Range<usize>) -> bool {
        let (start, end) = self.char_range(range);
        (self.rope.char_to_byte(start)..self.rope.char_to_byte(end)) == *range
    }

    /// The content in pieces, in order, without copying.
    pub fn chunks(&self) -> impl Iterator<Item = &str> {
        self.rope.chunks()
    }

    /// The bytes of a line without its break; the empty range at the end of the text when there is no such line.
    pub fn line_range(&self, line: usize) -> Range<usize> {
        if line >= self.line_count() {
            return self.len()..self.len();
        }
        let start = self.rope.line_to_byte(line);
        start..start + without_break(self.rope.line(line))
    }

    /// The line (from 0) in which `offset` lies; a break belongs to the line it ends.
    pub fn line_of(&self, offset: usize) -> usize {
        self.rope.byte_to_line(offset.min(self.len()))
    }

    /// The lines (from 0) that `range` (bytes) touches and that are not all ASCII, in order. In other lines all units
    /// count alike.
    pub fn wide_lines(&self, range: Range<usize>) -> Vec<usize> {
        let (start, end) = self.char_range(&range);
        let part = self.rope.slice(start..end);
        let mut at = self.rope.char_to_byte(start);
        let mut lines: Vec<usize> = Vec::new();
        for chunk in part.chunks() {
            let mut from = 0;
            // Only the first such character of a line is looked for.
            while let Some(wide) = chunk.as_bytes().get(from..).and_then(|rest| rest.iter().position(|b| !b.is_ascii()))
            {
                let line = self.line_of(at + from + wide);
                if lines.last() != Some(&line) {
                    lines.push(line);
                }
                let rest = chunk.as_bytes().get(from + wide..).unwrap_or_default();
                from += wide + rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
            }
            at += chunk.len();
        }
        lines
    }

    /// The start of the character that holds `offset`, or `offset` itself between two characters; clamped to the text.
    pub fn round_down(&self, offset: usize) -> usize {
        self.rope.char_to_byte(self.char_at(offset))
    }

    fn char_at(&self, offset: usize) -> usize {
        self.rope.byte_to_char(offset.min(self.len()))
    }

    fn char_range(&self, range: &Range<usize>) -> (usize, usize) {
        let start = self.char_at(range.start);
        (start, self.char_at(range.end).max(start))
    }
}

/// Whether a byte of a text is the last of a line break: LF, or CR that no LF follows. Breaks are LF, CRLF and CR.
pub fn ends_line(text: &[u8], at: usize) -> bool {
    match text.get(at) {
        Some(b'\n') => true,
        Some(b'\r') => text.get(at + 1) != Some(&b'\n'),
        _ => false,
    }
}

/// Length in bytes of a line slice without the break that ends it.
fn without_break(line: RopeSlice<'_>) -> usize {
    let bytes = line.len_bytes();
    let mut end = bytes;
    if end > 0 && line.byte(end - 1) == b'\n' {
        end -= 1;
    }
    // A lone CR ends a line as well; `a\r\r\n` is two lines, so at most one CR belongs to this break.
    if end > 0 && line.byte(end - 1) == b'\r' {
        end -= 1;
    }
    end
}

impl From<&str> for Text {
    fn from(content: &str) -> Self {
        Self::new(content)
    }
}

/// A copy of the whole content. It is made at once; `to_string()` would grow it piece by piece.
impl From<&Text> for String {
    fn from(text: &Text) -> String {
        let mut content = String::with_capacity(text.len());
        text.chunks().for_each(|chunk| content.push_str(chunk));
        content
    }
}

/// Writes the whole content.
impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.chunks().try_for_each(|chunk| f.write_str(chunk))
    }
}

/// Shows length and line count only, so that the contents of users' files stay out of logs.
impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Text").field("len", &self.len()).field("lines", &self.line_count()).finish()
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.rope == other.rope
    }
}

impl Eq for Text {}
