//! `@ytt:toml`

use lofting_document::{MapItem, Node, NodeValue};

use lofting_interpreter::Value;

use super::Args;
use crate::failure::{Result, fail, limit};
use crate::plain;

/// How deeply a text may nest: the limit of the library that reads it.
const MAX_DEPTH: usize = 80;

pub(super) fn invoke(args: Args) -> Result<Value> {
    args.exactly(1)?;
    if args.name == "toml.decode" {
        let text = args.text(0)?;
        if deepest(text) > MAX_DEPTH {
            return limit("toml.decode: the text is nested too deeply");
        }
        return match text.parse::<toml::Table>() {
            Ok(table) if holds_time(&toml::Value::Table(table.clone())) => {
                fail("toml.decode: unknown type time.Time for conversion to starlark value")
            }
            Ok(table) => Ok(from_table(&table)),
            Err(error) => fail(format!("toml.decode: {}", error.message())),
        };
    }
    args.only(&["indent"])?;
    let indent = if args.keyword("indent").is_some() { args.indent()? } else { 2 };
    let node = plain::node(args.first())?;
    let NodeValue::Map(items) = &node.value else {
        return fail("toml.encode: toml: top-level values must be Go maps or structs");
    };
    if has_other_keys(&node) {
        return fail("toml.encode: Expected map key to be string");
    }
    let mut out = String::new();
    table(items, &[], indent, &mut out)?;
    Ok(Value::text(out))
}

/// No value of the text is nested more deeply: each level takes a bracket, or a dot in a key. Brackets and dots in strings
/// are counted as well where a line ends inside them, so the answer is an upper bound.
fn deepest(text: &str) -> usize {
    let (mut open, mut deepest) = (0usize, 0usize);
    for line in text.lines() {
        let mut dots = 0usize;
        let mut quote = None;
        let mut bytes = line.bytes();
        while let Some(byte) = bytes.next() {
            match (byte, quote) {
                (b'\\', Some(b'"')) => drop(bytes.next()),
                (b'"' | b'\'', None) => quote = Some(byte),
                (byte, Some(mark)) if byte == mark => quote = None,
                (_, Some(_)) => {}
                (b'[' | b'{', None) => open += 1,
                (b']' | b'}', None) => open = open.saturating_sub(1),
                (b'.', None) => dots += 1,
                (b'#', None) => break,
                _ => {}
            }
            deepest = deepest.max(open + dots);
        }
    }
    deepest
}

/// Whether a map has keys that are not strings. `plain` limits the recursion.
fn has_other_keys(node: &Node) -> bool {
    match &node.value {
        NodeValue::Map(items) => items.iter().any(|item| item.key.as_str().is_none() || has_other_keys(&item.value)),
        NodeValue::Array(items) => items.iter().any(|item| has_other_keys(&item.value)),
        _ => false,
    }
}

/// Whether the value contains dates or times, which have no form in code: ytt fails on them. The parser limits the
/// recursion.
fn holds_time(value: &toml::Value) -> bool {
    match value {
        toml::Value::Datetime(_) => true,
        toml::Value::Array(items) => items.iter().any(holds_time),
        toml::Value::Table(table) => table.values().any(holds_time),
        _ => false,
    }
}

fn from_table(table: &toml::Table) -> Value {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| *key);
    plain::dict(entries.into_iter().map(|(key, value)| (Value::text(key), from_toml(value))))
}

fn from_toml(value: &toml::Value) -> Value {
    match value {
        toml::Value::String(text) => Value::text(text),
        toml::Value::Integer(number) => Value::Int(*number),
        toml::Value::Float(number) => Value::Float(*number),
        toml::Value::Boolean(truth) => Value::Bool(*truth),
        toml::Value::Datetime(time) => Value::from(time.to_string()),
        toml::Value::Array(items) => Value::list(items.iter().map(from_toml).collect()),
        toml::Value::Table(table) => from_table(table),
    }
}

/// Writes a table: plain values first, then tables, each sorted, nested ones indented.
fn table(items: &[MapItem], path: &[String], indent: usize, out: &mut String) -> Result<()> {
    let mut items: Vec<_> = items.iter().collect();
    items.sort_by(|a, b| a.key.cmp(&b.key));
    let pad = " ".repeat(indent * path.len());
    let is_table = |node: &Node| matches!(node.value, NodeValue::Map(_));
    let is_table_array = |node: &Node| matches!(&node.value, NodeValue::Array(all) if !all.is_empty() && all.iter().all(|item| is_table(&item.value)));
    for item in items.iter().filter(|item| !is_table(&item.value) && !is_table_array(&item.value)) {
        if matches!(item.value.value, NodeValue::Null) {
            continue;
        }
        out.push_str(&format!("{pad}{} = ", key(&item.key.to_string())));
        inline(&item.value, out)?;
        out.push('\n');
    }
    for item in items.iter().filter(|item| is_table(&item.value) || is_table_array(&item.value)) {
        let mut inner = path.to_vec();
        inner.push(key(&item.key.to_string()));
        let pad = " ".repeat(indent * path.len());
        let name = inner.join(".");
        match &item.value.value {
            NodeValue::Map(entries) => {
                // Only tables at the top level are separated by blank lines.
                if !out.is_empty() && path.is_empty() {
                    out.push('\n');
                }
                out.push_str(&format!("{pad}[{name}]\n"));
                table(entries, &inner, indent, out)?;
            }
            NodeValue::Array(elements) => {
                for element in elements {
                    let NodeValue::Map(entries) = &element.value.value else { continue };
                    if !out.is_empty() {
                        out.push('\n');
                    }
                    out.push_str(&format!("{pad}[[{name}]]\n"));
                    table(entries, &inner, indent, out)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn key(text: &str) -> String {
    let bare = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    if bare { text.to_owned() } else { quoted(text) }
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if (c as u32) < 0x20 => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn inline(node: &Node, out: &mut String) -> Result<()> {
    match &node.value {
        NodeValue::Bool(value) => out.push_str(&value.to_string()),
        NodeValue::Int(number) => out.push_str(&number.to_string()),
        NodeValue::Float(number) => {
            let text = number.to_string();
            out.push_str(&text);
            if !text.contains(['.', 'e', 'N', 'i']) {
                out.push_str(".0");
            }
        }
        NodeValue::String(text) => out.push_str(&quoted(text)),
        NodeValue::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                inline(&item.value, out)?;
            }
            out.push(']');
        }
        NodeValue::Map(items) => {
            out.push('{');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                out.push_str(&format!("{} = ", key(&item.key.to_string())));
                inline(&item.value, out)?;
            }
            out.push('}');
        }
        NodeValue::Null | NodeValue::Unknown => return fail("toml.encode: toml: cannot encode array with nil element"),
    }
    Ok(())
}
