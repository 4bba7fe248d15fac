//! Phrases for values and types in messages.

pub(crate) use lofting_diagnostic::words::with_article;

use crate::view::{Kind, Scalar, View};
use lofting_document::write::double_quoted;
use lofting_document::{Key, Node, NodeValue};
use lofting_schema::semantics::{Notation, Words};
use lofting_schema::{Kinds, Schema, SchemaId, Shape};

/// Text in double quotes on one line, cut to a length that suits a message.
pub(crate) fn quoted(text: &str) -> String {
    const LIMIT: usize = 40;
    let mut shown = String::from("\"");
    for (count, c) in text.chars().enumerate() {
        if count == LIMIT {
            shown.push('…');
            break;
        }
        match c {
            '"' => shown.push_str("\\\""),
            '\\' => shown.push_str("\\\\"),
            '\n' => shown.push_str("\\n"),
            '\t' => shown.push_str("\\t"),
            c if c.is_control() => shown.push('\u{fffd}'),
            c => shown.push(c),
        }
    }
    shown.push('"');
    shown
}

/// A value as messages name it: `the string "80"`, `null`, `a map`.
pub(crate) fn value<V: View>(language: &Words, view: V) -> String {
    match view.scalar() {
        Some(Scalar::Null) if view.is_missing() => "empty (null)".to_string(),
        Some(Scalar::Null) => "null".to_string(),
        Some(Scalar::Bool(value)) => format!("the boolean {value}"),
        Some(Scalar::Int(value)) => format!("the integer {value}"),
        Some(Scalar::Float(value)) => format!("the {} {}", language.number, float(value)),
        Some(Scalar::String(text)) => format!("the string {}", quoted(&text)),
        None => with_article(view.kind().word(language)),
    }
}

/// A float with a fraction or an exponent, to tell it from an integer.
pub(crate) fn float(value: f64) -> String {
    if value.is_nan() {
        ".nan".to_string()
    } else if value.is_infinite() {
        if value > 0.0 { ".inf".to_string() } else { "-.inf".to_string() }
    } else {
        format!("{value:?}")
    }
}

/// A value as the schema's language writes it; Starlark prints `["a", 1, True]` (docs/ytt.md 13.2).
pub(crate) fn spelled(notation: Notation, node: &Node) -> String {
    let mut text = String::new();
    write_spelled(Spelling { notation, quotes: true }, node, 0, &mut text);
    text
}

/// A list of values, each as in [`spelled`].
pub(crate) fn spelled_list(notation: Notation, items: &[Node]) -> String {
    let mut text = String::new();
    write_list(Spelling { notation, quotes: true }, items.iter(), 0, &mut text);
    text
}

/// Like [`spelled`], but a string has no quotes.
pub(crate) fn spelled_bare(notation: Notation, node: &Node) -> String {
    let mut text = String::new();
    write_spelled(Spelling { notation, quotes: false }, node, 0, &mut text);
    text
}

#[derive(Clone, Copy)]
struct Spelling {
    notation: Notation,
    /// Whether a string that is the whole value is quoted.
    quotes: bool,
}

impl Spelling {
    fn null(self) -> &'static str {
        match self.notation {
            Notation::Starlark => "None",
            Notation::Json => "null",
        }
    }

    fn bool(self, value: bool) -> &'static str {
        match (self.notation, value) {
            (Notation::Starlark, true) => "True",
            (Notation::Starlark, false) => "False",
            (Notation::Json, true) => "true",
            (Notation::Json, false) => "false",
        }
    }
}

fn write_list<'n>(spelling: Spelling, items: impl Iterator<Item = &'n Node>, depth: usize, out: &mut String) {
    out.push('[');
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        let is_long = out.len() > LONG;
        write_spelled(spelling, item, depth + 1, out);
        // The ellipsis is written once.
        if is_long {
            break;
        }
    }
    out.push(']');
}

/// Roughly how many bytes of a value a message shows.
const LONG: usize = 400;

fn write_spelled(spelling: Spelling, node: &Node, depth: usize, out: &mut String) {
    if depth > 20 || out.len() > LONG {
        out.push('…');
        return;
    }
    match &node.value {
        NodeValue::Null => out.push_str(spelling.null()),
        NodeValue::Bool(value) => out.push_str(spelling.bool(*value)),
        NodeValue::Int(value) => out.push_str(&value.to_string()),
        NodeValue::Float(value) => out.push_str(&go_float(*value)),
        NodeValue::String(text) if spelling.quotes || depth > 0 => out.push_str(&double_quoted(text)),
        NodeValue::String(text) => out.push_str(text),
        NodeValue::Array(items) => {
            write_list(spelling, items.iter().map(|item| &item.value), depth, out);
        }
        NodeValue::Map(items) => {
            out.push('{');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                match item.key.as_str() {
                    Some(key) => out.push_str(&double_quoted(key)),
                    None => out.push_str(&item.key.to_string()),
                }
                out.push_str(": ");
                write_spelled(spelling, &item.value, depth + 1, out);
            }
            out.push('}');
        }
        NodeValue::Unknown => out.push('…'),
    }
}

/// A float in Go's `%g`: integers without a fraction.
fn go_float(value: f64) -> String {
    if value.is_finite() && value == value.trunc() && value.abs() < 1e21 { format!("{value:.0}") } else { float(value) }
}

/// The type that a schema node wants, in the words of its language.
pub(crate) fn wanted(schema: &Schema, id: SchemaId) -> String {
    let language = &schema.semantics().words;
    match schema.node(id).shape() {
        Shape::Any if schema.node(id).kinds != Kinds::ANY => schema.node(id).kinds.words(language).join(" or "),
        Shape::Any | Shape::Unknown => "any".to_string(),
        Shape::Null => Kind::Null.word(language).to_string(),
        Shape::Bool => Kind::Bool.word(language).to_string(),
        Shape::Int => Kind::Int.word(language).to_string(),
        Shape::Float => Kind::Float.word(language).to_string(),
        Shape::String => Kind::String.word(language).to_string(),
        Shape::Map(_) => Kind::Map.word(language).to_string(),
        Shape::Array(_) => Kind::Array.word(language).to_string(),
        Shape::Union(ids) => {
            let mut words = Vec::new();
            wanted_by_one(schema, ids, UNIONS, &mut words);
            words.join(" or ")
        }
    }
}

/// How deep alternatives that have alternatives are named: those of some schemas lead back to themselves.
const UNIONS: usize = 4;

/// The types that alternatives want, each once.
fn wanted_by_one(schema: &Schema, ids: &[SchemaId], depth: usize, words: &mut Vec<String>) {
    for id in ids.iter().take(10) {
        let word = match schema.node(*id).shape() {
            Shape::Union(inner) if depth > 0 => {
                wanted_by_one(schema, inner, depth - 1, words);
                continue;
            }
            Shape::Union(_) => "any".to_string(),
            _ => wanted(schema, *id),
        };
        if !words.contains(&word) {
            words.push(word);
        }
    }
}

/// Some keys: `a`, `b` and `c`. Of many, the first ones.
pub(crate) fn all_of(keys: &[Key]) -> String {
    let mut shown: Vec<String> = keys.iter().take(8).map(|key| format!("`{key}`")).collect();
    if keys.len() > shown.len() {
        shown.push(format!("{} more", keys.len() - shown.len()));
    }
    match shown.split_last() {
        Some((last, first)) if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => shown.concat(),
    }
}

/// Text of at most `limit` characters. Longer text is cut and says by how much: more is not read, and megabytes would
/// block an editor or terminal.
pub fn capped(text: &str, limit: usize) -> String {
    // The number of characters never exceeds the number of bytes.
    let cut = text.char_indices().nth(limit).filter(|_| text.len() > limit);
    let Some((cut, _)) = cut else { return text.to_owned() };
    let kept = &text[..cut];
    format!("{kept}… ({} more characters)", text[cut..].chars().count())
}
