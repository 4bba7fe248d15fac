//! JSON text of a node tree.

use super::float::float_text;
use crate::{Node, NodeValue};
use std::fmt::Write as _;

/// Compact JSON in document order. Keys that are no text are written as their text; values JSON has
/// no word for (NaN, infinity, unknown) become `null`.
pub fn to_json(node: &Node) -> String {
    let mut out = String::new();
    write_node(&mut out, node);
    out
}

fn write_node(out: &mut String, node: &Node) {
    match &node.value {
        NodeValue::Null | NodeValue::Unknown => out.push_str("null"),
        NodeValue::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        NodeValue::Int(value) => out.push_str(&value.to_string()),
        NodeValue::Float(value) if value.is_finite() => out.push_str(&float_json(*value)),
        NodeValue::Float(_) => out.push_str("null"),
        NodeValue::String(text) => write_string(out, text),
        NodeValue::Map(items) => {
            out.push('{');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_string(out, &item.key.to_string());
                out.push(':');
                write_node(out, &item.value);
            }
            out.push('}');
        }
        NodeValue::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_node(out, &item.value);
            }
            out.push(']');
        }
    }
}

/// A float as Go's JSON writes it: all digits, with an exponent only for very large and very small ones.
fn float_json(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 || (1e-6..1e21).contains(&size) { format!("{value}") } else { float_text(value) }
}

fn write_string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if u32::from(c) < 0x20 => {
                let written = write!(out, "\\u{:04x}", u32::from(c));
                debug_assert!(written.is_ok(), "writing to a String cannot fail");
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
