//! Converts positions of the protocol to offsets in bytes, and back.

use std::ops::Range;

use gen_lsp_types as lsp;
use lofting_text::{Encoding, Position, Text};

/// The byte offset of a position; clamped to the text.
pub(crate) fn offset(text: &Text, position: lsp::Position, encoding: Encoding) -> usize {
    text.offset(Position::new(position.line, position.character), encoding)
}

/// The byte range of a range; clamped to the text.
pub(crate) fn bytes(text: &Text, range: lsp::Range, encoding: Encoding) -> Range<usize> {
    let start = offset(text, range.start, encoding);
    start..offset(text, range.end, encoding).max(start)
}

/// The position of a byte offset.
pub(crate) fn position(text: &Text, offset: usize, encoding: Encoding) -> lsp::Position {
    let position = text.position(offset, encoding);
    lsp::Position { line: position.line, character: position.column }
}

/// The range of a byte range.
pub(crate) fn range(text: &Text, range: Range<usize>, encoding: Encoding) -> lsp::Range {
    lsp::Range { start: position(text, range.start, encoding), end: position(text, range.end, encoding) }
}
