//! Values of YAML as values of JSON.

use lofting_document::Node;
use lofting_document::write::to_json;
use serde_json::Value;

/// What JSON cannot say, such as infinity, and what only code could tell, is null.
pub(crate) fn json(node: &Node) -> Value {
    // What is nested more deeply than a parser reads is of no use to its caller either.
    serde_json::from_str(&to_json(node)).unwrap_or_default()
}
