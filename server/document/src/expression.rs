//! The values of literal Starlark expressions, as in the arguments of annotations.

use crate::{ArrayItem, FileId, Key, MapItem, Node, NodeValue, Notes, Span};
use lofting_eval::{Expr, ExprKind};

/// The YAML value of a literal; everything that needs evaluation is unknown. Tuples count as arrays
/// and dicts as maps (docs/ytt.md 7.3 and 10.2). Spans are those of the expression.
pub fn from_expression(file: FileId, expression: &Expr) -> Node {
    let span = Span::new(file, expression.range.clone());
    let value = match &expression.kind {
        ExprKind::None => NodeValue::Null,
        ExprKind::Bool(value) => NodeValue::Bool(*value),
        ExprKind::Int(value) => NodeValue::int(*value),
        ExprKind::Float(value) => NodeValue::Float(*value),
        ExprKind::String(text) => NodeValue::String(text.as_str().into()),
        ExprKind::List(items) | ExprKind::Tuple(items) => NodeValue::Array(
            items
                .iter()
                .map(|item| {
                    let value = from_expression(file, item);
                    ArrayItem { span: value.span, value, notes: Notes::default(), conditional: false }
                })
                .collect(),
        ),
        ExprKind::Dict(entries) => map(file, entries),
        _ => NodeValue::Unknown,
    };
    Node::new(value, span)
}

fn map(file: FileId, entries: &[(Expr, Expr)]) -> NodeValue {
    let mut items: Vec<MapItem> = Vec::with_capacity(entries.len());
    for (key, value) in entries {
        // An unknown key may repeat any other key, so it makes the whole map unknown.
        let Some(name) = key_from_expression(key) else { return NodeValue::Unknown };
        let key_span = Span::new(file, key.range.clone());
        let value = from_expression(file, value);
        let span = Span::new(file, key.range.start..value.span.range().end);
        items.push(MapItem {
            key: name,
            key_span,
            span,
            value,
            notes: Notes::default(),
            merged: false,
            conditional: false,
        });
    }
    NodeValue::Map(items.into())
}

/// The key that a literal gives; `None` for collections and for what needs evaluation.
pub fn key_from_expression(expression: &Expr) -> Option<Key> {
    match &expression.kind {
        ExprKind::None => Some(Key::Null),
        ExprKind::Bool(value) => Some(Key::Bool(*value)),
        ExprKind::Int(value) => Some(Key::int(*value)),
        ExprKind::Float(value) => Some(Key::Float(value.to_bits())),
        ExprKind::String(text) => Some(Key::String(text.as_str().into())),
        _ => None,
    }
}
