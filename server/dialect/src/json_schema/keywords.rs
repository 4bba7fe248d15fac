//! Keywords: the kind of value each takes, and errors in them.

use super::authoring::is_type;
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
    /// A keyword has a value of the right kind that it cannot have.
    Refused {
        /// What is wrong, in a sentence.
        message: SmolStr,
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
        /// The URI of the document, as the schema around the reference gives it; empty if that is not known.
        uri: SmolStr,
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
    let kind = FaultKind::NotDecodable { keyword: Some(keyword), expected };
    (!fits && !is_open(&item.value)).then_some(Fault { span: item.value.span, kind })
}

/// What is wrong with a value of the right kind, as the author of the schema reads it as well (`authoring/values.rs`):
/// without these parts, every value is accepted.
pub(super) fn refused(reader: &JsonSchemaReader<'_>, item: &MapItem) -> Vec<Fault> {
    let mut faults = Vec::new();
    let (Some(keyword), true) = (item.key.as_str(), reader.shares_nodes()) else { return faults };
    let value = &item.value;
    let mut refuse = |span: Span, message: String| {
        faults.push(Fault { span, kind: FaultKind::Refused { message: message.into() } });
    };
    match (keyword, &value.value) {
        ("type", NodeValue::Array(items)) => {
            if items.is_empty() && !value.partial {
                refuse(value.span, format!("`{keyword}` {NO_ITEMS}"));
            }
            let wrong = items.iter().filter_map(|item| Some((item.value.span, no_type(&item.value)?)));
            wrong.for_each(|(span, message)| refuse(span, message));
        }
        ("type", _) => no_type(value).into_iter().for_each(|message| refuse(value.span, message)),
        ("pattern", NodeValue::String(text)) if !is_pattern(reader, text) => refuse(value.span, NO_PATTERN.to_owned()),
        ("patternProperties", NodeValue::Map(items)) => {
            let wrong = items.iter().filter(|item| !is_pattern(reader, &item.key.to_string()));
            wrong.for_each(|item| refuse(item.key_span, NO_PATTERN.to_owned()));
        }
        ("multipleOf", value_of) if !is_factor(value_of) => refuse(value.span, format!("`{keyword}` {NO_FACTOR}")),
        (_, value_of) if LENGTHS.contains(&keyword) && length(value_of).is_some_and(|number| number < 0) => {
            refuse(value.span, format!("`{keyword}` {NO_LENGTH}"));
        }
        _ => {}
    }
    faults
}

/// Why a list is refused, after the keyword.
pub(super) const NO_ITEMS: &str = "should have at least 1 item";
/// Why a pattern is refused.
pub(super) const NO_PATTERN: &str = "this regular expression cannot be read";
/// Why a factor is refused, after the keyword.
pub(super) const NO_FACTOR: &str = "should be more than 0";
/// Why a length is refused, after the keyword.
pub(super) const NO_LENGTH: &str = "should be at least 0";

/// The keywords that take a length.
const LENGTHS: [&str; 6] = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"];

/// Whether a factor divides numbers; other values are refused for what they are.
pub(super) fn is_factor(value: &NodeValue) -> bool {
    match value {
        NodeValue::Int(number) => number.get() > 0,
        NodeValue::Float(number) => *number > 0.0,
        _ => true,
    }
}

/// Whether a text can be read as a regular expression. What has no special characters is one.
fn is_pattern(reader: &JsonSchemaReader<'_>, text: &str) -> bool {
    !text.contains(['\\', '[', ']', '(', ')', '{', '}', '*', '+', '?', '|']) || reader.pattern(text).is_valid()
}

/// Why a value is not the name of a type; None if it is one. Up to draft 3, there was a type for everything.
fn no_type(node: &Node) -> Option<String> {
    match &node.value {
        _ if is_open(node) => None,
        NodeValue::String(text) if is_type(text) || text == "any" => None,
        NodeValue::String(text) => Some(format!("`{text}` is not a type")),
        NodeValue::Null => Some(NULL_TYPE.to_owned()),
        _ => Some(NO_TYPE.to_owned()),
    }
}

/// Why null is refused as a type: in YAML, the word for nothing is not a string.
pub(super) const NULL_TYPE: &str = "the type of null is the string \"null\"";
/// Why another value is refused as a type.
pub(super) const NO_TYPE: &str = "`type` should be the name of a type, or an array of names";

/// Whether a value is being typed, or not known.
pub(super) fn is_open(node: &Node) -> bool {
    matches!(node.value, NodeValue::Unknown) || (node.missing && matches!(node.value, NodeValue::Null))
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
