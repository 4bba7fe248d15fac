//! Reads the values of markers as data, and reports what is doubtful about them.

use super::fault::FaultKind;
use super::literal;
use super::marker::{MarkedType, MarkerKind, Takes};
use lofting_document::{ArrayItem, Node, NodeValue, Notes, Span};
use lofting_schema::re2;
use smol_str::SmolStr;
use std::ops::Range;

/// Reads the value of a marker; `at` gives the place of a range of `text`. None if it cannot be read, which is added to
/// the faults.
pub(super) fn value(
    marker: &'static MarkerKind,
    kind: MarkedType,
    text: &str,
    at: &dyn Fn(Range<usize>) -> Span,
    faults: &mut Vec<(Span, FaultKind)>,
) -> Option<Node> {
    let span = at(0..text.len());
    let constraint = || (span, FaultKind::InvalidConstraint { marker, value: text.into() });
    let value = match marker.takes {
        Takes::Literal => {
            // Null fits no type, although it is JSON.
            let node = literal_of(kind, text, span, faults).filter(|node| node.value != NodeValue::Null);
            if node.is_none() && faults.is_empty() {
                faults.push((span, FaultKind::InvalidDefault { value: text.into(), kind }));
            }
            return node;
        }
        Takes::Literals => return Some(Node::new(NodeValue::Array(literals(kind, text, at, faults)), span)),
        Takes::Number => match literal::number(text) {
            Some(number) if literal::is_in_json(number) => literal::float(number),
            Some(_) => {
                faults.push((span, FaultKind::NotRepresentable { value: text.into() }));
                return None;
            }
            None => {
                faults.push(constraint());
                return None;
            }
        },
        Takes::Flag => match literal::boolean(text) {
            Some(flag) => NodeValue::Bool(flag),
            None => {
                faults.push(constraint());
                return None;
            }
        },
        Takes::Length => match literal::integer(text) {
            Some(length) => NodeValue::int(length),
            None => {
                faults.push(constraint());
                return None;
            }
        },
        Takes::Text => {
            let unquoted = literal::unquoted(text);
            if literal::keeps_quotes(text) {
                faults.push((span, FaultKind::QuotesKept));
            }
            if marker.name == "pattern"
                && let Err(why) = re2::check(&unquoted)
            {
                faults.push((span, FaultKind::InvalidPattern(why)));
            }
            NodeValue::String(unquoted.as_ref().into())
        }
        Takes::Example => {
            let example = literal::example(text, span);
            match &example {
                None => faults.push((span, FaultKind::InvalidExample)),
                Some(Node { value: NodeValue::Bool(becomes), .. }) if !matches!(text, "true" | "false") => {
                    let kind = FaultKind::ExampleIsBoolean { value: text.into(), becomes: *becomes };
                    faults.push((span, kind));
                }
                Some(_) => {}
            }
            return example;
        }
    };
    Some(Node::new(value, span))
}

/// A value of a kind; None if the text is not a literal of it.
fn literal_of(kind: MarkedType, text: &str, span: Span, faults: &mut Vec<(Span, FaultKind)>) -> Option<Node> {
    let value = match kind {
        MarkedType::String => {
            if literal::keeps_quotes(text) {
                faults.push((span, FaultKind::QuotesKept));
            }
            NodeValue::String(literal::unquoted(text).as_ref().into())
        }
        MarkedType::Integer => NodeValue::int(literal::integer(text)?),
        MarkedType::Number => {
            let number = literal::number(text)?;
            if !literal::is_in_json(number) {
                faults.push((span, FaultKind::NotRepresentable { value: text.into() }));
                return None;
            }
            literal::float(number)
        }
        MarkedType::Boolean => NodeValue::Bool(literal::boolean(text)?),
        MarkedType::Array | MarkedType::Object => return literal::json(text, span),
        MarkedType::Unknown => NodeValue::Unknown,
    };
    Some(Node::new(value, span))
}

fn literals(
    kind: MarkedType,
    text: &str,
    at: &dyn Fn(Range<usize>) -> Span,
    faults: &mut Vec<(Span, FaultKind)>,
) -> Vec<ArrayItem> {
    let mut items = Vec::new();
    let pieces = literal::pieces(text);
    for range in &pieces {
        let (span, piece) = (at(range.clone()), text.get(range.clone()).unwrap_or_default());
        let before = faults.len();
        match literal_of(kind, piece, span, faults) {
            Some(value) => items.push(ArrayItem { span, value, notes: Notes::default(), conditional: false }),
            None if faults.len() == before => {
                faults.push((span, FaultKind::InvalidEnum { value: SmolStr::from(piece), kind }));
            }
            None => {}
        }
    }
    let splits_quotes = pieces.iter().any(|range| {
        let piece = text.get(range.clone()).unwrap_or_default();
        piece.len() > 1 && piece.starts_with('\'') && !piece.ends_with('\'')
    });
    if splits_quotes && text.contains(",") {
        faults.push((at(0..text.len()), FaultKind::CommaInQuotes));
    }
    items
}

/// Why no value satisfies the bounds of a definition, each with the place of the bound to change.
pub(in crate::openchoreo) fn impossible(bounds: &[(&'static str, Node)]) -> Vec<(Span, String)> {
    let get = |name: &str| bounds.iter().find(|(bound, _)| *bound == name).map(|(_, node)| node);
    let number = |name: &str| match get(name).map(|node| (&node.value, node.span)) {
        Some((NodeValue::Int(number), span)) => Some((number.get() as f64, span)),
        Some((NodeValue::Float(number), span)) => Some((*number, span)),
        _ => None,
    };
    let flag = |name: &str| matches!(get(name).map(|node| &node.value), Some(NodeValue::Bool(true)));
    let mut found = Vec::new();
    let pairs = [
        ("minimum", "maximum"),
        ("minLength", "maxLength"),
        ("minItems", "maxItems"),
        ("minProperties", "maxProperties"),
    ];
    for (least, most) in pairs {
        let (Some((low, _)), Some((high, span))) = (number(least), number(most)) else { continue };
        let open = least == "minimum" && (flag("exclusiveMinimum") || flag("exclusiveMaximum"));
        if low > high || open && low == high {
            found.push((span, format!("`{most}` leaves no value that `{least}` permits")));
        }
    }
    for name in ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"] {
        if let Some((_, span)) = number(name).filter(|(length, _)| *length < 0.0) {
            found.push((span, format!("`{name}` is below 0, and no length is")));
        }
    }
    if let Some((_, span)) = number("multipleOf").filter(|(factor, _)| *factor <= 0.0) {
        found.push((span, "`multipleOf` has to be above 0".to_owned()));
    }
    found
}
