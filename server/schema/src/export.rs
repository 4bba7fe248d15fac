//! Exports of schemas to other languages, as node trees that `document::write` prints.

mod declared_values;
mod inspect;
mod json_schema;
mod openapi;
mod outline;
mod parts;

pub use declared_values::{DeclaredValue, DeclaredValues, declared_values, escaped};
pub use inspect::{inspect, inspect_html};
pub use json_schema::{json_schema, json_schema_of, left_out};
pub use openapi::openapi;
pub use outline::{Outline, OutlineLimits, outline, tokens};

use crate::Schema;
use lofting_document::{ArrayItem, FileId, Key, MapItem, Node, NodeValue, Notes, Span};

/// Exported nodes have no place in any file.
const NOWHERE: Span = Span { file: FileId(u32::MAX), start: 0, end: 0 };

/// A map under construction.
#[derive(Default)]
struct Object(Vec<MapItem>);

impl Object {
    fn set(&mut self, key: impl Into<Key>, value: Node) {
        let (key, notes) = (key.into(), Notes::default());
        self.0.push(MapItem { key, key_span: NOWHERE, span: NOWHERE, value, notes, merged: false, conditional: false });
    }

    fn text(&mut self, key: &str, value: &str) {
        self.set(key, text(value));
    }

    /// Adds a regular expression for strings, beside any that is there.
    fn pattern(&mut self, pattern: &str) {
        if !self.0.iter().any(|item| item.key == "pattern".into()) {
            return self.text("pattern", pattern);
        }
        let mut one = Object::default();
        one.text("pattern", pattern);
        let item = ArrayItem { span: NOWHERE, value: one.finish(), notes: Notes::default(), conditional: false };
        match self.0.iter_mut().find(|item| item.key == "allOf".into()).map(|item| &mut item.value.value) {
            Some(NodeValue::Array(items)) => items.push(item),
            _ => self.set("allOf", Node::new(NodeValue::Array(vec![item]), NOWHERE)),
        }
    }

    fn flag(&mut self, key: &str, value: bool) {
        self.set(key, Node::new(NodeValue::Bool(value), NOWHERE));
    }

    fn finish(self) -> Node {
        Node::new(NodeValue::Map(self.0.into()), NOWHERE)
    }
}

fn text(value: &str) -> Node {
    Node::new(NodeValue::String(value.into()), NOWHERE)
}

fn list(values: impl IntoIterator<Item = Node>) -> Node {
    let item = |value| ArrayItem { span: NOWHERE, value, notes: Notes::default(), conditional: false };
    Node::new(NodeValue::Array(values.into_iter().map(item).collect()), NOWHERE)
}

/// How deeply references are followed; deeper nodes are exported as "any value".
const DEPTH: usize = lofting_eval::MAX_NESTING;

/// The default to export: as declared, with keys of maps added (docs/ytt.md 10.2); None if it needs evaluation.
fn known_default(schema: &Schema, id: crate::SchemaId) -> Option<Node> {
    schema.node(id).default.as_ref()?;
    let value = schema.effective_default(id);
    value.is_known().then_some(value)
}
