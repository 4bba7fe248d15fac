//! YAML in ytt's layout: two spaces per map level, arrays at the column of their key, `{}` and `[]`
//! for empty collections.

use super::float::float_text;
use super::positions::of_item;
use super::scalar::{content, is_break, write_text};
use crate::{Key, Node, NodeValue, Span};

/// Longest key written as `key: value`; longer ones, and those with line breaks, need the explicit `? key` form.
const SIMPLE_KEY_LIMIT: usize = 128;

/// The text of `node` as one document, with a final line break and without `---`.
pub fn yaml_document(node: &Node) -> String {
    let mut out = to_yaml(node);
    out.push('\n');
    out
}

/// The text of `node` without a final line break. Values that are not known print as `null`.
pub fn to_yaml(node: &Node) -> String {
    let mut out = String::new();
    YamlWriter { out: &mut out, comment: &|_| None, begun: None }.node(node, Lead::Root, 0);
    out
}

/// Like [`yaml_document`], with the span that each line comes from: that of the innermost item that begins on it, or of
/// the text that continues on it. A line with a bare scalar has the scalar's span.
pub fn yaml_with_places(node: &Node) -> (String, Vec<Span>) {
    let (mut text, mut begun) = (String::new(), vec![(0, node.span)]);
    YamlWriter { out: &mut text, comment: &|_| None, begun: Some(&mut begun) }.node(node, Lead::Root, 0);
    text.push('\n');
    let mut begun = begun.into_iter().peekable();
    let (mut place, mut end) = (node.span, 0);
    let of_line = |line: &str| {
        end += line.len();
        while let Some((_, span)) = begun.next_if(|(at, _)| *at < end) {
            place = span;
        }
        place
    };
    let places = text.split_inclusive('\n').map(of_line).collect();
    (text, places)
}

/// Like [`yaml_document`], with `#! ...` after each scalar and empty collection for which `comment` gives a text.
pub fn yaml_with_comments(node: &Node, comment: &dyn Fn(&Node) -> Option<String>) -> String {
    let mut out = String::new();
    YamlWriter { out: &mut out, comment, begun: None }.node(node, Lead::Root, 0);
    out.push('\n');
    out
}

/// What precedes the value; decides about line breaks before collections.
#[derive(Clone, Copy, PartialEq)]
enum Lead {
    Root,
    Key,
    Dash,
}

struct YamlWriter<'o> {
    out: &'o mut String,
    comment: &'o dyn Fn(&Node) -> Option<String>,
    /// If requested: where in the text each item begins, with the span it comes from.
    begun: Option<&'o mut Vec<(usize, Span)>>,
}

impl YamlWriter<'_> {
    /// Writes `node`; `indent` is the column at which a collection's entries start.
    fn node(&mut self, node: &Node, place: Lead, indent: usize) {
        match &node.value {
            NodeValue::Map(items) if !items.is_empty() => {
                for (index, item) in items.iter().enumerate() {
                    // A repeated key is written at its first place, with its last value.
                    let mut places = items.positions(&item.key);
                    if places.next() != Some(index) {
                        continue;
                    }
                    let value = places.last().and_then(|last| items.get(last)).map_or(&item.value, |item| &item.value);
                    self.entry_start(index, place, indent);
                    self.note(of_item(item.key_span, value));
                    let is_simple = self.key(&item.key, indent);
                    let below = match value.value {
                        NodeValue::Array(_) if is_simple => indent,
                        _ => indent + 2,
                    };
                    // After `? key`, the first entry of a collection is on the line of the colon.
                    let place = if is_simple { Lead::Key } else { Lead::Dash };
                    self.value_behind_key(value, place, below, indent);
                }
            }
            NodeValue::Array(items) if !items.is_empty() => {
                for (index, item) in items.iter().enumerate() {
                    self.entry_start(index, place, indent);
                    self.note(of_item(item.span, &item.value));
                    self.out.push('-');
                    self.out.push(' ');
                    self.node(&item.value, Lead::Dash, indent + 2);
                }
            }
            // The content of a literal block is two columns right of its parent's entries.
            _ => self.scalar(node, if place == Lead::Root { 2 } else { indent }),
        }
    }

    fn note(&mut self, span: Span) {
        if let Some(begun) = &mut self.begun {
            begun.push((self.out.len(), span));
        }
    }

    fn entry_start(&mut self, index: usize, place: Lead, indent: usize) {
        if index > 0 || place == Lead::Key {
            self.out.push('\n');
            self.out.extend(std::iter::repeat_n(' ', indent));
        }
    }

    /// Writes a key with its colon; returns whether it needed no `? `.
    fn key(&mut self, key: &Key, indent: usize) -> bool {
        let simple = match key {
            Key::String(text) => {
                let text = content(text);
                text.len() <= SIMPLE_KEY_LIMIT && !text.contains(is_break)
            }
            Key::Collection(text) => matches!(&**text, "{}" | "[]"),
            _ => true,
        };
        match key {
            Key::String(text) => {
                if simple {
                    write_text(self.out, text, None);
                } else {
                    self.out.push_str("? ");
                    write_text(self.out, text, Some(indent + 2));
                    self.out.push('\n');
                    self.out.extend(std::iter::repeat_n(' ', indent));
                }
            }
            Key::Collection(text) if !simple => {
                self.out.push_str("? ");
                for line in text.split('\n') {
                    self.out.push_str(line);
                    self.out.push('\n');
                    self.out.extend(std::iter::repeat_n(' ', indent + 2));
                }
                self.out.truncate(self.out.len() - 2);
            }
            Key::Float(bits) => self.out.push_str(&float_text(f64::from_bits(*bits))),
            other => self.out.push_str(&other.to_string()),
        }
        self.out.push(':');
        simple
    }

    fn value_behind_key(&mut self, value: &Node, place: Lead, below: usize, indent: usize) {
        let block = match &value.value {
            NodeValue::Map(items) => !items.is_empty(),
            NodeValue::Array(items) => !items.is_empty(),
            _ => false,
        };
        if block {
            if place == Lead::Dash {
                self.out.push(' ');
            }
            self.node(value, place, below);
        } else {
            self.out.push(' ');
            self.scalar(value, indent + 2);
        }
    }

    fn scalar(&mut self, node: &Node, literal_indent: usize) {
        let start = self.out.len();
        self.bare_scalar(node, literal_indent);
        let Some(comment) = (self.comment)(node) else { return };
        // After a block scalar's header, the lines below are its text.
        let line_end = self.out[start..].find('\n').map_or(self.out.len(), |at| start + at);
        self.out.insert_str(line_end, &format!(" #! {comment}"));
    }

    fn bare_scalar(&mut self, node: &Node, literal_indent: usize) {
        match &node.value {
            NodeValue::Null | NodeValue::Unknown => self.out.push_str("null"),
            NodeValue::Bool(value) => self.out.push_str(if *value { "true" } else { "false" }),
            NodeValue::Int(value) => self.out.push_str(&value.to_string()),
            NodeValue::Float(value) => self.out.push_str(&float_text(*value)),
            NodeValue::String(text) => write_text(self.out, text, Some(literal_indent)),
            NodeValue::Map(_) => self.out.push_str("{}"),
            NodeValue::Array(_) => self.out.push_str("[]"),
        }
    }
}
