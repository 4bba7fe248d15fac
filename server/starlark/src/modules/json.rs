//! `@ytt:json`

mod fault;

use std::borrow::Cow;

use lofting_document::{Key, Node, NodeValue};
use lofting_eval::MAX_NESTING;
use lofting_interpreter::Value;
use lofting_interpreter::bytes::{self, byte_of};
use serde::Deserialize;

use super::Args;
use crate::failure::{Result, fail, limit};
use crate::plain;

pub(super) fn invoke(args: Args) -> Result<Value> {
    args.exactly(1)?;
    if args.name == "json.decode" {
        let text = args.text(0)?;
        if deepest(text) > MAX_NESTING {
            return limit("json.decode: the text is nested too deeply");
        }
        if let Some(fault) = fault::of(&bytes::of(text)) {
            return fail(format!("json.decode: {fault}"));
        }
        let text = whole_characters(text);
        let text = without_lone_surrogates(&text);
        let mut reader = serde_json::Deserializer::from_str(&text);
        // Bounded above, at more levels than the library's own limit.
        reader.disable_recursion_limit();
        return match serde_json::Value::deserialize(&mut reader).and_then(|value| reader.end().map(|()| value)) {
            Ok(value) => Ok(from_json(&value)),
            Err(error) => fail(format!("json.decode: {error}")),
        };
    }
    args.only(&["indent", "escape_html"])?;
    let writer = JsonText { indent: args.indent()?, escape_html: args.flag("escape_html", true)? };
    let mut out = String::new();
    writer.node(&plain::node(args.first())?, 0, &mut out)?;
    Ok(Value::text(out))
}

/// How many brackets are open at most at any place outside strings.
fn deepest(text: &str) -> usize {
    let (mut open, mut deepest) = (0usize, 0usize);
    let mut bytes = text.bytes();
    let mut quoted = false;
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => quoted = !quoted,
            b'\\' if quoted => drop(bytes.next()),
            b'[' | b'{' if !quoted => {
                open += 1;
                deepest = deepest.max(open);
            }
            b']' | b'}' if !quoted => open = open.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// The text in which bytes that are not UTF-8 are what Go reads instead.
fn whole_characters(text: &str) -> Cow<'_, str> {
    if !bytes::has_parts(text) {
        return Cow::Borrowed(text);
    }
    let whole = |letter: char| if byte_of(letter).is_some() { char::REPLACEMENT_CHARACTER } else { letter };
    Cow::Owned(text.chars().map(whole).collect())
}

/// The text in which escapes of half a pair of surrogates are those of the character that Go reads instead.
fn without_lone_surrogates(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let (mut copied, mut at) = (0, 0);
    while let Some(next) = text.get(at..).and_then(|rest| rest.find('\\')) {
        at += next;
        match (escaped(text, at), escaped(text, at + ESCAPE)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => at += 2 * ESCAPE,
            (Some(0xd800..=0xdfff), _) => {
                out.push_str(text.get(copied..at).unwrap_or_default());
                out.push_str("\\ufffd");
                at += ESCAPE;
                copied = at;
            }
            // No other escape is longer where a backslash counts.
            _ => at += 1 + text.get(at + 1..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8),
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(out)
}

/// The length of `\uXXXX`.
const ESCAPE: usize = 6;

/// The number in the escape `\uXXXX` at a place.
fn escaped(text: &str, at: usize) -> Option<u32> {
    let digits = text.get(at..at + ESCAPE)?.strip_prefix("\\u")?;
    let is_number = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    u32::from_str_radix(digits, 16).ok().filter(|_| is_number)
}

fn from_json(value: &serde_json::Value) -> Value {
    match value {
        serde_json::Value::Null => Value::None,
        serde_json::Value::Bool(truth) => Value::Bool(*truth),
        // All numbers are floats, even integers (docs/ytt.md 17).
        serde_json::Value::Number(number) => Value::Float(number.as_f64().unwrap_or(f64::NAN)),
        serde_json::Value::String(text) => Value::text(text),
        serde_json::Value::Array(items) => Value::list(items.iter().map(from_json).collect()),
        serde_json::Value::Object(entries) => {
            // Go's maps have no order, so ytt sorts the keys.
            let mut entries: Vec<_> = entries.iter().collect();
            entries.sort_by_key(|(key, _)| *key);
            plain::dict(entries.into_iter().map(|(key, value)| (Value::text(key), from_json(value))))
        }
    }
}

struct JsonText {
    indent: usize,
    escape_html: bool,
}

impl JsonText {
    fn node(&self, node: &Node, depth: usize, out: &mut String) -> Result<()> {
        match &node.value {
            NodeValue::Null | NodeValue::Unknown => out.push_str("null"),
            NodeValue::Bool(value) => out.push_str(&value.to_string()),
            NodeValue::Int(number) => out.push_str(&number.to_string()),
            NodeValue::Float(number) => out.push_str(&float(*number)?),
            NodeValue::String(text) => self.string(text, out),
            NodeValue::Array(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    self.separate(index, depth + 1, out);
                    self.node(&item.value, depth + 1, out)?;
                }
                self.close(items.is_empty(), depth, ']', out);
            }
            NodeValue::Map(items) => {
                let mut items: Vec<_> = items.iter().map(|item| (&item.key, &item.value)).collect();
                if let Some((key, _)) = items.iter().find(|(key, _)| !matches!(key, Key::String(_))) {
                    return fail(format!("json.encode: json: unsupported type: map with key {key}"));
                }
                items.sort_by(|a, b| a.0.cmp(b.0));
                out.push('{');
                for (index, (key, value)) in items.iter().enumerate() {
                    self.separate(index, depth + 1, out);
                    self.string(key.as_str().unwrap_or(""), out);
                    out.push_str(if self.indent > 0 { ": " } else { ":" });
                    self.node(value, depth + 1, out)?;
                }
                self.close(items.is_empty(), depth, '}', out);
            }
        }
        Ok(())
    }

    fn separate(&self, index: usize, depth: usize, out: &mut String) {
        if index > 0 {
            out.push(',');
        }
        if self.indent > 0 {
            out.push('\n');
            out.push_str(&" ".repeat(self.indent * depth));
        }
    }

    fn close(&self, empty: bool, depth: usize, bracket: char, out: &mut String) {
        if self.indent > 0 && !empty {
            out.push('\n');
            out.push_str(&" ".repeat(self.indent * depth));
        }
        out.push(bracket);
    }

    fn string(&self, text: &str, out: &mut String) {
        out.push('"');
        for character in text.chars() {
            match character {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                '\t' => out.push_str("\\t"),
                '<' | '>' | '&' if self.escape_html => out.push_str(&format!("\\u{:04x}", character as u32)),
                '\u{2028}' | '\u{2029}' => out.push_str(&format!("\\u{:04x}", character as u32)),
                c if (c as u32) < 0x20 => out.push_str(&format!("\\u{:04x}", c as u32)),
                // JSON has no bytes that are not UTF-8.
                c if byte_of(c).is_some() => out.push_str("\\ufffd"),
                c => out.push(c),
            }
        }
        out.push('"');
    }
}

/// A number as Go writes it to JSON.
fn float(number: f64) -> Result<String> {
    if !number.is_finite() {
        return fail(format!("json.encode: json: unsupported value: {number}"));
    }
    let size = number.abs();
    if size != 0.0 && !(1e-6..1e21).contains(&size) {
        let text = format!("{number:e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let exponent: i32 = exponent.parse().unwrap_or(0);
        // Go removes one leading zero, and only from negative exponents.
        return Ok(if exponent < 0 { format!("{mantissa}e{exponent}") } else { format!("{mantissa}e+{exponent:02}") });
    }
    Ok(format!("{number}"))
}
