//! Flags and environment variables as documents (ytt reference 11.4).

use lofting_document::{Document, Key, MapItem, Node, NodeValue, Notes, Span};
use lofting_overlay::Mode;
use std::fmt;

/// Why a flag is no document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FlagError {
    /// No `=` in `KEY=VALUE`.
    NoValue,
    /// An empty key.
    NoKey,
}

impl fmt::Display for FlagError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FlagError::NoValue => "expected format key=value",
            FlagError::NoKey => "expected a key before '='",
        })
    }
}

/// The document for `path` (`a.b.c`, split at every dot) with `value` at its end, and the mode to lay
/// it with. `span` is where the flag is to be shown.
pub fn flag_document(path: &str, value: Node, span: Span) -> Result<(Document, Mode), FlagError> {
    if path.is_empty() {
        return Err(FlagError::NoKey);
    }
    let mut depth = 0;
    let mut node = value;
    for key in path.rsplit('.') {
        depth += 1;
        let item = MapItem {
            key: Key::from(key),
            key_span: span,
            span,
            value: node,
            notes: Notes::default(),
            merged: false,
            conditional: false,
        };
        node = Node::new(NodeValue::Map(vec![item]), span);
    }
    let document = Document { span, marker: None, notes: Notes::default(), value: node, conditional: false };
    Ok((document, Mode::Flag { depth }))
}
