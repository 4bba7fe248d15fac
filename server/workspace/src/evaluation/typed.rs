//! Values in the form that rules of the design proposals get: maps that a schema declares are structs, everything else
//! is unchanged.

use lofting_document::{Node, NodeValue};
use lofting_eval::Data;
use lofting_schema::{KeyChild, Schema, SchemaId};
use lofting_template::{key_data, node_data};

/// The value of a schema node in that form. Documents have bounded depth, and so has this recursion.
pub(super) fn typed_data(schema: &Schema, id: SchemaId, value: &Node) -> Data {
    let node = schema.node(id);
    match (&value.value, &node.map, &node.array) {
        (NodeValue::Map(items), Some(map), _) => {
            let field = |item: &lofting_document::MapItem| {
                let data = match map.child(&item.key) {
                    KeyChild::Child(child) => typed_data(schema, child.schema, &item.value),
                    _ => plain_data(&item.value),
                };
                (item.key.to_string(), data)
            };
            Data::Struct(items.iter().map(field).collect())
        }
        (NodeValue::Array(items), _, Some(array)) => {
            let item = |(index, item): (usize, &lofting_document::ArrayItem)| {
                typed_data(schema, array.child(index).schema, &item.value)
            };
            Data::List(items.iter().enumerate().map(item).collect())
        }
        _ => plain_data(value),
    }
}

/// A value without a declaration: maps as dicts.
fn plain_data(value: &Node) -> Data {
    match &value.value {
        NodeValue::Map(items) => {
            Data::Dict(items.iter().map(|item| (key_data(&item.key), plain_data(&item.value))).collect())
        }
        NodeValue::Array(items) => Data::List(items.iter().map(|item| plain_data(&item.value)).collect()),
        _ => node_data(value),
    }
}
