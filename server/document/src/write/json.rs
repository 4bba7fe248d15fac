//! JSON text of a node tree.

use super::float::float_text;
use crate::{Node, NodeValue};
use lofting_eval::bytes::byte_of;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Compact JSON as ytt prints a document: keys in byte order, and `<`, `>` and `&` escaped.
pub fn json_document(node: &Node) -> String {
    let mut out = String::new();
    JsonWriter { out: &mut out, as_ytt: true }.node(node);
    out
}

/// Compact JSON in document order. Keys that are not strings become strings; values that JSON cannot express (NaN,
/// infinity, unknown) become `null`.
pub fn to_json(node: &Node) -> String {
    let mut out = String::new();
    JsonWriter { out: &mut out, as_ytt: false }.node(node);
    out
}

struct JsonWriter<'o> {
    out: &'o mut String,
    as_ytt: bool,
}

impl JsonWriter<'_> {
    /// Document trees have bounded depth, and so has this recursion.
    fn node(&mut self, node: &Node) {
        match &node.value {
            NodeValue::Null | NodeValue::Unknown => self.out.push_str("null"),
            NodeValue::Bool(value) => self.out.push_str(if *value { "true" } else { "false" }),
            NodeValue::Int(value) => self.out.push_str(&value.to_string()),
            NodeValue::Float(value) if value.is_finite() => self.out.push_str(&float_json(*value)),
            NodeValue::Float(_) => self.out.push_str("null"),
            NodeValue::String(text) => self.string(text),
            NodeValue::Map(items) if self.as_ytt => {
                // The last value of a repeated key counts.
                let sorted: BTreeMap<String, &Node> =
                    items.iter().map(|item| (item.key.to_string(), &item.value)).collect();
                self.entries(sorted.iter().map(|(key, value)| (key.as_str(), *value)));
            }
            NodeValue::Map(items) => {
                let keys: Vec<String> = items.iter().map(|item| item.key.to_string()).collect();
                self.entries(keys.iter().zip(items).map(|(key, item)| (key.as_str(), &item.value)));
            }
            NodeValue::Array(items) => {
                self.out.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        self.out.push(',');
                    }
                    self.node(&item.value);
                }
                self.out.push(']');
            }
        }
    }

    fn entries<'n>(&mut self, entries: impl Iterator<Item = (&'n str, &'n Node)>) {
        self.out.push('{');
        for (index, (key, value)) in entries.enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            self.string(key);
            self.out.push(':');
            self.node(value);
        }
        self.out.push('}');
    }

    fn string(&mut self, text: &str) {
        let start = self.out.len();
        write_string(self.out, text);
        if self.as_ytt && self.out[start..].contains(ESCAPED) {
            let written = self.out.split_off(start);
            for c in written.chars() {
                match c {
                    c if ESCAPED.contains(&c) => {
                        let written = write!(self.out, "\\u{:04x}", u32::from(c));
                        debug_assert!(written.is_ok(), "writing to a String cannot fail");
                    }
                    c => self.out.push(c),
                }
            }
        }
    }
}

/// Characters that Go escapes so that the JSON can be embedded in HTML and JavaScript.
const ESCAPED: [char; 5] = ['<', '>', '&', '\u{2028}', '\u{2029}'];

/// A float as Go's JSON writes it: all digits, with an exponent only for very large and very small ones. A negative
/// exponent begins with no zero there.
fn float_json(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 || (1e-6..1e21).contains(&size) {
        return format!("{value}");
    }
    float_text(value).replace("e-0", "e-")
}

/// What Go writes for a byte that is not UTF-8.
const REPLACEMENT: &str = "\\ufffd";

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
            c if byte_of(c).is_some() => out.push_str(REPLACEMENT),
            c => out.push(c),
        }
    }
    out.push('"');
}
