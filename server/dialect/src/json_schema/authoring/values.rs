//! Values of keywords that the meta-schema refuses, each with the change that was most likely meant.

use super::keywords::Takes;
use super::{Authoring, Vocabulary};
use crate::json_schema::keywords::{NO_FACTOR, NO_ITEMS, NO_LENGTH, NO_PATTERN, NO_TYPE, NULL_TYPE, is_open, length};
use crate::json_schema::rules::{keyword_value, unknown_keyword};
use lofting_diagnostic::{Diagnostic, Fix, Severity, suggest};
use lofting_document::{ArrayItem, MapItem, Node, NodeValue, Span};
use lofting_schema::{Pattern, PatternDialect};
use std::collections::BTreeMap;

/// The names of types.
const TYPES: [&str; 7] = ["string", "integer", "number", "boolean", "object", "array", "null"];

/// Other languages' names of types.
const OTHER_TYPES: &[(&str, &[&str])] = &[
    ("string", &["str", "text", "char", "varchar"]),
    ("integer", &["int", "int32", "int64", "long", "uint"]),
    ("number", &["float", "double", "decimal", "real", "num"]),
    ("boolean", &["bool", "flag"]),
    ("object", &["map", "dict", "dictionary", "hash", "struct", "record"]),
    ("array", &["list", "tuple", "sequence", "slice", "set"]),
    ("null", &["none", "nil", "void", "nothing"]),
];

/// The formats of the drafts, beside those that programs add.
pub(in crate::json_schema) const FORMATS: [&str; 19] = [
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "idn-email",
    "hostname",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "iri",
    "iri-reference",
    "uuid",
    "uri-template",
    "json-pointer",
    "relative-json-pointer",
    "regex",
];

/// Regular expressions of one document that are compiled.
const PATTERNS: usize = 10_000;

impl Authoring<'_, '_> {
    /// A value that is where a schema should be.
    pub(super) fn no_schema(&mut self, node: &Node, vocabulary: Vocabulary) {
        use crate::json_schema::drafts::Draft;
        let is_boolean = matches!(node.value, NodeValue::Bool(_));
        let has_booleans = vocabulary.draft > Draft::Draft4 || !vocabulary.is_named;
        if is_open(node) || (is_boolean && has_booleans) {
            return;
        }
        let expected = if has_booleans { "a map or a boolean" } else { "a map" };
        self.refuse(node.span, format!("a schema should be {expected}"), vocabulary, None);
    }

    /// The value of a keyword.
    pub(super) fn value(&mut self, item: &MapItem, takes: Takes, vocabulary: Vocabulary) {
        let (name, node) = (item.key.as_str().unwrap_or_default(), &item.value);
        if is_open(node) {
            return;
        }
        let value = &node.value;
        let number = match value {
            NodeValue::Int(number) => Some(number.get() as f64),
            NodeValue::Float(number) => Some(*number),
            _ => None,
        };
        match takes {
            Takes::Anything | Takes::Schema => {}
            Takes::SchemaOrFlag if matches!(value, NodeValue::Map(_) | NodeValue::Bool(_)) => {}
            Takes::SchemaOrFlag => {}
            Takes::Text | Takes::Anchor | Takes::Regex | Takes::Format => match value {
                NodeValue::String(text) if takes == Takes::Regex => self.pattern(node.span, text, vocabulary),
                NodeValue::String(text) if takes == Takes::Format => self.format(node.span, text),
                NodeValue::String(text) if takes == Takes::Anchor => self.anchor(node.span, name, text, vocabulary),
                NodeValue::String(_) => {}
                _ => self.kind(item, "a string", vocabulary),
            },
            Takes::Flag if !matches!(value, NodeValue::Bool(_)) => self.kind(item, "a boolean", vocabulary),
            Takes::Number | Takes::Positive if number.is_none() => self.kind(item, "a number", vocabulary),
            Takes::Positive if number.is_some_and(|number| number <= 0.0) => {
                self.refuse(node.span, format!("`{name}` {NO_FACTOR}"), vocabulary, None);
            }
            Takes::Length => match length(value) {
                None => self.kind(item, "an integer", vocabulary),
                Some(number) if number < 0 => {
                    self.refuse(node.span, format!("`{name}` {NO_LENGTH}"), vocabulary, None);
                }
                Some(_) => {}
            },
            Takes::Flag | Takes::Number | Takes::Positive => {}
            Takes::Type => self.types(item, vocabulary),
            Takes::Values | Takes::Choices | Takes::Names { .. } | Takes::Schemas => match value {
                NodeValue::Array(items) => self.array(item, items, takes, vocabulary),
                _ => self.kind(item, "an array", vocabulary),
            },
            Takes::Items => {
                if let NodeValue::Array(items) = value {
                    self.array(item, items, takes, vocabulary);
                }
            }
            Takes::Named | Takes::NamedByRegex | Takes::Dependencies | Takes::NamesByName | Takes::Flags => match value
            {
                NodeValue::Map(items) => {
                    for item in items {
                        self.named(item, takes, vocabulary);
                    }
                }
                _ => self.kind(item, "a map", vocabulary),
            },
        }
    }

    /// An entry of a map that is the value of a keyword.
    fn named(&mut self, item: &MapItem, takes: Takes, vocabulary: Vocabulary) {
        match (takes, &item.value.value) {
            (Takes::NamedByRegex, _) => self.pattern(item.key_span, &item.key.to_string(), vocabulary),
            (Takes::NamesByName | Takes::Dependencies, NodeValue::Array(items)) => {
                self.array(item, items, Takes::Names { least: 0 }, vocabulary);
            }
            (Takes::NamesByName, _) if !is_open(&item.value) => self.kind(item, "an array", vocabulary),
            (Takes::Flags, value) if !matches!(value, NodeValue::Bool(_)) && !is_open(&item.value) => {
                self.kind(item, "a boolean", vocabulary);
            }
            _ => {}
        }
    }

    fn array(&mut self, item: &MapItem, items: &[ArrayItem], takes: Takes, vocabulary: Vocabulary) {
        let name = item.key.as_str().unwrap_or_default();
        let least = match takes {
            Takes::Names { least } => least,
            Takes::Choices | Takes::Schemas | Takes::Items => 1,
            _ => 0,
        };
        // A schema that names no draft may be meant for a draft other than the usual one.
        let least = if takes == Takes::Items && !vocabulary.is_named { 0 } else { least };
        if items.len() < least && !item.value.partial {
            self.refuse(item.value.span, format!("`{name}` {NO_ITEMS}"), vocabulary, None);
        }
        if !matches!(takes, Takes::Names { .. }) {
            return;
        }
        let mut known: BTreeMap<&str, Span> = BTreeMap::new();
        for name_item in items {
            let node = &name_item.value;
            match &node.value {
                NodeValue::String(text) => {
                    if let Some(first) = known.get(text.as_str()) {
                        let finding = self.refusal(node.span, format!("`{text}` is already in `{name}`"), vocabulary);
                        self.found.push(finding.related(*first, "the first"));
                    } else {
                        known.insert(text, node.span);
                    }
                }
                _ if is_open(node) => {}
                other => {
                    let text = plain(other).map(|text| (text.clone(), self.written.like(node.span, &text)));
                    let fix =
                        text.map(|(text, new)| Fix::replace(format!("Write the string \"{text}\""), node.span, new));
                    self.refuse(node.span, format!("the names in `{name}` should be strings"), vocabulary, fix);
                }
            }
        }
    }

    fn types(&mut self, item: &MapItem, vocabulary: Vocabulary) {
        match &item.value.value {
            NodeValue::Array(items) => {
                if items.is_empty() && !item.value.partial {
                    self.refuse(item.value.span, format!("`type` {NO_ITEMS}"), vocabulary, None);
                }
                let mut known: BTreeMap<&str, Span> = BTreeMap::new();
                for item in items {
                    self.type_name(&item.value, vocabulary);
                    if let NodeValue::String(text) = &item.value.value
                        && let Some(first) = known.insert(text, item.value.span)
                    {
                        let message = format!("`{text}` is already in `type`");
                        self.found.push(self.refusal(item.value.span, message, vocabulary).related(first, "the first"));
                    }
                }
            }
            _ => self.type_name(&item.value, vocabulary),
        }
    }

    fn type_name(&mut self, node: &Node, vocabulary: Vocabulary) {
        let (shown, meant) = match &node.value {
            _ if is_open(node) => return,
            NodeValue::String(text) if TYPES.contains(&text.as_str()) => return,
            NodeValue::String(text) => (format!("`{text}` is not a type"), meant_type(text)),
            NodeValue::Null => (NULL_TYPE.to_owned(), Some("null")),
            _ => (NO_TYPE.to_owned(), None),
        };
        let change =
            |name: &str| Fix::replace(format!("Change to `{name}`"), node.span, self.written.like(node.span, name));
        let mut finding = self.refusal(node.span, shown, vocabulary);
        finding = match meant {
            Some(name) if !matches!(node.value, NodeValue::Null) => {
                finding.help(format!("did you mean `{name}`?")).fix(change(name))
            }
            Some(name) => finding.fix(change(name)),
            None => finding.help(format!("types are {}", listed(&TYPES))),
        };
        if matches!(node.value, NodeValue::String(_)) {
            let others = TYPES.into_iter().filter(|name| Some(*name) != meant);
            finding = others.fold(finding, |finding, name| finding.fix(change(name).possible()));
        }
        self.found.push(finding);
    }

    fn pattern(&mut self, span: Span, text: &str, vocabulary: Vocabulary) {
        if self.patterns >= PATTERNS {
            return;
        }
        self.patterns += 1;
        if !Pattern::new(text, PatternDialect::Ecma).is_valid() {
            let finding = self.refusal(span, NO_PATTERN.to_owned(), vocabulary);
            let help = "patterns are regular expressions of ECMA 262; a backslash before `[`, `(`, `*`, `+` or `?` makes it a letter";
            self.found.push(finding.help(help));
        }
    }

    /// A format that no draft has and that is nearly one.
    fn format(&mut self, span: Span, text: &str) {
        let is_near = |known: &&&str| {
            !known.eq(&&text) && (known.eq_ignore_ascii_case(text) || (text.len() > 3 && suggest::is_slip(text, known)))
        };
        if FORMATS.contains(&text) || text.starts_with("u") && text.contains("int") {
            return;
        }
        let Some(meant) = FORMATS.iter().find(is_near) else { return };
        let new = self.written.like(span, meant);
        self.found.push(unknown_keyword::format(span, text, meant, new));
    }

    fn anchor(&mut self, span: Span, name: &str, text: &str, vocabulary: Vocabulary) {
        let mut letters = text.chars();
        let begins = letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
        if !begins || !letters.all(|c| c.is_ascii_alphanumeric() || "-_.:".contains(c)) {
            let message =
                format!("`{name}` should begin with a letter or `_`, and have letters, digits, `-`, `_` and `.`");
            self.refuse(span, message, vocabulary, None);
        }
    }

    /// A value whose kind the keyword does not take.
    fn kind(&mut self, item: &MapItem, expected: &str, vocabulary: Vocabulary) {
        let name = item.key.as_str().unwrap_or_default();
        let node = &item.value;
        let replace = |text: String, new: String| Some(Fix::replace(format!("Write {text}"), node.span, new));
        let fix = match (&node.value, expected) {
            (NodeValue::String(text), "a number" | "an integer") => {
                let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
                let fits =
                    number.is_some_and(|number| expected == "a number" || (number >= 0.0 && number.fract() == 0.0));
                fits.then(|| text.trim().to_owned()).and_then(|text| replace(format!("the number {text}"), text))
            }
            (NodeValue::String(text), "a boolean") => {
                let word = match text.trim().to_ascii_lowercase().as_str() {
                    "true" | "yes" | "on" => Some("true"),
                    "false" | "no" | "off" => Some("false"),
                    _ => None,
                };
                word.and_then(|word| replace(format!("the boolean {word}"), word.to_owned()))
            }
            (NodeValue::String(text), "an array") if matches!(name, "required" | "enum" | "examples") => {
                replace("an array with this item".to_owned(), format!("[{}]", self.written.like(node.span, text)))
            }
            (value, "a string") => {
                plain(value).and_then(|text| replace("a string".to_owned(), self.written.like(node.span, &text)))
            }
            _ => None,
        };
        let finding = self.refusal(node.span, format!("`{name}` should be {expected}"), vocabulary);
        let is_flag = name == "required" && matches!(node.value, NodeValue::Bool(_));
        let finding = if is_flag {
            finding.help("since draft 4, the schema of the map lists the names of its required keys")
        } else {
            finding
        };
        self.found.push(fix.into_iter().fold(finding, Diagnostic::fix));
    }

    fn refuse(&mut self, span: Span, message: String, vocabulary: Vocabulary, fix: Option<Fix>) {
        let finding = self.refusal(span, message, vocabulary);
        self.found.push(fix.into_iter().fold(finding, Diagnostic::fix));
    }

    /// What a schema says about a draft that it names itself is certain.
    pub(super) fn refusal(&self, span: Span, message: String, vocabulary: Vocabulary) -> Diagnostic {
        let mut finding = keyword_value::of(span, message);
        if vocabulary.is_named {
            finding.severity = Severity::Error;
        }
        finding
    }
}

/// The text of a number or boolean.
fn plain(value: &NodeValue) -> Option<String> {
    match value {
        NodeValue::Int(number) => Some(number.to_string()),
        NodeValue::Bool(flag) => Some(flag.to_string()),
        NodeValue::Float(number) if number.is_finite() => Some(number.to_string()),
        _ => None,
    }
}

/// Whether a word is the name of a type.
pub(crate) fn is_type(word: &str) -> bool {
    TYPES.contains(&word)
}

/// The type that a word most likely means.
pub(crate) fn meant_type(word: &str) -> Option<&'static str> {
    let folded = word.trim().to_ascii_lowercase();
    let same = TYPES.into_iter().find(|name| *name == folded);
    let other = || OTHER_TYPES.iter().find(|(_, others)| others.contains(&folded.as_str())).map(|(name, _)| *name);
    same.or_else(other).or_else(|| suggest::nearest(word, TYPES))
}

fn listed(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
