//! Wording shared by the rules about bounds.

use crate::at::At;
use crate::view::{Kind, Scalar, View};
use crate::{Diagnostic, Fix, words};
use lofting_document::{Node, NodeValue};
use lofting_schema::compare::Compared;
use lofting_schema::semantics::LengthUnit;

/// The message for `min` and `max`.
pub(super) fn message<V: View>(at: &At<'_>, value: V, compared: Compared, wanted: &str) -> String {
    match compared {
        Compared::Unordered => {
            format!(
                "{} should be {wanted}, but {} cannot be compared with that",
                at.subject(),
                words::value(at.words(), value)
            )
        }
        _ => format!("{} should be {wanted}, but is {}", at.subject(), plain(at, value)),
    }
}

/// What was found: in ytt's words, or the value itself.
pub(super) fn compared_found<V: View>(at: &At<'_>, value: V, bound: &Node, compared: Compared, sign: char) -> String {
    match compared {
        _ if !at.speaks_ytt() => plain(at, value),
        // As Starlark words it; it names the opposite operator of the pair, because ytt tries that one.
        Compared::Unordered => {
            let tried = if sign == '<' { ">=" } else { "<=" };
            // ytt compares what is written of a value, and of an empty collection nothing is.
            let is_empty = value.kind().is_collection() && value.count() == 0;
            format!(
                "{} {tried} {} not implemented",
                type_name(if is_empty { Kind::Null } else { value.kind() }),
                type_name(crate::view::node_kind(&bound.value))
            )
        }
        _ => format!("value {sign} {}", words::spelled_bare(at.notation(), bound)),
    }
}

/// A value, without its type where that is obvious.
pub(super) fn plain<V: View>(at: &At<'_>, value: V) -> String {
    match value.scalar() {
        Some(Scalar::Int(value)) => value.to_string(),
        Some(Scalar::Float(value)) => words::float(value),
        Some(Scalar::Bool(value)) => value.to_string(),
        Some(Scalar::String(text)) => words::quoted(&text),
        _ => words::value(at.words(), value),
    }
}

/// Starlark's name of a type.
pub(super) fn type_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Null => "NoneType",
        Kind::Bool => "bool",
        Kind::Int => "int",
        Kind::Float => "float",
        Kind::String => "string",
        Kind::Map => "dict",
        Kind::Array => "list",
        Kind::Unknown => "unknown",
    }
}

/// The unit of a value's length.
pub(super) fn unit(at: &At<'_>, kind: Kind, count: i128) -> &'static str {
    match (kind, count) {
        (Kind::String, count) => match (at.semantics().length, count) {
            (LengthUnit::Bytes, 1) => "byte",
            (LengthUnit::Bytes, _) => "bytes",
            (LengthUnit::Characters, 1) => "character",
            (LengthUnit::Characters, _) => "characters",
        },
        (Kind::Map, 1) => "key",
        (Kind::Map, _) => "keys",
        (_, 1) => "item",
        _ => "items",
    }
}

/// The message for a value that has no length.
pub(super) fn no_length<V: View>(at: &At<'_>, value: V) -> String {
    format!("{} is {}, which has no length to compare", at.subject(), words::value(at.words(), value))
}

/// A bound of a length, in ytt's words or in ours.
pub(super) fn length_expected(at: &At<'_>, kind: Kind, words: &str, sign: &str, bound: i128) -> String {
    if at.speaks_ytt() {
        return format!("length {sign} {bound}");
    }
    format!("{words} {bound} {}", unit(at, kind, bound))
}

/// The length of a value, in ytt's words or in ours.
pub(super) fn length_found(at: &At<'_>, kind: Kind, length: Option<u64>) -> String {
    match length {
        Some(length) if !at.speaks_ytt() => format!("{length} {}", unit(at, kind, i128::from(length))),
        None if !at.speaks_ytt() => crate::words::with_article(kind.word(at.words())),
        Some(length) => format!("length = {length}"),
        None => format!("len: value of type {} has no len", type_name(kind)),
    }
}

/// Adds why the length in bytes differs from the number of visible characters.
pub(super) fn with_bytes<V: View>(finding: Diagnostic, at: &At<'_>, value: V) -> Diagnostic {
    match (value.scalar(), at.semantics().length) {
        (Some(Scalar::String(text)), LengthUnit::Bytes) if !text.is_ascii() => finding.help(at.words().bytes),
        _ => finding,
    }
}

/// The direction of a number that is out of bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Up,
    Down,
}

/// Adds a fix with the nearest number that the bound permits. An exclusive bound on fractions has no nearest number.
pub(super) fn with_nearest<V: View>(
    finding: Diagnostic,
    value: V,
    bound: &NodeValue,
    exclusive: bool,
    way: Way,
) -> Diagnostic {
    let step = match (exclusive, way) {
        (false, _) => 0,
        (true, Way::Up) => 1,
        (true, Way::Down) => -1,
    };
    let rounded = |number: f64| match way {
        Way::Up if exclusive => number.floor() + 1.0,
        Way::Up => number.ceil(),
        Way::Down if exclusive => number.ceil() - 1.0,
        Way::Down => number.floor(),
    };
    let nearest = match (value.scalar(), bound) {
        (Some(Scalar::Int(_) | Scalar::Float(_)), NodeValue::Int(number)) => {
            number.get().saturating_add(step).to_string()
        }
        (Some(Scalar::Int(_)), NodeValue::Float(number)) if number.abs() < 1e15 => format!("{:.0}", rounded(*number)),
        (Some(Scalar::Float(_)), NodeValue::Float(number)) if !exclusive => words::float(*number),
        _ => return finding,
    };
    // The finding may be at the key while the value is elsewhere.
    if finding.span != value.span() {
        return finding;
    }
    let span = finding.span;
    finding.fix(Fix::replace(format!("Change to {nearest}"), span, nearest))
}
