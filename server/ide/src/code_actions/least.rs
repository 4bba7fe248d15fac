//! The smallest value that a schema accepts, inserted where a required value is not known.

use crate::completion::Style;
use crate::yaml_text::{self, ScalarContext};
use lofting_document::{Key, NodeValue};
use lofting_schema::{Clause, Constraint, ConstraintKind, MapShape, Schema, SchemaId, Shape};

/// Deeper maps stay empty.
const DEPTH: usize = 8;
/// At most this many items are written.
const ITEMS: i128 = 8;

/// A value to write.
pub(crate) enum Least {
    /// On one line.
    Line(String),
    /// Keys on lines of their own.
    Block(Vec<(String, Least)>),
}

/// A key with its smallest value, if the schema describes it.
pub(crate) fn entry(schema: &Schema, map: &MapShape, key: &Key) -> (String, Least) {
    entry_to(schema, map, key, DEPTH)
}

fn entry_to(schema: &Schema, map: &MapShape, key: &Key, depth: usize) -> (String, Least) {
    let value = map.get(key).map_or(Least::Line("null".to_owned()), |known| least_to(schema, known.schema, depth));
    (yaml_text::declared_key(schema.semantics(), key, ScalarContext::Block), value)
}

fn required_to(schema: &Schema, map: &MapShape, depth: usize) -> Vec<(String, Least)> {
    map.required.iter().map(|key| entry_to(schema, map, key, depth)).collect()
}

fn least_to(schema: &Schema, id: SchemaId, depth: usize) -> Least {
    let node = schema.node(id);
    let of_value = |value| yaml_text::value(value, ScalarContext::Block).map(Least::Line);
    let said = node.default.as_ref().and_then(|default| of_value(&default.value));
    let allowed = || allowed(&node.constraints).and_then(of_value);
    let example = || node.docs.examples.first().and_then(|example| of_value(&example.value));
    if let Some(known) = said.or_else(allowed).or_else(example) {
        return known;
    }
    let Some(depth) = depth.checked_sub(1) else { return Least::Line("null".to_owned()) };
    match node.shape() {
        Shape::Map(map) if !map.required.is_empty() => Least::Block(required_to(schema, map, depth)),
        Shape::Map(_) => Least::Line("{}".to_owned()),
        Shape::Array(array) => match items(&node.constraints) {
            0 => Least::Line("[]".to_owned()),
            count => {
                let item = least_to(schema, array.item, depth).in_flow();
                Least::Line(format!("[{}]", vec![item; count].join(", ")))
            }
        },
        Shape::Union(members) => match members.first() {
            Some(first) => least_to(schema, *first, depth),
            None => Least::Line("null".to_owned()),
        },
        Shape::Any => match node.clauses.first() {
            Some(Clause::All(members)) if !members.is_empty() => {
                least_to(schema, *members.first().unwrap_or(&id), depth)
            }
            _ => Least::Line("null".to_owned()),
        },
        Shape::String => Least::Line("\"\"".to_owned()),
        Shape::Int | Shape::Float => Least::Line(number(&node.constraints)),
        Shape::Bool => Least::Line("false".to_owned()),
        Shape::Null | Shape::Unknown => Least::Line("null".to_owned()),
    }
}

fn allowed(constraints: &[Constraint]) -> Option<&lofting_document::Node> {
    constraints.iter().find_map(|constraint| match &constraint.kind {
        ConstraintKind::OneOf(values) => values.first(),
        _ => None,
    })
}

fn items(constraints: &[Constraint]) -> usize {
    let least = constraints.iter().find_map(|constraint| match constraint.kind {
        ConstraintKind::MinLength(least) => Some(least.clamp(0, ITEMS)),
        _ => None,
    });
    least.and_then(|least| usize::try_from(least).ok()).unwrap_or(0)
}

/// Zero, or the nearest value within the bounds.
fn number(constraints: &[Constraint]) -> String {
    let of = |value: &NodeValue| match value {
        NodeValue::Int(number) => Some(number.get() as f64),
        NodeValue::Float(number) => Some(*number),
        _ => None,
    };
    for constraint in constraints {
        let (bound, step) = match &constraint.kind {
            ConstraintKind::Min(bound) if of(&bound.value).is_some_and(|least| least > 0.0) => (bound, 0),
            ConstraintKind::Max(bound) if of(&bound.value).is_some_and(|most| most < 0.0) => (bound, 0),
            ConstraintKind::ExclusiveMin(bound) if of(&bound.value).is_some_and(|least| least >= 0.0) => (bound, 1),
            ConstraintKind::ExclusiveMax(bound) if of(&bound.value).is_some_and(|most| most <= 0.0) => (bound, -1),
            _ => continue,
        };
        return match &bound.value {
            NodeValue::Int(number) => number.get().saturating_add(step).to_string(),
            other => yaml_text::scalar(other, ScalarContext::Block).unwrap_or_default(),
        };
    }
    "0".to_owned()
}

impl Least {
    /// The value on one line.
    pub fn in_flow(&self) -> String {
        match self {
            Least::Line(text) => text.clone(),
            Least::Block(entries) => {
                let entries: Vec<String> =
                    entries.iter().map(|(key, value)| format!("{key}: {}", value.in_flow())).collect();
                format!("{{{}}}", entries.join(", "))
            }
        }
    }

    /// The text after the colon of a key at a column.
    fn after(&self, column: usize, style: Style) -> String {
        match self {
            Least::Line(text) => format!(" {text}"),
            Least::Block(entries) => {
                let column = column + style.indent;
                let room = " ".repeat(column);
                let lines = entries
                    .iter()
                    .map(|(key, value)| format!("{}{room}{key}:{}", style.newline, value.after(column, style)));
                lines.collect()
            }
        }
    }
}

/// A key with its value as written in a map: at a column, or in flow style.
pub(crate) fn written(key: &str, value: &Least, column: Option<usize>, style: Style) -> String {
    match column {
        Some(column) => format!("{key}:{}", value.after(column, style)),
        None => format!("{key}: {}", value.in_flow()),
    }
}
