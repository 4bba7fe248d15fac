//! Values that may have several kinds: where the type allows it, a map or array replaces the existing value instead of
//! failing to merge with it.

use lofting_document::{Node, NodeValue};
use lofting_schema::semantics::OtherKinds;
use lofting_schema::{KeyChild, Schema, SchemaId};
use std::sync::Arc;

/// Clears the values that maps and arrays of `right` could not be merged with, where the schema allows several kinds.
pub(crate) fn clear(schema: &Schema, left: &mut Node, right: &Node) {
    if schema.semantics().data_values.other_kinds == OtherKinds::Replace {
        below(schema, schema.root(), left, right);
    }
}

/// Documents have bounded depth, and so has this recursion.
fn below(schema: &Schema, id: SchemaId, left: &mut Node, right: &Node) {
    match (&mut left.value, &right.value) {
        (NodeValue::Map(items), NodeValue::Map(over)) => {
            let Some(map) = &schema.node(id).map else {
                // Below a node without rules, every value may have any kind.
                if schema.node(id).says_nothing() {
                    each(items, over, |_| Some(id), schema);
                }
                return;
            };
            each(
                items,
                over,
                |key| match map.child(key) {
                    KeyChild::Child(child) => Some(child.schema),
                    _ => None,
                },
                schema,
            );
        }
        (NodeValue::Array(_), NodeValue::Array(_)) | (NodeValue::Unknown | NodeValue::Null, _) => {}
        (_, NodeValue::Map(_) | NodeValue::Array(_)) if schema.node(id).kinds.is_several() => {
            let old = std::mem::replace(left, Node::new(NodeValue::Null, left.span));
            left.replaced = Some(Arc::new(old));
        }
        _ => {}
    }
}

fn each(
    items: &mut lofting_document::Map,
    over: &lofting_document::Map,
    child: impl Fn(&lofting_document::Key) -> Option<SchemaId>,
    schema: &Schema,
) {
    for item in over {
        let Some(id) = child(&item.key) else { continue };
        if let Some(value) = items.position(&item.key).and_then(|at| items.value_mut(at)) {
            below(schema, id, value, &item.value);
        }
    }
}
