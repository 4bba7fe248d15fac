//! Reads TOML 1.0.

use lofting_interpreter::Value;

use crate::failure::{Result, fail, limit};
use crate::plain;

/// How deeply a text may nest: the limit of the library that reads it.
const MAX_DEPTH: usize = 80;

pub(super) fn decode(text: &str) -> Result<Value> {
    if deepest(text) > MAX_DEPTH {
        return limit("toml.decode: the text is nested too deeply");
    }
    match text.parse::<toml::Table>() {
        Ok(_) if let Some(newer) = newer(text) => fail(format!("toml.decode: {newer}")),
        Ok(table) if holds_time(&toml::Value::Table(table.clone())) => {
            fail("toml.decode: unknown type time.Time for conversion to starlark value")
        }
        Ok(table) => Ok(from_table(&table)),
        Err(error) => fail(format!("toml.decode: {}", error.message())),
    }
}

/// What of a valid text came with TOML 1.1, which the library reads and ytt does not.
fn newer(text: &str) -> Option<&'static str> {
    let mut open: Vec<char> = Vec::new();
    let mut after_comma = false;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let in_table = open.last() == Some(&'{');
        let token = match first {
            '"' | '\'' => {
                let string = string(rest, first);
                if first == '"' && has_new_escape(string) {
                    return Some("invalid escape character");
                }
                string.len()
            }
            '#' => rest.find('\n').unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        match first {
            '\n' if in_table => return Some("newlines not allowed within inline tables"),
            '}' if after_comma => return Some("trailing comma not allowed in inline tables"),
            '[' | '{' => open.push(first),
            ']' | '}' => drop(open.pop()),
            _ => {}
        }
        if !first.is_whitespace() {
            after_comma = first == ',' && in_table;
        }
        rest = rest.get(token..).unwrap_or_default();
    }
    None
}

/// The string at the beginning of a text, with its quotes.
fn string(text: &str, quote: char) -> &str {
    let triple = if quote == '"' { "\"\"\"" } else { "'''" };
    let mark = if text.starts_with(triple) { triple } else { triple.get(..1).unwrap_or(triple) };
    let mut at = mark.len();
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if rest.starts_with(mark) {
            // Up to two quotes before the closing ones belong to the string.
            let more = rest.bytes().skip(mark.len()).take_while(|byte| *byte == quote as u8).count();
            let more = if mark == triple { more } else { 0 };
            return text.get(..at + mark.len() + more).unwrap_or(text);
        }
        let escapes = quote == '"' && rest.starts_with('\\');
        at += rest.chars().take(if escapes { 2 } else { 1 }).map(char::len_utf8).sum::<usize>();
    }
    text
}

fn has_new_escape(string: &str) -> bool {
    let mut characters = string.chars();
    while let Some(character) = characters.next() {
        if character == '\\' && matches!(characters.next(), Some('e' | 'x')) {
            return true;
        }
    }
    false
}

/// No value of the text is nested more deeply: each level takes a bracket, or a dot in a key. Brackets and dots in
/// strings are counted as well where a line ends inside them, so the answer is an upper bound.
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
