//! Writes a schema in OpenAPI as shorthand. What the shorthand cannot express is left out and listed.

use super::expression::{Core, parse};
use super::literal::{self, entry};
use super::marker::{MARKERS, MarkedType, MarkerKind, Takes};
use super::{OBJECT_DEFAULT, TYPES};
use lofting_document::{Key, Map, MapItem, Node, NodeValue, Span, write};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A schema in shorthand.
#[derive(Debug, Clone, PartialEq)]
pub struct Shorthand {
    /// The fields.
    pub fields: Node,
    /// The custom types that they use; None if there are none.
    pub types: Option<Node>,
    /// What the shorthand cannot express, in the order of the text.
    pub left_out: Vec<LeftOut>,
}

/// Something that the shorthand cannot express.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Its place in the schema.
    pub span: Span,
    /// The path of fields to it, joined by dots.
    pub path: String,
    /// A description, as a sentence.
    pub message: String,
}

/// The maximum depth of schemas that are written.
const DEPTH: usize = 100;

/// Keywords that the writer handles itself, or that have no effect.
const STRUCTURE: &[&str] =
    &["type", "properties", "required", "items", "additionalProperties", "$ref", "$defs", "$schema", "id", "default"];

/// Writes a schema.
pub fn write(schema: &Node) -> Shorthand {
    let mut writer = ShorthandWriter::default();
    let definitions = keyword(schema, "$defs").and_then(map);
    for item in definitions.into_iter().flatten() {
        let name = item.key.to_string();
        let is_free = parse(&name).core == Core::Named && !name.contains('|') && name.trim() == name;
        let new = if is_free { name.clone() } else { format!("{name}Type") };
        writer.names.insert(name, new);
    }
    for item in definitions.into_iter().flatten() {
        let name = writer.names.get(&item.key.to_string()).cloned().unwrap_or_default();
        writer.path.push(name.clone());
        let definition = writer.definition(&item.value, item.key_span, 0);
        writer.path.pop();
        if let Some(definition) = definition {
            writer.types.push(entry(Key::from(name.as_str()), item.key_span, definition));
        }
    }
    let fields = writer.object(schema, 0);
    let types = std::mem::take(&mut writer.types);
    let types = (!types.is_empty()).then(|| Node::new(NodeValue::Map(types.into()), schema.span));
    writer.left_out.sort_by_key(|left| (left.span.file, left.span.start));
    Shorthand { fields, types, left_out: writer.left_out }
}

impl Shorthand {
    /// The keys below `spec.schema` of a document: custom types, and the fields under the section's name.
    pub fn sections(self, name: &str) -> Node {
        let span = self.fields.span;
        let types = self.types.map(|types| entry(Key::from(TYPES), span, types));
        let items: Vec<MapItem> = types.into_iter().chain([entry(Key::from(name), span, self.fields)]).collect();
        Node::new(NodeValue::Map(items.into()), span)
    }
}

fn map(node: &Node) -> Option<&Map> {
    match &node.value {
        NodeValue::Map(items) => Some(items),
        _ => None,
    }
}

fn keyword<'n>(schema: &'n Node, name: &str) -> Option<&'n Node> {
    map(schema)?.value(&Key::from(name))
}

/// The definition that a reference names, without escapes.
fn definition_name(reference: &str) -> Option<String> {
    reference.strip_prefix("#/$defs/").filter(|name| !name.contains('/')).map(str::to_owned)
}

fn string(node: &Node) -> Option<&str> {
    match &node.value {
        NodeValue::String(text) => Some(text),
        _ => None,
    }
}

#[derive(Default)]
struct ShorthandWriter {
    /// The custom type that each definition became, by name.
    names: BTreeMap<String, String>,
    types: Vec<MapItem>,
    path: Vec<String>,
    left_out: Vec<LeftOut>,
}

impl ShorthandWriter {
    fn leave_out(&mut self, span: Span, message: impl Into<String>) {
        self.left_out.push(LeftOut { span, path: self.path.join("."), message: message.into() });
    }

    /// A map of fields.
    fn object(&mut self, schema: &Node, depth: usize) -> Node {
        let required: Vec<&str> = match keyword(schema, "required").map(|node| &node.value) {
            Some(NodeValue::Array(items)) => items.iter().filter_map(|item| string(&item.value)).collect(),
            _ => Vec::new(),
        };
        let mut fields = Vec::new();
        for item in keyword(schema, "properties").and_then(map).into_iter().flatten() {
            let name = item.key.to_string();
            self.path.push(name.clone());
            let field = self.definition(&item.value, item.key_span, depth + 1);
            let has_default = field.is_none() || self.has_default(&item.value);
            if !has_default && !required.contains(&name.as_str()) {
                let message = format!("`{name}` may be missing; in shorthand a field without a default may not");
                self.leave_out(item.key_span, message);
            }
            self.path.pop();
            fields.extend(field.map(|field| entry(Key::from(name.as_str()), item.key_span, field)));
        }
        if let Some(default) = keyword(schema, "default") {
            match default.value {
                NodeValue::Map(_) => fields.insert(0, entry(Key::from(OBJECT_DEFAULT), default.span, default.clone())),
                _ => self.leave_out(default.span, "the default of a map has to be a map"),
            }
        }
        for item in map(schema).into_iter().flatten() {
            let name = item.key.to_string();
            match name.as_str() {
                "additionalProperties" if matches!(item.value.value, NodeValue::Bool(false)) => {
                    self.leave_out(item.key_span, "other keys are refused; in shorthand they are permitted");
                }
                "additionalProperties" if keyword(schema, "properties").is_some() => {
                    self.leave_out(item.key_span, "values of other keys have a schema; in shorthand they have none");
                }
                name if STRUCTURE.contains(&name) => {}
                name => self.leave_out(item.key_span, format!("`{name}` of a map of fields has no marker")),
            }
        }
        Node::new(NodeValue::Map(fields.into()), schema.span)
    }

    /// Whether a field has a default, its own or that of the definition it refers to.
    fn has_default(&self, schema: &Node) -> bool {
        keyword(schema, "default").is_some()
            || keyword(schema, "$ref").and_then(string).and_then(definition_name).is_some_and(|name| {
                let name = self.names.get(&name);
                let named = |item: &&MapItem| name.is_some_and(|name| item.key.as_str() == Some(name));
                match self.types.iter().find(named).map(|item| &item.value.value) {
                    Some(NodeValue::Map(items)) => items.value(&Key::from(OBJECT_DEFAULT)).is_some(),
                    Some(NodeValue::String(text)) => has_default_marker(text),
                    _ => false,
                }
            })
    }

    /// The definition of a field or a custom type; None if there can be none.
    fn definition(&mut self, schema: &Node, name: Span, depth: usize) -> Option<Node> {
        if depth > DEPTH {
            self.leave_out(name, "it is nested too deep");
            return None;
        }
        if map(schema).is_none() {
            self.leave_out(name, "it has no type");
            return None;
        }
        if is_object(schema) {
            return Some(self.object(schema, depth));
        }
        let (mut text, kind) = self.expression(schema, name, depth)?;
        let markers = self.markers(schema, kind);
        if !markers.is_empty() {
            let _ = write!(text, " |{markers}");
        }
        Some(Node::new(NodeValue::String(text.as_str().into()), schema.span))
    }

    /// The type of a schema, without its markers.
    fn expression(&mut self, schema: &Node, name: Span, depth: usize) -> Option<(String, MarkedType)> {
        if let Some(reference) = keyword(schema, "$ref") {
            let known = string(reference).and_then(definition_name).and_then(|name| self.names.get(&name)).cloned();
            if known.is_none() {
                self.leave_out(reference.span, "the reference leads nowhere");
            }
            return known.map(|name| (name, MarkedType::Unknown));
        }
        let written = keyword(schema, "type").and_then(string);
        Some(match written.or_else(|| type_of_values(schema)) {
            Some("string") => ("string".to_owned(), MarkedType::String),
            Some("integer") => ("integer".to_owned(), MarkedType::Integer),
            Some("number") => ("number".to_owned(), MarkedType::Number),
            Some("boolean") => ("boolean".to_owned(), MarkedType::Boolean),
            Some("array") => {
                let Some(items) = keyword(schema, "items").filter(|items| map(items).is_some()) else {
                    self.leave_out(name, "nothing says what its items are, so that the field is left out");
                    return None;
                };
                (format!("[]{}", self.inner(items, "Item", name, depth)?), MarkedType::Array)
            }
            Some("object") => {
                let values = keyword(schema, "additionalProperties").filter(|values| map(values).is_some())?;
                (format!("map<{}>", self.inner(values, "Value", name, depth)?), MarkedType::Object)
            }
            _ => {
                self.leave_out(name, "it has no type that the shorthand knows, so that the field is left out");
                return None;
            }
        })
    }

    /// The type of items or values. A schema that is more than a type becomes a custom type.
    fn inner(&mut self, schema: &Node, suffix: &str, name: Span, depth: usize) -> Option<String> {
        if depth > DEPTH {
            self.leave_out(name, "it is nested too deep");
            return None;
        }
        let is_plain =
            |item: &MapItem| matches!(item.key.as_str(), Some("type" | "items" | "additionalProperties" | "$ref"));
        if !is_object(schema) && map(schema).into_iter().flatten().all(is_plain) {
            return self.expression(schema, name, depth + 1).map(|(text, _)| text);
        }
        let definition = self.definition(schema, name, depth + 1)?;
        let name = self.new_name(suffix);
        self.types.push(entry(Key::from(name.as_str()), schema.span, definition));
        Some(name)
    }

    /// A name for a custom type, derived from the path of fields to it.
    fn new_name(&self, suffix: &str) -> String {
        let word = |name: &String| {
            let letters: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
            let mut rest = letters.chars();
            rest.next().map(|first| first.to_uppercase().chain(rest).collect::<String>()).unwrap_or_default()
        };
        let base: String = self.path.iter().rev().take(2).rev().map(word).chain([suffix.to_owned()]).collect();
        let is_taken = |name: &str| {
            self.names.values().any(|known| known == name)
                || self.types.iter().any(|item| item.key.as_str() == Some(name))
        };
        let mut names = std::iter::once(base.clone()).chain((2..).map(|number| format!("{base}{number}")));
        names.find(|name| !is_taken(name)).unwrap_or(base)
    }

    /// The keywords of a schema as markers, each preceded by a blank.
    fn markers(&mut self, schema: &Node, kind: MarkedType) -> String {
        let mut out = String::new();
        for item in map(schema).into_iter().flatten() {
            let name = item.key.to_string();
            let found = MARKERS.iter().find(|marker| marker.name == name);
            match found {
                Some(marker) => match marker_value(marker, kind, &item.value) {
                    Some(value) => {
                        let _ = write!(out, " {name}={value}");
                    }
                    None if says_nothing(&item.value) => {}
                    None => {
                        self.leave_out(item.key_span, format!("this value of `{name}` cannot be written as a marker"))
                    }
                },
                None if STRUCTURE.contains(&name.as_str()) || says_nothing(&item.value) => {}
                None => self.leave_out(item.key_span, format!("`{name}` has no marker")),
            }
        }
        out
    }
}

/// Whether an object has declared fields instead of free keys with values of one type.
fn is_object(schema: &Node) -> bool {
    let is_named = keyword(schema, "type").and_then(string) == Some("object");
    let has_fields = keyword(schema, "properties").is_some();
    let has_values = keyword(schema, "additionalProperties").is_some_and(|values| map(values).is_some());
    keyword(schema, "$ref").is_none() && (has_fields || is_named && !has_values)
}

/// The type that all values of `enum` share.
fn type_of_values(schema: &Node) -> Option<&'static str> {
    let NodeValue::Array(items) = &keyword(schema, "enum")?.value else { return None };
    let name = |node: &Node| match node.value {
        NodeValue::String(_) => Some("string"),
        NodeValue::Int(_) => Some("integer"),
        NodeValue::Float(_) => Some("number"),
        NodeValue::Bool(_) => Some("boolean"),
        _ => None,
    };
    let first = name(&items.first()?.value)?;
    items.iter().all(|item| name(&item.value) == Some(first)).then_some(first)
}

fn has_default_marker(text: &str) -> bool {
    parse(text).markers.iter().any(|marker| text.get(marker.key.clone()) == Some("default"))
}

/// Whether a keyword with this value has no effect: empty strings, false flags.
fn says_nothing(value: &Node) -> bool {
    match &value.value {
        NodeValue::String(text) => text.is_empty(),
        NodeValue::Bool(flag) => !flag,
        _ => false,
    }
}

/// A value as it is written after `=`; None if that is not possible.
fn marker_value(marker: &MarkerKind, kind: MarkedType, value: &Node) -> Option<String> {
    let text = match (marker.takes, &value.value) {
        (Takes::Literals, NodeValue::Array(items)) if !items.is_empty() => {
            let pieces: Option<Vec<String>> = items.iter().map(|item| piece(kind, &item.value)).collect();
            return pieces.map(|pieces| pieces.join(","));
        }
        (Takes::Literal, _) => return literal_text(kind, value),
        (Takes::Text, NodeValue::String(text)) if !text.is_empty() => quoted(text, false),
        (Takes::Number | Takes::Length, NodeValue::Int(number)) => number.to_string(),
        (Takes::Number, NodeValue::Float(number)) if number.is_finite() => number.to_string(),
        (Takes::Flag, NodeValue::Bool(flag)) => flag.to_string(),
        (Takes::Example, _) => {
            let text = match &value.value {
                NodeValue::String(text) => text.to_string(),
                _ => write::to_json(value),
            };
            // An example is read as the first type that fits, and keeps its quotes.
            let is_whole = !text.is_empty() && (text.starts_with(['{', '[']) || is_safe(&text, false));
            return (is_whole && literal::example(&text, value.span)?.value == value.value).then_some(text);
        }
        _ => return None,
    };
    Some(text)
}

/// One of several values between commas.
fn piece(kind: MarkedType, value: &Node) -> Option<String> {
    match &value.value {
        NodeValue::String(text) => Some(quoted(text, true)),
        NodeValue::Map(_) | NodeValue::Array(_) => None,
        _ => literal_text(kind, value).filter(|text| !text.contains(',')),
    }
}

/// A value as a literal of a type. If the type is a custom one, every literal that could mean the value is tried.
fn literal_text(kind: MarkedType, value: &Node) -> Option<String> {
    match (kind, &value.value) {
        (MarkedType::String | MarkedType::Unknown, NodeValue::String(text)) => Some(quoted(text, false)),
        (MarkedType::Boolean | MarkedType::Unknown, NodeValue::Bool(flag)) => Some(flag.to_string()),
        (MarkedType::Integer | MarkedType::Number | MarkedType::Unknown, NodeValue::Int(number)) => {
            Some(number.to_string())
        }
        (MarkedType::Number | MarkedType::Unknown, NodeValue::Float(number)) if number.is_finite() => {
            Some(number.to_string())
        }
        (MarkedType::Array | MarkedType::Unknown, NodeValue::Array(_))
        | (MarkedType::Object | MarkedType::Unknown, NodeValue::Map(_)) => {
            Some(write::to_json(value)).filter(|text| !text.contains('\n'))
        }
        _ => None,
    }
}

/// Whether a text can be written after `=` without quotes.
fn is_safe(text: &str, in_list: bool) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./:@%+^$()*?<>=~!;".contains(c) || c == ',' && !in_list;
    !text.is_empty() && text.chars().all(is_plain)
}

/// A text, with quotes if it needs them.
fn quoted(text: &str, in_list: bool) -> String {
    if is_safe(text, in_list) {
        return text.to_owned();
    }
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests;
