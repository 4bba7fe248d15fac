//! Maps and arrays in place of keys, which ytt prints in the form that its YAML library gives them.

use super::yaml::to_yaml;
use crate::{ArrayItem, Key, MapItem, Node, NodeValue, Notes, Span};

/// A map or an array as ytt prints it in place of a key: each item of an array is the structure that its YAML library makes
/// of it, with the number of its line.
pub(crate) fn printed_key(key: &Node, line: &dyn Fn(Span) -> usize) -> String {
    to_yaml(&with_lines(key, line))
}

/// Document trees have bounded depth, and so has this recursion.
fn with_lines(node: &Node, line: &dyn Fn(Span) -> usize) -> Node {
    let value = match &node.value {
        NodeValue::Array(items) => {
            let of_item = |item: &ArrayItem| {
                let number = Node::new(NodeValue::int(line(item.span) as i128), item.span);
                let parts = [("value", with_lines(&item.value, line)), ("line", number)];
                let parts = parts.map(|(name, value)| MapItem {
                    key: Key::from(name),
                    key_span: item.span,
                    span: item.span,
                    value,
                    notes: Notes::default(),
                    merged: false,
                    conditional: false,
                });
                let value = Node::new(NodeValue::Map(parts.into_iter().collect()), item.span);
                ArrayItem { span: item.span, value, notes: Notes::default(), conditional: false }
            };
            NodeValue::Array(items.iter().map(of_item).collect())
        }
        NodeValue::Map(items) => {
            let of_item = |item: &MapItem| MapItem { value: with_lines(&item.value, line), ..item.clone() };
            NodeValue::Map(items.iter().map(of_item).collect())
        }
        other => other.clone(),
    };
    Node::new(value, node.span)
}
