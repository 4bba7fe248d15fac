//! Completion and hover inside a definition: types, markers and values of markers. The definition may be cut off
//! anywhere.

use super::TYPES;
use super::expression::{Core, Expression, LayerKind, Marker, Primitive, parse};
use super::literal::pieces;
use super::marker::{MARKERS, MarkedType, MarkerKind, Takes};
use crate::inside::{Inside, Proposal, ProposalKind, Word};
use lofting_document::{Node, NodeValue};
use std::fmt::Write as _;
use std::ops::Range;

/// Custom types by name; those with priority come first.
pub struct CustomTypes<'n>(pub Vec<(String, &'n Node)>);

/// How many steps from a type's name to another are followed.
const STEPS: usize = 50;

/// How many lines of a definition are shown.
const LINES: usize = 12;

/// The formats that are checked, in their usual spelling.
const FORMATS: &[&str] = &[
    "date-time",
    "date",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "cidr",
    "mac",
    "uri",
    "uuid",
    "byte",
    "password",
];

impl<'n> CustomTypes<'n> {
    fn named(&self, name: &str) -> Option<&'n Node> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, node)| *node)
    }

    /// The kind of values that a definition describes, and the values that it lists.
    fn kind(&self, expression: &Expression, text: &str) -> (MarkedType, Option<String>) {
        let mut listed = list(expression, text);
        let (mut text, mut expression) = (text.to_owned(), expression.clone());
        for _ in 0..STEPS {
            match expression.layers.first().map(|layer| &layer.kind) {
                Some(LayerKind::List) => return (MarkedType::Array, listed),
                Some(LayerKind::Map { .. }) => return (MarkedType::Object, listed),
                None => {}
            }
            let kind = match expression.core {
                Core::Primitive(Primitive::String) => MarkedType::String,
                Core::Primitive(Primitive::Integer) => MarkedType::Integer,
                Core::Primitive(Primitive::Number) => MarkedType::Number,
                Core::Primitive(Primitive::Boolean) => MarkedType::Boolean,
                Core::Named => {
                    let name = text.get(expression.core_range.clone()).unwrap_or_default();
                    match self.named(name).map(|node| &node.value) {
                        Some(NodeValue::String(further)) => {
                            text = further.to_string();
                            expression = parse(&text);
                            listed = listed.or_else(|| list(&expression, &text));
                            continue;
                        }
                        Some(NodeValue::Map(_)) => MarkedType::Object,
                        _ => MarkedType::Unknown,
                    }
                }
                Core::Object | Core::BrokenMap | Core::TooDeep => MarkedType::Unknown,
            };
            return (kind, listed);
        }
        (MarkedType::Unknown, listed)
    }
}

/// The value of the last `enum`.
fn list(expression: &Expression, text: &str) -> Option<String> {
    let named = |marker: &&Marker| text.get(marker.key.clone()) == Some("enum");
    let range = expression.markers.iter().rev().find(named)?.value.clone()?;
    text.get(range).map(str::to_owned)
}

/// What is known about a place in a definition.
pub fn inside(text: &str, offset: usize, types: &CustomTypes<'_>) -> Inside {
    let expression = parse(text);
    if expression.bar.is_none_or(|bar| offset <= bar) {
        return of_type(text, offset, &expression, types);
    }
    let (kind, listed) = types.kind(&expression, text);
    let touches = |marker: &&Marker| marker.range.start <= offset && offset <= marker.range.end;
    match expression.markers.iter().find(touches) {
        Some(marker) => of_marker(text, offset, marker, &expression, kind, listed),
        None => {
            let lead = if text.get(..offset).is_some_and(|before| before.ends_with('|')) { " " } else { "" };
            Inside { word: None, proposals: names(text, offset..offset, lead, "=", &expression, kind) }
        }
    }
}

fn of_type(text: &str, offset: usize, expression: &Expression, types: &CustomTypes<'_>) -> Inside {
    let end = expression.type_range.end;
    if offset > end && !expression.type_range.is_empty() {
        // After the type and a blank, markers follow.
        let (kind, _) = types.kind(expression, text);
        let proposals = match expression.bar {
            Some(_) => Vec::new(),
            None => names(text, offset..offset, "| ", "=", expression, kind),
        };
        return Inside { word: None, proposals };
    }
    let replace = type_word(text, offset, expression.bar.unwrap_or(text.len()));
    // Brackets that are opened before the place and not closed after it.
    let (before, after) = (text.get(..replace.start), text.get(replace.end..end.max(replace.end)));
    let count = |text: Option<&str>, sign| text.map_or(0, |text| text.matches(sign).count());
    let open = count(before, '<').saturating_sub(count(before, '>')).saturating_sub(count(after, '>'));
    let proposals = type_names(types).into_iter().map(|(name, detail, goes_on)| {
        let closing = if goes_on { String::new() } else { ">".repeat(open) };
        Proposal {
            text: format!("{name}{closing}"),
            label: name,
            kind: ProposalKind::Type,
            detail: Some(detail),
            replace: replace.clone(),
            goes_on,
        }
    });
    Inside { word: type_at(text, offset, expression, types), proposals: proposals.collect() }
}

/// The bytes of the innermost type around a place, even if brackets around it are not closed.
fn type_word(text: &str, offset: usize, end: usize) -> Range<usize> {
    let before = text.get(..offset).unwrap_or_default();
    let mut start = before.len() - before.trim_start().len();
    loop {
        let rest = before.get(start..).unwrap_or_default();
        let opening = ["[]", "array<", "map<"].into_iter().find(|opening| rest.starts_with(opening)).map(str::len);
        let opening = opening.or_else(|| rest.strip_prefix("map[").and_then(|rest| rest.find(']')).map(|at| at + 5));
        let Some(length) = opening else { break };
        let inner = rest.get(length..).unwrap_or_default();
        start += length + (inner.len() - inner.trim_start().len());
    }
    let after = text.get(offset..end.max(offset)).unwrap_or_default();
    let length = after.find(|c: char| c == '>' || c == '|' || c.is_whitespace()).unwrap_or(after.len());
    start.min(offset)..offset + length
}

/// Types with their descriptions, and whether something has to follow them.
fn type_names(types: &CustomTypes<'_>) -> Vec<(String, String, bool)> {
    let primitive = |primitive: Primitive| (primitive.name().to_owned(), meaning(primitive).to_owned(), false);
    let mut names: Vec<(String, String, bool)> = Primitive::ALL.map(primitive).into();
    names.extend(types.0.iter().map(|(name, node)| (name.clone(), short(node), false)));
    names.push(("[]".to_owned(), "A list of the type that follows.".to_owned(), true));
    names.push(("map<".to_owned(), "A map with values of the type that follows.".to_owned(), true));
    names
}

fn meaning(primitive: Primitive) -> &'static str {
    match primitive {
        Primitive::String => "Text.",
        Primitive::Integer => "An integer.",
        Primitive::Number => "A number, with or without a fraction.",
        Primitive::Boolean => "True or false.",
    }
}

/// A short description of a definition.
fn short(node: &Node) -> String {
    match &node.value {
        NodeValue::String(text) => text.to_string(),
        NodeValue::Map(items) => {
            let keys: Vec<String> = items.iter().take(4).map(|item| item.key.to_string()).collect();
            let more = if items.len() > keys.len() { ", …" } else { "" };
            format!("a map of {}{more}", keys.join(", "))
        }
        _ => "a custom type".to_owned(),
    }
}

/// The type at a place: the innermost one, or the list or map around it.
fn type_at(text: &str, offset: usize, expression: &Expression, types: &CustomTypes<'_>) -> Option<Word> {
    let holds = |range: &Range<usize>| !range.is_empty() && range.start <= offset && offset <= range.end;
    let word = |range: &Range<usize>, kind, meaning: &str| Word {
        range: range.clone(),
        name: text.get(range.clone()).unwrap_or_default().to_owned(),
        kind,
        meaning: vec![meaning.to_owned()],
        definition: None,
        node: None,
    };
    if holds(&expression.core_range) {
        return match expression.core {
            Core::Primitive(primitive) => Some(word(&expression.core_range, "type", meaning(primitive))),
            Core::Named => {
                let mut found = word(&expression.core_range, "custom type", "");
                let node = types.named(&found.name)?;
                found.meaning = vec![format!("Defined below `{TYPES}` in the same document.")];
                found.definition = Some(definition(&found.name, node));
                Some(found)
            }
            Core::Object | Core::BrokenMap | Core::TooDeep => None,
        };
    }
    let layer = expression.layers.iter().rev().find(|layer| holds(&layer.range))?;
    Some(match layer.kind {
        LayerKind::List => {
            word(&layer.range, "type", "A list. Markers say something about the list, not about its items.")
        }
        LayerKind::Map { .. } => word(
            &layer.range,
            "type",
            "A map with any keys. Markers say something about the map, not about its values.",
        ),
    })
}

/// A custom type as it is written, shortened if it is long.
fn definition(name: &str, node: &Node) -> String {
    let mut out = String::new();
    let mut open = vec![(0, name.to_owned(), node)];
    let mut lines = 0;
    while let Some((depth, name, node)) = open.pop() {
        lines += 1;
        let indentation = "  ".repeat(depth);
        if lines > LINES {
            out.push_str(&indentation);
            out.push_str("…\n");
            break;
        }
        match &node.value {
            NodeValue::String(text) => {
                let _ = writeln!(out, "{indentation}{name}: {}", text.trim_end());
            }
            NodeValue::Map(items) => {
                let _ = writeln!(out, "{indentation}{name}:");
                open.extend(items.iter().rev().map(|item| (depth + 1, item.key.to_string(), &item.value)));
            }
            _ => {
                let _ = writeln!(out, "{indentation}{name}:");
            }
        }
    }
    out
}

/// The names of markers that apply to a kind and are not used yet.
fn names(
    text: &str,
    replace: Range<usize>,
    lead: &str,
    tail: &str,
    expression: &Expression,
    kind: MarkedType,
) -> Vec<Proposal> {
    let given = |found: &MarkerKind| {
        let mut others = expression.markers.iter().filter(|marker| marker.key != replace && marker.range != replace);
        others.any(|marker| text.get(marker.key.clone()) == Some(found.name))
    };
    let fits = MARKERS.iter().filter(|found| found.may_say_of(kind) && !given(found));
    let proposal = |found: &MarkerKind| Proposal {
        label: format!("{}=", found.name),
        kind: ProposalKind::Keyword,
        detail: Some(found.meaning.to_owned()),
        replace: replace.clone(),
        text: format!("{lead}{}{tail}", found.name),
        goes_on: !tail.is_empty(),
    };
    fits.map(proposal).collect()
}

fn of_marker(
    text: &str,
    offset: usize,
    marker: &Marker,
    expression: &Expression,
    kind: MarkedType,
    listed: Option<String>,
) -> Inside {
    let name = text.get(marker.key.clone()).unwrap_or_default();
    let known = MarkerKind::named(name);
    let word = known.map(|found| {
        let mut meaning = vec![found.meaning.to_owned()];
        let value = marker.value.clone().and_then(|value| text.get(value)).unwrap_or_default();
        if !found.says_of(kind, value) {
            meaning.push(format!("It says nothing about a value of the type {}.", kind.word()));
        }
        Word {
            range: marker.range.clone(),
            name: found.name.to_owned(),
            kind: "marker",
            meaning,
            definition: None,
            node: None,
        }
    });
    let proposals = match &marker.value {
        // Before the value, or where no value has been begun.
        Some(value) if offset >= value.start => {
            known.map(|found| values(text, offset, value, found, kind, listed)).unwrap_or_default()
        }
        Some(_) => names(text, marker.key.clone(), "", "", expression, kind),
        None => names(text, marker.range.clone(), "", "=", expression, kind),
    };
    Inside { word, proposals }
}

/// The possible values of a marker, as far as they can be listed.
fn values(
    text: &str,
    offset: usize,
    value: &Range<usize>,
    marker: &MarkerKind,
    kind: MarkedType,
    listed: Option<String>,
) -> Vec<Proposal> {
    let written = text.get(value.clone()).unwrap_or_default();
    // In a list, only the value at the place.
    let replace = match marker.takes {
        Takes::Literals => {
            let begin = written.get(..offset - value.start).and_then(|before| before.rfind(',')).map_or(0, |at| at + 1);
            let rest = written.get(begin..).unwrap_or_default();
            value.start + begin..value.start + begin + rest.find(',').unwrap_or(rest.len())
        }
        _ => value.clone(),
    };
    let booleans = || vec!["true".to_owned(), "false".to_owned()];
    let found: Vec<String> = match (marker.takes, kind) {
        (Takes::Flag, _) | (Takes::Literal | Takes::Literals, MarkedType::Boolean) => booleans(),
        (Takes::Literal, _) if listed.is_some() => {
            let listed = listed.unwrap_or_default();
            pieces(&listed).into_iter().filter_map(|range| listed.get(range)).map(str::to_owned).collect()
        }
        (Takes::Literal, MarkedType::Array) => vec!["[]".to_owned()],
        (Takes::Literal, MarkedType::Object) => vec!["{}".to_owned()],
        _ if marker.name == "format" => FORMATS.iter().map(|format| (*format).to_owned()).collect(),
        _ => Vec::new(),
    };
    let proposal = |value: String| Proposal {
        label: value.clone(),
        kind: ProposalKind::Value,
        detail: None,
        replace: replace.clone(),
        text: value,
        goes_on: false,
    };
    found.into_iter().map(proposal).collect()
}

#[cfg(test)]
mod tests;
