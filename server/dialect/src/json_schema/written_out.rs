//! Writes a schema without references, for readers that support none.

use super::references::Definitions;
use lofting_document::{ArrayItem, Key, MapItem, Node, NodeValue};

/// Definitions that refer to others several times grow with every level. More nodes than this are not written.
const NODES: usize = 100_000;

/// The maximum depth of schemas that are written.
const DEPTH: usize = 200;

/// The schema without `$ref` and `$defs`, and without keywords that have no effect: empty strings, maps and lists,
/// false flags. None if a reference leads nowhere or the result would be too large.
pub fn written_out(schema: &Node) -> Option<Node> {
    let mut writer = DefinitionWriter { definitions: Definitions::of(schema), nodes: 0, depth: 0 };
    writer.schema(schema)
}

struct DefinitionWriter<'n> {
    definitions: Definitions<'n>,
    nodes: usize,
    depth: usize,
}

impl<'n> DefinitionWriter<'n> {
    fn schema(&mut self, schema: &'n Node) -> Option<Node> {
        self.nodes += 1;
        if self.nodes > NODES || self.depth > DEPTH {
            return None;
        }
        if !matches!(schema.value, NodeValue::Map(_)) {
            return Some(schema.clone());
        }
        let resolved = self.definitions.resolve(schema, &mut Vec::new());
        self.depth += 1;
        let items = if resolved.broken {
            None
        } else {
            resolved.items.iter().filter(|item| !says_nothing(item)).map(|item| self.keyword(item)).collect()
        };
        self.depth -= 1;
        self.definitions.leave(resolved.entered);
        let items: Vec<Option<MapItem>> = items?;
        let items: Vec<MapItem> = items.into_iter().flatten().collect();
        Some(Node::new(NodeValue::Map(items.into()), schema.span))
    }

    /// A keyword of a schema; the inner None means that it is not written.
    fn keyword(&mut self, item: &'n MapItem) -> Option<Option<MapItem>> {
        let value = match (item.key.as_str().unwrap_or_default(), &item.value.value) {
            ("$defs", _) => return Some(None),
            ("properties" | "patternProperties", NodeValue::Map(items)) => {
                let properties = items.iter().map(|property| {
                    let key = Key::String(property.key.to_string().into());
                    Some(MapItem { key, value: self.schema(&property.value)?, ..property.clone() })
                });
                let properties: Option<Vec<MapItem>> = properties.collect();
                NodeValue::Map(properties?.into())
            }
            ("items" | "additionalProperties" | "not" | "if" | "then" | "else", NodeValue::Map(_)) => {
                self.schema(&item.value)?.value
            }
            ("allOf" | "oneOf" | "anyOf", NodeValue::Array(members)) => {
                let members = members
                    .iter()
                    .map(|member| Some(ArrayItem { value: self.schema(&member.value)?, ..member.clone() }));
                let members: Option<Vec<ArrayItem>> = members.collect();
                NodeValue::Array(members?)
            }
            _ => item.value.value.clone(),
        };
        Some(Some(MapItem { value: Node::new(value, item.value.span), ..item.clone() }))
    }
}

fn says_nothing(item: &MapItem) -> bool {
    match (item.key.as_str().unwrap_or_default(), &item.value.value) {
        ("default" | "example", _) => false,
        (key, NodeValue::String(text)) => text.is_empty() && !key.starts_with("x-"),
        (key, NodeValue::Bool(flag)) => !flag && key != "additionalProperties" && !key.starts_with("x-"),
        ("properties" | "patternProperties" | "$defs", NodeValue::Map(items)) => items.is_empty(),
        ("required" | "enum" | "allOf" | "oneOf" | "anyOf", NodeValue::Array(items)) => items.is_empty(),
        _ => false,
    }
}
