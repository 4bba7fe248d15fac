//! The origins of values, as JSON.

use lofting_document::{Node, NodeValue};
use serde_json::{Map, Value};

/// A JSON object with an entry for every scalar and empty collection, keyed by its path: `spec.ports[0].name`.
pub(super) fn by_path(node: &Node, about: &dyn Fn(&Node) -> Value) -> Value {
    let mut out = Map::new();
    collect(node, about, &mut String::new(), &mut out);
    Value::Object(out)
}

/// Document trees have bounded depth, and so has this recursion.
fn collect(node: &Node, about: &dyn Fn(&Node) -> Value, path: &mut String, out: &mut Map<String, Value>) {
    let depth = path.len();
    match &node.value {
        NodeValue::Map(items) if !items.is_empty() => {
            for item in items {
                if depth > 0 {
                    path.push('.');
                }
                path.push_str(&item.key.to_string());
                collect(&item.value, about, path, out);
                path.truncate(depth);
            }
        }
        NodeValue::Array(items) if !items.is_empty() => {
            for (index, item) in items.iter().enumerate() {
                path.push_str(&format!("[{index}]"));
                collect(&item.value, about, path, out);
                path.truncate(depth);
            }
        }
        _ => {
            out.insert(path.clone(), about(node));
        }
    }
}
