//! Writes TOML as ytt's encoder does.

use lofting_document::{MapItem, Node, NodeValue};

use crate::failure::{Result, fail};

pub(super) fn encode(node: &Node, indent: usize) -> Result<String> {
    let NodeValue::Map(items) = &node.value else {
        return fail("toml.encode: toml: top-level values must be Go maps or structs");
    };
    if has_other_keys(node) {
        return fail("toml.encode: Expected map key to be string");
    }
    let mut out = String::new();
    table(items, &[], indent, &mut out)?;
    Ok(out)
}

/// Whether a map has keys that are not strings. `plain` limits the recursion.
fn has_other_keys(node: &Node) -> bool {
    match &node.value {
        NodeValue::Map(items) => items.iter().any(|item| item.key.as_str().is_none() || has_other_keys(&item.value)),
        NodeValue::Array(items) => items.iter().any(|item| has_other_keys(&item.value)),
        _ => false,
    }
}

/// Items sorted by key: those with plain values, and then those with tables or lists of tables.
fn in_order(items: &[MapItem]) -> (Vec<&MapItem>, Vec<&MapItem>) {
    let mut items: Vec<_> = items.iter().collect();
    items.sort_by(|a, b| a.key.cmp(&b.key));
    items.into_iter().partition(|item| !has_tables(&item.value))
}

fn has_tables(node: &Node) -> bool {
    match &node.value {
        NodeValue::Map(_) => true,
        NodeValue::Array(items) => {
            !items.is_empty() && items.iter().all(|item| matches!(item.value.value, NodeValue::Map(_)))
        }
        _ => false,
    }
}

/// Whether an item is left out.
fn is_nothing(item: &MapItem) -> bool {
    matches!(item.value.value, NodeValue::Null)
}

/// Writes a table: plain values first, then tables, each sorted, nested ones indented.
fn table(items: &[MapItem], path: &[String], indent: usize, out: &mut String) -> Result<()> {
    let (values, tables) = in_order(items);
    let pad = " ".repeat(indent * path.len());
    for item in values.into_iter().filter(|item| !is_nothing(item)) {
        out.push_str(&format!("{pad}{} = ", key(&item.key.to_string())));
        inline(&item.value, out)?;
        out.push('\n');
    }
    for item in tables {
        let mut inner = path.to_vec();
        inner.push(key(&item.key.to_string()));
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
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            c if c.is_ascii_control() => out.push_str(&format!("\\u{:04x}", c as u32)),
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
        NodeValue::Float(number) => out.push_str(&float(*number)),
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
        NodeValue::Map(items) => inline_table(items, out)?,
        NodeValue::Null | NodeValue::Unknown => return fail("toml.encode: toml: cannot encode array with nil element"),
    }
    Ok(())
}

/// The separator after a value stays where the ones after it are left out.
fn inline_table(items: &[MapItem], out: &mut String) -> Result<()> {
    let (values, tables) = in_order(items);
    let count = items.len();
    out.push('{');
    for (index, item) in values.into_iter().chain(tables).enumerate().filter(|(_, item)| !is_nothing(item)) {
        out.push_str(&format!("{} = ", key(&item.key.to_string())));
        inline(&item.value, out)?;
        if index + 1 < count {
            out.push_str(", ");
        }
    }
    out.push('}');
    Ok(())
}

fn float(number: f64) -> String {
    if number.is_nan() {
        return "nan".to_owned();
    }
    let text = number.to_string();
    if number.is_finite() && !text.contains('.') { format!("{text}.0") } else { text }
}
