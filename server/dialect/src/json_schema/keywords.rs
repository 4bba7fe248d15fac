//! Keywords: the kind of value each takes, and errors in them.

use super::drafts::Draft;
use super::rules::RefSibling;
use super::schema::{JsonSchemaReader, Keywords};
use lofting_diagnostic::suggest::nearest;
use lofting_document::{Key, MapItem, Node, NodeValue, Span};
use smol_str::SmolStr;

/// An error in a schema.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// Where to report it: a keyword or its value.
    pub span: Span,
    /// What is wrong.
    pub kind: FaultKind,
}

/// The kinds of errors in schemas.
#[derive(Debug, Clone, PartialEq)]
pub enum FaultKind {
    /// A keyword has a value of the wrong kind, or a schema is not a map.
    NotDecodable {
        /// The keyword; None for a whole schema.
        keyword: Option<SmolStr>,
        /// What is allowed there.
        expected: &'static str,
    },
    /// There is no such keyword.
    UnknownKeyword {
        /// As written.
        keyword: SmolStr,
        /// The one that is most likely meant, if it is not there as well.
        meant: Option<&'static str>,
    },
    /// A keyword of a later draft than the schema names.
    LaterKeyword {
        /// The keyword.
        keyword: SmolStr,
        /// The draft that the schema names.
        named: Draft,
        /// The draft in which the keyword first appeared.
        since: Draft,
    },
    /// A keyword beside a `$ref` that makes it ignored.
    RefSibling {
        /// The keyword.
        keyword: SmolStr,
        /// The reference, and the draft that says so.
        about: RefSibling,
    },
    /// `$ref` is not a string.
    ReferenceNotString,
    /// `$ref` leads to another document, which is not allowed.
    ReferenceNotLocal {
        /// As written.
        to: SmolStr,
    },
    /// `$ref` leads to a place that is not a definition.
    ReferencePath {
        /// As written.
        to: SmolStr,
    },
    /// There is no such definition.
    ReferenceNotFound {
        /// The name.
        name: SmolStr,
        /// The existing definitions.
        known: Vec<SmolStr>,
    },
    /// The document that a reference leads to cannot be read.
    ReferenceUnread {
        /// As written.
        to: SmolStr,
        /// Why not.
        why: SmolStr,
    },
    /// Definitions that refer to each other in a cycle.
    ReferenceCircular {
        /// Their names, the first again at the end.
        circle: Vec<SmolStr>,
    },
}

/// What the value of a keyword has to be.
enum KeywordValue {
    Text,
    Number,
    WholeNumber,
    Flag,
    List,
    Map,
    Anything,
}

/// The kind of value that a keyword takes.
fn wanted(reader: &JsonSchemaReader<'_>, keyword: &str) -> KeywordValue {
    match keyword {
        "id" | "$schema" | "description" | "format" | "title" | "pattern" => KeywordValue::Text,
        "type" | "items" if reader.shares_nodes() => KeywordValue::Anything,
        "exclusiveMaximum" | "exclusiveMinimum" if reader.shares_nodes() => KeywordValue::Anything,
        "type" => KeywordValue::Text,
        "maximum" | "minimum" | "multipleOf" => KeywordValue::Number,
        "exclusiveMaximum" | "exclusiveMinimum" if reader.has_exclusive_flags() => KeywordValue::Flag,
        "exclusiveMaximum" | "exclusiveMinimum" => KeywordValue::Number,
        "maxLength" | "minLength" | "maxItems" | "minItems" | "maxProperties" | "minProperties" => {
            KeywordValue::WholeNumber
        }
        "uniqueItems" | "nullable" | "x-kubernetes-int-or-string" | "x-kubernetes-preserve-unknown-fields" => {
            KeywordValue::Flag
        }
        "enum" | "required" | "allOf" | "oneOf" | "anyOf" => KeywordValue::List,
        "properties" | "patternProperties" | "$defs" | "definitions" | "dependencies" => KeywordValue::Map,
        _ => KeywordValue::Anything,
    }
}

impl FaultKind {
    /// Whether the keyword that is meant says of what kind values are, or what is in them: without it, a schema says
    /// nothing about what it describes.
    pub(super) fn hides_content(&self) -> bool {
        let of_content = ["type", "properties", "additionalProperties", "items", "$ref", "allOf", "anyOf", "oneOf"];
        matches!(self, FaultKind::UnknownKeyword { meant: Some(meant), .. } if of_content.contains(meant))
    }
}

/// The fault of a keyword's value in the reader's flavour, if it has one. `all` are the keywords beside it.
pub(super) fn fault(reader: &JsonSchemaReader<'_>, item: &MapItem, all: &Keywords<'_>) -> Option<Fault> {
    let keyword = match &item.key {
        Key::String(keyword) => keyword.clone(),
        other => return Some(unknown(item, other.to_string().into(), None)),
    };
    let known = reader.keywords().filter(|_| !keyword.starts_with("x-"));
    if let Some(known) = known.filter(|known| !known.contains(&keyword.as_str())) {
        let meant =
            nearest(&keyword, known.iter().copied()).and_then(|meant| known.iter().find(|word| **word == meant));
        return Some(unknown(item, keyword, meant.copied().filter(|meant| all.get(meant).is_none())));
    }
    let value = &item.value.value;
    let number = matches!(value, NodeValue::Int(_) | NodeValue::Float(_));
    let (fits, expected) = match wanted(reader, &keyword) {
        KeywordValue::Anything => return None,
        KeywordValue::Text => (matches!(value, NodeValue::String(_)), "a string"),
        KeywordValue::Number => (number, "a number"),
        KeywordValue::WholeNumber => (length(value).is_some(), "an integer"),
        KeywordValue::Flag => (matches!(value, NodeValue::Bool(_)), "a boolean"),
        KeywordValue::List => (matches!(value, NodeValue::Array(_)), "an array"),
        KeywordValue::Map => (matches!(value, NodeValue::Map(_)), "a map"),
    };
    // A value that is being typed, or one that is unknown.
    let open = matches!(value, NodeValue::Unknown) || (item.value.missing && matches!(value, NodeValue::Null));
    let kind = FaultKind::NotDecodable { keyword: Some(keyword), expected };
    (!fits && !open).then_some(Fault { span: item.value.span, kind })
}

fn unknown(item: &MapItem, keyword: SmolStr, meant: Option<&'static str>) -> Fault {
    Fault { span: item.key_span, kind: FaultKind::UnknownKeyword { keyword, meant } }
}

/// An integer.
pub(super) fn length(value: &NodeValue) -> Option<i128> {
    match value {
        NodeValue::Int(number) => Some(number.get()),
        NodeValue::Float(number) if number.fract() == 0.0 => Some(*number as i128),
        _ => None,
    }
}

/// The fault of a value that should be a schema.
pub(super) fn no_schema(value: &Node) -> Fault {
    Fault { span: value.span, kind: FaultKind::NotDecodable { keyword: None, expected: "a map" } }
}
