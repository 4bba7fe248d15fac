//! Values and keys as YAML text that reads back as the same value: what must be quoted is quoted.

use lofting_document::write::{double_quoted, to_json};
use lofting_document::{FileId, Key, Node, NodeValue, Span};
use lofting_schema::Semantics;
use lofting_schema::semantics::Keys;
use lofting_syntax::resolve::{Profile, is_cut_in_flow, needs_quotes};

/// What is written must be read the same by all: of the profiles, YAML 1.1 needs the most quotes.
const WRITTEN: Profile = Profile::Ytt;

/// Where a scalar is inserted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScalarContext {
    /// In block style: only `: ` and ` #` are special inside.
    Block,
    /// Between brackets: `,[]{}?` are special as well.
    Flow,
    /// In JSON: all strings and keys are in double quotes.
    Json,
}

/// A string as a plain scalar, or in double quotes if a plain one would be read differently (`on`, `no`, `1.10`, `a:
/// b`).
pub(crate) fn string(text: &str, place: ScalarContext) -> String {
    if place == ScalarContext::Json {
        return json(NodeValue::String(text.into()));
    }
    if needs_quotes(WRITTEN, text) || (place == ScalarContext::Flow && is_cut_in_flow(text)) {
        double_quoted(text)
    } else {
        text.to_owned()
    }
}

/// A string as it is written between double quotes.
pub(crate) fn inside_double_quotes(text: &str, place: ScalarContext) -> String {
    if place != ScalarContext::Json {
        return lofting_document::write::inside_double_quotes(text);
    }
    let quoted = string(text, place);
    quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text).to_owned()
}

/// A string as it is written between single quotes; `None` if they cannot hold it on one line.
pub(crate) fn inside_single_quotes(text: &str) -> Option<String> {
    if text.chars().any(char::is_control) {
        return None;
    }
    Some(text.replace('\'', "''"))
}

/// A key of a schema as written before its colon. If all keys are strings, `on` needs no quotes.
pub(crate) fn declared_key(semantics: &Semantics, key: &Key, place: ScalarContext) -> String {
    match key {
        Key::String(text)
            if semantics.keys == Keys::Text
                && place == ScalarContext::Block
                && !needs_quotes(semantics.profile, text) =>
        {
            text.to_string()
        }
        _ => self::key(key, place),
    }
}

/// A key in the quotes that the user has begun it with; None if there are none, or they cannot hold it.
pub(crate) fn key_in_quotes(key: &Key, typed: &str) -> Option<String> {
    match (key, typed.as_bytes().first()) {
        (Key::String(text), Some(b'"')) => Some(double_quoted(text)),
        (Key::String(text), Some(b'\'')) => Some(format!("'{}'", inside_single_quotes(text)?)),
        _ => None,
    }
}

/// A key as written before its colon.
pub(crate) fn key(key: &Key, place: ScalarContext) -> String {
    match key {
        key if place == ScalarContext::Json => string(&key.to_string(), place),
        Key::String(text) => string(text, place),
        Key::Collection(text) => string(text, place),
        Key::Float(bits) => float(f64::from_bits(*bits)),
        other => other.to_string(),
    }
}

/// A scalar value; `None` for collections and values that are only known after evaluation.
pub(crate) fn scalar(value: &NodeValue, place: ScalarContext) -> Option<String> {
    Some(match value {
        NodeValue::Null => "null".to_owned(),
        NodeValue::Bool(value) => value.to_string(),
        NodeValue::Int(value) => value.to_string(),
        NodeValue::Float(_) if place == ScalarContext::Json => json(value.clone()),
        NodeValue::Float(value) => float(*value),
        NodeValue::String(text) => string(text, place),
        NodeValue::Map(_) | NodeValue::Array(_) | NodeValue::Unknown => return None,
    })
}

/// A scalar as JSON.
fn json(value: NodeValue) -> String {
    to_json(&Node::new(value, Span::new(FileId(0), 0..0)))
}

/// A value on one line, collections in flow style. `None` if a part is only known after evaluation.
pub(crate) fn value(node: &Node, place: ScalarContext) -> Option<String> {
    let mut out = String::new();
    write(&mut out, node, place, 0).then_some(out)
}

/// Deeper values are cut off with an ellipsis: one line would not be readable.
const MAX_DEPTH: usize = 8;

fn write(out: &mut String, node: &Node, place: ScalarContext, depth: usize) -> bool {
    let inner = if place == ScalarContext::Json { place } else { ScalarContext::Flow };
    match &node.value {
        NodeValue::Map(_) | NodeValue::Array(_) if depth >= MAX_DEPTH => out.push('…'),
        NodeValue::Map(items) => {
            out.push('{');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                out.push_str(&key(&item.key, inner));
                out.push_str(": ");
                if !write(out, &item.value, inner, depth + 1) {
                    return false;
                }
            }
            out.push('}');
        }
        NodeValue::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                if !write(out, &item.value, inner, depth + 1) {
                    return false;
                }
            }
            out.push(']');
        }
        other => match scalar(other, place) {
            Some(text) => out.push_str(&text),
            None => return false,
        },
    }
    true
}

/// A float that reads back as a float: `2.0` keeps its fraction.
fn float(value: f64) -> String {
    if value.is_nan() {
        ".nan".to_owned()
    } else if value.is_infinite() {
        if value > 0.0 { ".inf" } else { "-.inf" }.to_owned()
    } else {
        format!("{value:?}")
    }
}
