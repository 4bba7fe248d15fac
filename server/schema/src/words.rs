//! Describes schemas in words, for messages, hovers and completion.

use crate::semantics::Words;
use crate::{Constraint, ConstraintKind, Kinds, Schema, SchemaId, Shape};
use lofting_document::write::double_quoted;
use lofting_document::{Node, NodeValue};
use std::fmt::Write;

/// How many levels of arrays and unions are spelled out.
const DEPTH: usize = 4;

/// The kind of a shape in a language's words: `integer or null`.
pub fn kind(shape: Shape<'_>, nullable: bool, language: &Words) -> String {
    let name = kind_name(shape, language);
    if nullable && !matches!(shape, Shape::Any | Shape::Null | Shape::Unknown) {
        format!("{name} or null")
    } else {
        name.to_owned()
    }
}

/// The kind of a shape as one word or phrase; a union is `one of several types`.
pub fn kind_name(shape: Shape<'_>, language: &Words) -> &'static str {
    match shape {
        Shape::Any => "any",
        Shape::Unknown => "unknown",
        Shape::Null => "null",
        Shape::Bool => "boolean",
        Shape::Int => "integer",
        Shape::Float => language.number,
        Shape::String => "string",
        Shape::Map(_) => "map",
        Shape::Array(_) => "array",
        Shape::Union(_) => "one of several types",
    }
}

impl Schema {
    /// The type of a node in words: `integer or null`, `array of string`.
    pub fn type_words(&self, id: SchemaId) -> String {
        self.words_to(id, DEPTH)
    }

    fn words_to(&self, id: SchemaId, depth: usize) -> String {
        let node = self.node(id);
        let words = match node.shape() {
            Shape::Array(array) if depth > 0 && array.prefix.is_empty() => match self.node(array.item).shape() {
                Shape::Any | Shape::Unknown => "array".to_owned(),
                _ => format!("array of {}", self.words_to(array.item, depth - 1)),
            },
            Shape::Union(members) if depth > 0 => {
                let mut words: Vec<String> = Vec::new();
                for member in members {
                    let said = self.words_to(*member, depth - 1);
                    if !words.contains(&said) {
                        words.push(said);
                    }
                }
                words.join(" or ")
            }
            Shape::Any if node.kinds != Kinds::ANY => node.kinds.words(&self.semantics().words).join(" or "),
            shape => kind_name(shape, &self.semantics().words).to_owned(),
        };
        let null_said = matches!(node.shape(), Shape::Any | Shape::Null | Shape::Unknown);
        if node.nullable && !null_said { format!("{words} or null") } else { words }
    }
}

impl Constraint {
    /// What a value has to be, as a phrase: `at least 1`, `one of "a", "b"`.
    pub fn words(&self) -> String {
        if let Some(message) = &self.message {
            return message.clone();
        }
        let words = match &self.kind {
            ConstraintKind::Min(value) => format!("at least {}", literal(value)),
            ConstraintKind::Max(value) => format!("at most {}", literal(value)),
            ConstraintKind::ExclusiveMin(value) => format!("more than {}", literal(value)),
            ConstraintKind::ExclusiveMax(value) => format!("less than {}", literal(value)),
            ConstraintKind::MultipleOf(value) => format!("a multiple of {value}"),
            ConstraintKind::MinLength(length) => format!("length at least {length}"),
            ConstraintKind::MaxLength(length) => format!("length at most {length}"),
            ConstraintKind::OneOf(values) if values.is_empty() => "no value".to_owned(),
            ConstraintKind::OneOf(values) => {
                let values: Vec<String> = values.iter().map(literal).collect();
                format!("one of {}", values.join(", "))
            }
            ConstraintKind::NotNull => "not null".to_owned(),
            ConstraintKind::OneNotNull(None) => "exactly one key set (not null)".to_owned(),
            ConstraintKind::OneNotNull(Some(keys)) => {
                let keys: Vec<String> = keys.iter().map(ToString::to_string).collect();
                format!("exactly one of {} set (not null)", keys.join(", "))
            }
            ConstraintKind::Pattern(pattern) => format!("matching {}", pattern.source),
            ConstraintKind::StartsWith(text) => format!("starting with {text}"),
            ConstraintKind::EndsWith(text) => format!("ending with {text}"),
            ConstraintKind::Format(name) | ConstraintKind::FormatHint(name) => format!("format {name}"),
            ConstraintKind::UniqueItems => "no two items equal".to_owned(),
        };
        if self.conditional { format!("{words} (under a condition)") } else { words }
    }
}

/// A value as it can be written on one line of YAML: strings in double quotes, collections in flow style.
pub fn literal(node: &Node) -> String {
    let mut text = String::new();
    write_literal(node, &mut text);
    text
}

fn write_literal(node: &Node, text: &mut String) {
    // Writing to a String cannot fail.
    match &node.value {
        NodeValue::Null => text.push_str("null"),
        NodeValue::Bool(value) => drop(write!(text, "{value}")),
        NodeValue::Int(value) => drop(write!(text, "{value}")),
        NodeValue::Float(value) => drop(write!(text, "{value:?}")),
        NodeValue::String(value) => text.push_str(&double_quoted(value)),
        NodeValue::Unknown => text.push('…'),
        NodeValue::Map(items) => {
            text.push('{');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push_str(", ");
                }
                match item.key.as_str() {
                    Some(key) if !plain(key) => text.push_str(&double_quoted(key)),
                    _ => drop(write!(text, "{}", item.key)),
                }
                text.push_str(": ");
                write_literal(&item.value, text);
            }
            text.push('}');
        }
        NodeValue::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push_str(", ");
                }
                write_literal(&item.value, text);
            }
            text.push(']');
        }
    }
}

/// Whether every YAML reader takes the key as a plain string.
fn plain(key: &str) -> bool {
    let word = key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
    let special = matches!(
        key.to_ascii_lowercase().as_str(),
        "y" | "n" | "yes" | "no" | "on" | "off" | "true" | "false" | "null"
    );
    word && !special && key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}
