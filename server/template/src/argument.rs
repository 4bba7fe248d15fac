//! Nodes as values for the evaluator: what rules and conditions are called with.

use lofting_document::{Key, Node, NodeValue};
use lofting_eval::{Data, Fragment, FragmentItem, FragmentKind};

/// The value of a node as code sees it: maps and arrays are fragments (ytt reference 13.5). What is not
/// known becomes `None`; the caller asks only about known values.
pub fn node_data(node: &Node) -> Data {
    match &node.value {
        NodeValue::Null | NodeValue::Unknown => Data::None,
        NodeValue::Bool(value) => Data::Bool(*value),
        NodeValue::Int(value) => Data::Int(*value),
        NodeValue::Float(value) => Data::Float(*value),
        NodeValue::String(text) => Data::String(text.to_string()),
        NodeValue::Map(items) => {
            let items = items.iter().map(|item| fragment_item(Some(key_data(&item.key)), &item.value));
            Data::Fragment(Fragment { kind: FragmentKind::Map, items: items.collect() })
        }
        NodeValue::Array(items) => {
            let items = items.iter().map(|item| fragment_item(None, &item.value));
            Data::Fragment(Fragment { kind: FragmentKind::Array, items: items.collect() })
        }
    }
}

/// The value of a key.
pub fn key_data(key: &Key) -> Data {
    match key {
        Key::Null => Data::None,
        Key::Bool(value) => Data::Bool(*value),
        Key::Int(value) => Data::Int(*value),
        Key::Float(bits) => Data::Float(f64::from_bits(*bits)),
        Key::String(text) => Data::String(text.to_string()),
    }
}

fn fragment_item(key: Option<Data>, value: &Node) -> FragmentItem {
    FragmentItem { origin: None, key, value: node_data(value), annotations: Vec::new() }
}
