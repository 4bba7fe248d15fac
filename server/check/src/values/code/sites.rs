//! The sites of final values.

use super::Site;
use crate::path::{Paths, ROOT, Step};
use lofting_document::{Node, NodeValue, Span};
use lofting_schema::{ConstraintKind, Schema, SchemaNode, Shape};
use std::borrow::Cow;

/// All values with a rule or condition that is code, except below null and below values of any type.
pub(super) fn sites<'a>(schema: &Schema, root: &'a Node, name: Span, paths: &mut Paths) -> Vec<Site<'a>> {
    let mut sites = Vec::new();
    let mut stack = vec![(root, None, schema.root(), ROOT, name)];
    while let Some((value, parent, id, path, name)) = stack.pop() {
        let node = schema.node(id);
        let waiting = stack.len();
        match (node.shape(), &value.value) {
            (Shape::Map(map), NodeValue::Map(items)) => {
                for item in items.iter().filter(|item| !item.conditional) {
                    let Some(declared) = map.get(&item.key) else { continue };
                    let path = paths.below(path, Step::Key(item.key.clone()));
                    stack.push((&item.value, Some(value), declared.schema, path, item.key_span));
                }
            }
            (Shape::Array(array), NodeValue::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    let id = array.child(index).schema;
                    let path = paths.below(path, Step::Index(index));
                    stack.push((&item.value, Some(value), id, path, item.span));
                }
            }
            _ => {}
        }
        // A stack: what comes first in the text is visited first, as findings are limited.
        stack.get_mut(waiting..).unwrap_or_default().reverse();
        let skipped = matches!(value.value, NodeValue::Null) && !wants_not_null(node);
        if node.has_code() && !skipped && fits(node, &value.value) && value.is_known() {
            sites.push(Site { value: Cow::Borrowed(value), long: None, parent, id, path, name });
        }
    }
    sites
}

/// Whether a value has the type its node wants. Rules are not called for other values, because the wrong type is
/// already reported.
fn fits(node: &SchemaNode, value: &NodeValue) -> bool {
    match (node.shape(), value) {
        (Shape::Any | Shape::Unknown | Shape::Union(_), _) | (Shape::Null, NodeValue::Null) => true,
        (_, NodeValue::Null) => node.nullable,
        (Shape::Bool, NodeValue::Bool(_))
        | (Shape::Int, NodeValue::Int(_))
        | (Shape::Float, NodeValue::Int(_) | NodeValue::Float(_))
        | (Shape::String, NodeValue::String(_))
        | (Shape::Map(_), NodeValue::Map(_))
        | (Shape::Array(_), NodeValue::Array(_)) => true,
        _ => false,
    }
}

/// Whether a node's rules apply to null as well.
pub(in crate::values) fn wants_not_null(node: &SchemaNode) -> bool {
    node.constraints.iter().any(|constraint| matches!(constraint.kind, ConstraintKind::NotNull))
}
