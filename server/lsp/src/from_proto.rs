//! Converts types of the protocol to ours.

use std::ops::Range;

use lofting_text::{Encoding, Position, Text};
use tower_lsp_server::gen_lsp_types as lsp;

/// The byte offset of a position; clamped to the text.
pub(crate) fn offset(text: &Text, position: lsp::Position, encoding: Encoding) -> usize {
    text.offset(Position::new(position.line, position.character), encoding)
}

/// The byte range of a range; clamped to the text.
pub(crate) fn range(text: &Text, range: lsp::Range, encoding: Encoding) -> Range<usize> {
    let start = offset(text, range.start, encoding);
    start..offset(text, range.end, encoding).max(start)
}
