//! Flags and environment variables as documents (docs/ytt.md 11.4).

use lofting_document::{Document, Key, MapItem, Node, NodeValue, Notes, Span};
use lofting_overlay::Mode;

/// The document for the key path of a flag (`a.b.c`, split at every dot) with `value` at its end, and the mode in which
/// to merge it. An empty part of the path is an empty key. `span` is where the flag is shown.
pub fn flag_document(path: &str, value: Node, span: Span) -> (Document, Mode) {
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
        node = Node::new(NodeValue::Map(vec![item].into()), span);
    }
    let document = Document { span, marker: None, notes: Notes::default(), value: node, conditional: false };
    (document, Mode::Flag { depth })
}
