//! Data values as templates see them (docs/ytt.md 16.1).

use lofting_document::{Key, Node, NodeValue, Span};
use lofting_eval::Data;

/// The value as `data.values`: maps are structs, arrays are lists. A key that is not a string is an error, as ytt crashes
/// on it.
pub fn data_values(node: &Node) -> Result<Data, (Span, Key)> {
    Ok(match &node.value {
        NodeValue::Null | NodeValue::Unknown => Data::None,
        NodeValue::Bool(value) => Data::Bool(*value),
        NodeValue::Int(value) => Data::Int(*value),
        NodeValue::Float(value) => Data::Float(*value),
        NodeValue::String(text) => Data::String(text.clone()),
        // Document trees have bounded depth, and so has this recursion.
        NodeValue::Array(items) => {
            Data::List(items.iter().map(|item| data_values(&item.value)).collect::<Result<_, _>>()?)
        }
        NodeValue::Map(items) => {
            let field = |item: &lofting_document::MapItem| match &item.key {
                Key::String(name) => Ok((name.to_string(), data_values(&item.value)?)),
                other => Err((item.key_span, other.clone())),
            };
            Data::Struct(items.iter().map(field).collect::<Result<_, _>>()?)
        }
    })
}
