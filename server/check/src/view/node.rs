//! Values in a [`Node`] tree.

use super::{Entry, Item, Kind, Overlay, Scalar, View};
use lofting_document::{Node, NodeValue, Span};

/// A node of a lowered, evaluated or merged document.
#[derive(Debug, Clone, Copy)]
pub struct NodeView<'n>(pub &'n Node);

/// The kind of a node.
pub(crate) fn kind(value: &NodeValue) -> Kind {
    match value {
        NodeValue::Null => Kind::Null,
        NodeValue::Bool(_) => Kind::Bool,
        NodeValue::Int(_) => Kind::Int,
        NodeValue::Float(_) => Kind::Float,
        NodeValue::String(_) => Kind::String,
        NodeValue::Map(_) => Kind::Map,
        NodeValue::Array(_) => Kind::Array,
        NodeValue::Unknown => Kind::Unknown,
    }
}

impl View for NodeView<'_> {
    fn kind(self) -> Kind {
        kind(&self.0.value)
    }

    fn span(self) -> Span {
        self.0.span
    }

    fn is_missing(self) -> bool {
        self.0.missing
    }

    fn scalar(self) -> Option<Scalar> {
        Some(match &self.0.value {
            NodeValue::Null => Scalar::Null,
            NodeValue::Bool(value) => Scalar::Bool(*value),
            NodeValue::Int(value) => Scalar::Int(value.get()),
            NodeValue::Float(value) => Scalar::Float(*value),
            NodeValue::String(text) => Scalar::String(text.clone()),
            NodeValue::Map(_) | NodeValue::Array(_) | NodeValue::Unknown => return None,
        })
    }

    fn entries(self) -> impl Iterator<Item = Entry<Self>> {
        let items = match &self.0.value {
            NodeValue::Map(items) => &items[..],
            _ => &[],
        };
        // Code decides whether the item exists, so nothing is certainly wrong with it.
        items.iter().filter(|item| !item.conditional).map(|item| Entry {
            key: item.key.clone(),
            key_span: item.key_span,
            value: NodeView(&item.value),
            overlay: Overlay::read(&item.notes),
        })
    }

    fn items(self) -> impl Iterator<Item = Item<Self>> {
        let items = match &self.0.value {
            NodeValue::Array(items) => items.as_slice(),
            _ => &[],
        };
        items.iter().filter(|item| !item.conditional).map(|item| Item {
            span: item.span,
            value: NodeView(&item.value),
            overlay: Overlay::read(&item.notes),
        })
    }

    fn is_partial(self) -> bool {
        self.0.partial
    }

    fn copy(&self) -> u64 {
        std::ptr::from_ref(self.0).addr() as u64
    }

    fn is_raw(self) -> bool {
        self.0.raw
    }
}
