//! Converts our types to those of the protocol.

pub(crate) mod completion;
pub(crate) mod diagnostic;
pub(crate) mod markup;
pub(crate) mod plain;
pub(crate) mod workspace_edit;

use std::ops::Range;

use lofting_text::{Encoding, Text};
use tower_lsp_server::gen_lsp_types as lsp;

/// The position of a byte offset.
pub(crate) fn position(text: &Text, offset: usize, encoding: Encoding) -> lsp::Position {
    let position = text.position(offset, encoding);
    lsp::Position { line: position.line, character: position.column }
}

/// The range of a byte range.
pub(crate) fn range(text: &Text, range: Range<usize>, encoding: Encoding) -> lsp::Range {
    lsp::Range { start: position(text, range.start, encoding), end: position(text, range.end, encoding) }
}
