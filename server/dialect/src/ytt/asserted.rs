//! `@assert/validate` on values (docs/ytt.md 13.6).

use super::{Read, YttReader, declared_array_item, declared_document, declared_item};
use lofting_document::{Document, Node, NodeValue, Notes};
use lofting_schema::{ArrayShape, Declared, DeclaredKey, Facet, MapShape, Rest, Schema, SchemaId, SchemaNode};

/// The rules that annotations attach to the values of a document, as a schema of exactly these values that allows
/// everything else. None if there are no rules.
pub fn asserted(document: &Document) -> Option<Read> {
    let mut reader = YttReader { nodes: Vec::new(), problems: Vec::new() };
    let root = reader.asserted(&document.value, &document.notes, declared_document(document))?;
    Some(Read {
        schema: Schema::new(reader.nodes, root, &super::SEMANTICS),
        problems: reader.problems,
        alone: Vec::new(),
    })
}

impl YttReader {
    /// The node of a value; None if there is no rule on it or below it. Document trees have bounded depth, and so has
    /// this recursion.
    fn asserted(&mut self, value: &Node, notes: &Notes, declared: Declared) -> Option<SchemaId> {
        let shape = match &value.value {
            NodeValue::Map(items) => {
                let mut keys = Vec::new();
                for item in items {
                    if let Some(schema) = self.asserted(&item.value, &item.notes, declared_item(item)) {
                        keys.push(DeclaredKey { key: item.key.clone(), schema, required: false });
                    }
                }
                let has_rules = !keys.is_empty();
                has_rules.then(|| Facet::Map(MapShape { rest: Rest::Open, ..MapShape::closed(keys) }))
            }
            NodeValue::Array(items) => {
                let ids: Vec<Option<SchemaId>> = items
                    .iter()
                    .map(|item| self.asserted(&item.value, &item.notes, declared_array_item(item)))
                    .collect();
                ids.iter().any(Option::is_some).then(|| {
                    let item = self.add(SchemaNode::new(Facet::Any, declared));
                    let prefix = ids.into_iter().map(|id| id.unwrap_or(item)).collect();
                    Facet::Array(ArrayShape { prefix, ..ArrayShape::of(item) })
                })
            }
            _ => None,
        };
        let note = notes.get("assert/validate");
        if shape.is_none() && note.is_none() {
            return None;
        }
        let mut node = SchemaNode::new(shape.unwrap_or(Facet::Any), declared);
        if let Some(note) = note {
            self.validation(&mut node, note);
        }
        Some(self.add(node))
    }
}
