//! Creates a values file from a schema: all keys with their defaults, and the schema's documentation as comments.

use crate::yaml_text::{self, ScalarContext};
use lofting_document::NodeValue;
use lofting_schema::{DeclaredKey, MapShape, Schema, SchemaId, Shape};

/// Deeper maps are written on one line.
const DEPTH: usize = 16;
/// Maximum number of lines: schemas that refer to themselves are infinite.
const LINES: usize = 5_000;
/// Columns of a level.
const INDENT: usize = 2;

/// The default values, with descriptions and allowed values as comments and without deprecated keys; None if the schema
/// declares no keys.
pub fn values_skeleton(schema: &Schema, newline: &str) -> Option<String> {
    let Shape::Map(map) = schema.node(schema.root()).shape() else { return None };
    let mut writer = Writer { schema, lines: Vec::new() };
    writer.map(map, 0, DEPTH);
    (!writer.lines.is_empty()).then(|| writer.lines.iter().map(|line| format!("{line}{newline}")).collect())
}

/// Whether the root of a schema declares a key that is not left out.
pub(super) fn declares_current_keys(schema: &Schema) -> bool {
    let Shape::Map(map) = schema.node(schema.root()).shape() else { return false };
    map.keys.iter().any(|key| is_current(schema, key))
}

/// Deprecated and removed keys are left out.
fn is_current(schema: &Schema, key: &DeclaredKey) -> bool {
    let docs = &schema.node(key.schema).docs;
    docs.deprecated.is_none() && docs.removed.is_none()
}

struct Writer<'s> {
    schema: &'s Schema,
    lines: Vec<String>,
}

impl Writer<'_> {
    fn map(&mut self, map: &MapShape, column: usize, depth: usize) {
        for key in &map.keys {
            if self.lines.len() > LINES {
                return;
            }
            if is_current(self.schema, key) {
                self.key(key, column, depth);
            }
        }
    }

    fn key(&mut self, key: &DeclaredKey, column: usize, depth: usize) {
        let (node, room) = (self.schema.node(key.schema), " ".repeat(column));
        let title = node.docs.title.iter().map(|title| title.text.as_str());
        let description = node.docs.description.iter().map(|description| description.text.as_str());
        let lines = title.chain(description).flat_map(str::lines).map(str::trim).filter(|line| !line.is_empty());
        self.lines.extend(lines.map(|line| format!("{room}#! {line}")));
        let name = yaml_text::declared_key(self.schema.semantics(), &key.key, ScalarContext::Block);
        match (node.shape(), depth.checked_sub(1)) {
            (Shape::Map(map), Some(depth)) if !map.keys.is_empty() && !is_null(self.schema, key.schema) => {
                let at = self.lines.len();
                self.map(map, column + INDENT, depth);
                // All its keys may be deprecated.
                let after = if self.lines.len() == at { " {}" } else { "" };
                self.lines.insert(at, format!("{room}{name}:{after}"));
            }
            _ => {
                let default = self.schema.effective_default(key.schema);
                let value = yaml_text::value(&default, ScalarContext::Block).unwrap_or_else(|| "null".to_owned());
                self.lines.push(format!("{room}{name}: {value}"));
            }
        }
    }
}

fn is_null(schema: &Schema, id: SchemaId) -> bool {
    schema.node(id).default.as_ref().is_some_and(|default| matches!(default.value.value, NodeValue::Null))
}
