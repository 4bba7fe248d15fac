//! Converts a section into the same schema in OpenAPI.

use super::expression::{Core, Expression, LayerKind, Marker, Primitive, parse};
use super::literal::entry;
use super::marker::{MARKERS, MarkedType, MarkerKind, NOTE};
use super::{Fault, FaultKind, INLINE_TYPES, OBJECT_DEFAULT, PartSpans, Texts, literal, typed};
use lofting_diagnostic::suggest::nearest;
use lofting_document::{ArrayItem, Key, Map, MapItem, Node, NodeValue, Notes, Span};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use std::collections::BTreeMap;
use std::ops::Range;

/// A section and what is defined beside it.
#[derive(Debug, Clone, Copy)]
pub struct Section<'n> {
    /// The section: fields and their definitions.
    pub fields: &'n Node,
    /// Custom types beside it.
    pub types: Option<&'n Node>,
    /// The document's other sections with the same custom types.
    pub others: &'n [&'n Node],
}

/// How deeply definitions, including custom types, may be nested.
const DEPTH: usize = 150;

/// For how many mistakes a name is suggested.
const SEARCHES: usize = 100;

/// Converts a section. Anything wrong is left out of the schema, which then accepts any value there.
pub fn read(section: Section<'_>, texts: Texts<'_>) -> (Node, Vec<Fault>) {
    let mut reader = SectionReader::new(texts);
    let inline = match &section.fields.value {
        NodeValue::Map(items) => items.iter().find(|item| item.key.as_str() == Some(INLINE_TYPES)),
        _ => None,
    };
    let inline = inline.map(|item| &item.value).filter(|types| matches!(types.value, NodeValue::Map(_)));
    // If a name is defined twice, the definition beside the section takes precedence.
    for types in [inline, section.types].into_iter().flatten() {
        let NodeValue::Map(items) = &types.value else { continue };
        for item in items {
            reader.by_name.insert(name_of(item), reader.types.len());
            reader.types.push(CustomType { item, state: State::Unread, schema: None });
        }
    }
    let root = match &section.fields.value {
        NodeValue::Map(items) => reader.object(items, section.fields.span, inline.is_some()),
        NodeValue::Unknown => Built::unknown(section.fields.span),
        NodeValue::Null if section.fields.missing => Built::unknown(section.fields.span),
        _ => {
            reader.fault(section.fields.span, FaultKind::UnsupportedDefinition { of_type: None });
            Built::unknown(section.fields.span)
        }
    };
    reader.look_at_unused(section.others);
    (reader.finish(root), reader.faults)
}

/// A custom type.
struct CustomType<'n> {
    item: &'n MapItem,
    state: State,
    schema: Option<Node>,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Unread,
    /// It is being read, so meeting it again means that it contains itself.
    Open,
    Read {
        kind: MarkedType,
        has_default: bool,
    },
}

/// The result of a definition.
struct Built {
    schema: Node,
    kind: MarkedType,
    has_default: bool,
}

impl Built {
    /// A result about which nothing is known, so nothing can be missing either.
    fn unknown(span: Span) -> Built {
        Built { schema: Node::unknown(span), kind: MarkedType::Unknown, has_default: true }
    }
}

struct SectionReader<'n, 't> {
    texts: Texts<'t>,
    types: Vec<CustomType<'n>>,
    by_name: FxHashMap<SmolStr, usize>,
    /// Custom types that are being read, outermost first.
    open: Vec<usize>,
    /// Names of fields from the root.
    path: Vec<SmolStr>,
    depth: usize,
    faults: Vec<Fault>,
    searches: usize,
    /// The definitions being read now are not used by anything.
    unread: bool,
}

fn name_of(item: &MapItem) -> SmolStr {
    item.key.to_string().into()
}

/// The name of a custom type among `$defs`. References lead to names as they are written, and these hold no slash.
fn definition_name(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

fn map(items: Vec<MapItem>, span: Span) -> Node {
    Node::new(NodeValue::Map(items.into()), span)
}

fn string(text: &str, span: Span) -> Node {
    Node::new(NodeValue::String(text.into()), span)
}

impl<'n, 't> SectionReader<'n, 't> {
    fn new(texts: Texts<'t>) -> Self {
        SectionReader {
            texts,
            types: Vec::new(),
            by_name: FxHashMap::default(),
            open: Vec::new(),
            path: Vec::new(),
            depth: 0,
            faults: Vec::new(),
            searches: 0,
            unread: false,
        }
    }

    fn fault(&mut self, span: Span, kind: FaultKind) {
        let path = self.path.join(".");
        self.faults.push(Fault { span, path, kind, unread: self.unread });
    }

    /// Reads a map of fields, in the order of their names, as the platform does: mistakes in a custom type are reported
    /// at its first use.
    fn object(&mut self, items: &'n Map, span: Span, has_inline_types: bool) -> Built {
        let mut fields: BTreeMap<SmolStr, (usize, &'n MapItem)> = BTreeMap::new();
        let mut default = None;
        for (number, item) in items.iter().enumerate() {
            match item.key.as_str() {
                Some(OBJECT_DEFAULT) => default = Some(item),
                Some(INLINE_TYPES) if has_inline_types => {}
                _ => drop(fields.insert(name_of(item), (number, item))),
            }
        }
        let mut properties: Vec<(usize, MapItem)> = Vec::with_capacity(fields.len());
        let mut required = Vec::new();
        for (name, (number, item)) in fields {
            self.path.push(name.clone());
            let built = self.definition(item, None);
            self.path.pop();
            if !built.has_default {
                let value = string(&name, item.key_span);
                required.push(ArrayItem { span: item.key_span, value, notes: Notes::default(), conditional: false });
            }
            properties.push((number, in_place_of(item, Key::String(name), built.schema)));
        }
        properties.sort_by_key(|(number, _)| *number);
        let mut keywords = vec![entry(Key::from("type"), span, string("object", span))];
        if !required.is_empty() {
            keywords.push(entry(Key::from("required"), span, Node::new(NodeValue::Array(required), span)));
        }
        // If the default is wrong, which is reported there, the right one makes the field optional.
        let has_default = default.is_some();
        let default = default.and_then(|item| Some((item, self.object_default(&item.value)?)));
        if let Some((item, value)) = default {
            keywords.push(entry(Key::from("default"), item.key_span, value));
        }
        if !properties.is_empty() {
            let properties: Vec<MapItem> = properties.into_iter().map(|(_, item)| item).collect();
            keywords.push(entry(Key::from("properties"), span, map(properties, span)));
        }
        Built { schema: map(keywords, span), kind: MarkedType::Object, has_default }
    }

    /// Reads `$default`: a map, or a map in JSON.
    fn object_default(&mut self, value: &'n Node) -> Option<Node> {
        let found = match &value.value {
            NodeValue::Map(_) | NodeValue::Unknown => Some(value.clone()),
            NodeValue::String(text) => {
                literal::json(text, value.span).filter(|json| matches!(json.value, NodeValue::Map(_)))
            }
            _ => None,
        };
        if found.is_none() {
            self.fault(value.span, FaultKind::InvalidObjectDefault);
        }
        found
    }

    /// Reads the definition of a field, or of the custom type `of_type`.
    fn definition(&mut self, item: &'n MapItem, of_type: Option<&SmolStr>) -> Built {
        let value = &item.value;
        if self.depth > DEPTH {
            return Built::unknown(value.span);
        }
        self.depth += 1;
        let built = match &value.value {
            NodeValue::String(text) => self.expression(text, value),
            NodeValue::Map(items) => self.object(items, value.span, false),
            NodeValue::Unknown => Built::unknown(value.span),
            _ => {
                // A missing value has no place of its own.
                let span = if value.missing { item.key_span } else { value.span };
                self.fault(span, FaultKind::UnsupportedDefinition { of_type: of_type.cloned() });
                Built::unknown(value.span)
            }
        };
        self.depth -= 1;
        built
    }

    fn expression(&mut self, text: &str, value: &Node) -> Built {
        let place = self.texts.place(value);
        if text.trim().is_empty() {
            self.fault(value.span, FaultKind::EmptyExpression);
            return Built::unknown(value.span);
        }
        let expression = parse(text);
        let (mut keywords, inner_kind, inner_default) = self.core(text, &expression, &place);
        let (mut kind, mut has_default) = (inner_kind, inner_default);
        for layer in expression.layers.iter().rev() {
            let span = place.span(layer.range.clone());
            let inner = map(keywords, span);
            let (name, below) = match &layer.kind {
                LayerKind::List => ("array", "items"),
                LayerKind::Map { wrong_key } => {
                    if let Some(key) = wrong_key {
                        let written = text.get(key.clone()).unwrap_or_default();
                        self.fault(place.span(key.clone()), FaultKind::MapKeyNotString { key: written.into() });
                    }
                    ("object", "additionalProperties")
                }
            };
            (kind, has_default) = (if name == "array" { MarkedType::Array } else { MarkedType::Object }, false);
            keywords = vec![entry(Key::from("type"), span, string(name, span)), entry(Key::from(below), span, inner)];
        }
        has_default |= self.markers(text, &expression, kind, &place, &mut keywords);
        // If the type is wrong, the right one may have a default.
        has_default |= inner_kind == MarkedType::Unknown;
        Built { schema: map(keywords, value.span), kind, has_default }
    }

    /// The innermost type: its keywords, its kind, and whether it has a default.
    fn core(&mut self, text: &str, expression: &Expression, place: &PartSpans) -> (Vec<MapItem>, MarkedType, bool) {
        let range = expression.core_range.clone();
        let (name, span) = (text.get(range.clone()).unwrap_or_default(), place.span(range.clone()));
        let primitive = |primitive: Primitive| match primitive {
            Primitive::String => MarkedType::String,
            Primitive::Integer => MarkedType::Integer,
            Primitive::Number => MarkedType::Number,
            Primitive::Boolean => MarkedType::Boolean,
        };
        let fault = match expression.core {
            Core::Primitive(found) => {
                let keyword = entry(Key::from("type"), span, string(found.name(), span));
                return (vec![keyword], primitive(found), false);
            }
            Core::TooDeep => return (Vec::new(), MarkedType::Unknown, true),
            Core::Object => FaultKind::ObjectNotAllowed,
            Core::BrokenMap => FaultKind::InvalidMapType,
            // The type of the values is written among what is wrong with the type of the keys.
            Core::Named if name.is_empty() && has_wrong_key(expression) => {
                return (Vec::new(), MarkedType::Unknown, true);
            }
            Core::Named => match self.custom(name) {
                Ok((kind, has_default)) => {
                    let reference = format!("#/$defs/{}", definition_name(name));
                    return (vec![entry(Key::from("$ref"), span, string(&reference, span))], kind, has_default);
                }
                Err(fault) => fault,
            },
        };
        // An empty name has no range to point at.
        let span = if range.is_empty() { place.span(0..text.len()) } else { span };
        self.fault(span, fault);
        (Vec::new(), MarkedType::Unknown, true)
    }

    /// Reads a custom type at its first use.
    fn custom(&mut self, name: &str) -> Result<(MarkedType, bool), FaultKind> {
        let Some(index) = self.by_name.get(name).copied() else {
            return Err(FaultKind::UnknownType { name: name.into(), meant: self.meant(name) });
        };
        let Some(custom) = self.types.get_mut(index) else { return Ok((MarkedType::Unknown, true)) };
        let item = custom.item;
        match custom.state {
            State::Read { kind, has_default } => return Ok((kind, has_default)),
            State::Unread => custom.state = State::Open,
            State::Open => {
                let first = self.open.iter().position(|open| *open == index).unwrap_or_default();
                let names = self.open.iter().skip(first).chain([&index]);
                let circle = names.filter_map(|index| self.types.get(*index)).map(|custom| name_of(custom.item));
                return Err(FaultKind::CyclicType { circle: circle.collect() });
            }
        }
        self.open.push(index);
        let built = self.definition(item, Some(&name_of(item)));
        self.open.pop();
        if let Some(custom) = self.types.get_mut(index) {
            custom.state = State::Read { kind: built.kind, has_default: built.has_default };
            custom.schema = Some(built.schema);
        }
        Ok((built.kind, built.has_default))
    }

    /// The type that an unknown name most likely means.
    fn meant(&mut self, name: &str) -> Option<SmolStr> {
        self.searches += 1;
        if self.searches > SEARCHES {
            return None;
        }
        let in_other_languages = match name.to_ascii_lowercase().as_str() {
            "int" | "int32" | "int64" | "uint" | "long" => Some("integer"),
            "str" | "text" | "char" => Some("string"),
            "bool" => Some("boolean"),
            "float" | "double" | "decimal" => Some("number"),
            _ => None,
        };
        if let Some(found) = in_other_languages {
            return Some(found.into());
        }
        if let Some(item) = name.strip_suffix("[]") {
            return Some(format!("[]{item}").into());
        }
        let custom = self.types.iter().map(|custom| name_of(custom.item));
        let names: Vec<SmolStr> = custom.chain(Primitive::ALL.map(|primitive| primitive.name().into())).collect();
        nearest(name, names.iter().map(SmolStr::as_str)).map(SmolStr::from)
    }

    /// Adds the markers; returns whether one of them is a default.
    fn markers(
        &mut self,
        text: &str,
        expression: &Expression,
        kind: MarkedType,
        place: &PartSpans,
        keywords: &mut Vec<MapItem>,
    ) -> bool {
        let mut given: Vec<(&'static str, Node)> = Vec::new();
        let mut has_default = false;
        let mut rest = expression.markers.as_slice();
        while let [marker, after @ ..] = rest {
            let several = without_value(text, rest);
            if let Some(last) = several.checked_sub(2).and_then(|last| after.get(last)) {
                rest = rest.get(several..).unwrap_or_default();
                let word = MarkerKind::named(text.get(marker.key.clone()).unwrap_or_default());
                let range = marker.range.start..last.range.end;
                let shown = if word.is_some() { marker.key.clone() } else { range.clone() };
                let shown = text.get(shown).unwrap_or_default().into();
                self.fault(place.span(range), FaultKind::MarkerWithoutValue { word: shown, marker: word });
                continue;
            }
            rest = after;
            let Some((found, value)) = self.marker(text, marker, kind, place) else { continue };
            has_default |= found.name == "default";
            let Some(value) = value else { continue };
            given.retain(|(name, _)| *name != found.name);
            given.push((found.name, value.clone()));
            keywords.retain(|item| item.key.as_str() != Some(found.name));
            keywords.push(entry(Key::from(found.name), place.span(marker.key.clone()), value));
        }
        for (span, why) in typed::impossible(&given) {
            self.fault(span, FaultKind::ImpossibleRange { why });
        }
        has_default
    }

    /// Reads a word after the bar: a marker and its value.
    fn marker(
        &mut self,
        text: &str,
        marker: &Marker,
        kind: MarkedType,
        place: &PartSpans,
    ) -> Option<(&'static MarkerKind, Option<Node>)> {
        let written = |range: &Range<usize>| text.get(range.clone()).unwrap_or_default();
        let key = written(&marker.key);
        if let Some(at) = marker.unclosed {
            let sign = text.get(at..).and_then(|rest| rest.chars().next()).unwrap_or('"');
            self.fault(place.span(at..at + sign.len_utf8()), FaultKind::Unclosed { sign });
        }
        let known = MarkerKind::named(key);
        let Some(value) = &marker.value else {
            if !key.starts_with(NOTE) {
                let kind = FaultKind::MarkerWithoutValue { word: key.into(), marker: known };
                self.fault(place.span(marker.range.clone()), kind);
            }
            return None;
        };
        let key_span = place.span(if marker.key.is_empty() { marker.range.clone() } else { marker.key.clone() });
        let Some(found) = known else {
            if key == "required" {
                self.fault(place.span(marker.range.clone()), FaultKind::RequiredNotAllowed);
            } else if !key.starts_with(NOTE) {
                let meant = nearest(key, MARKERS.iter().map(|marker| marker.name));
                self.fault(key_span, FaultKind::UnknownMarker { name: key.into(), meant });
            }
            return None;
        };
        if !found.says_of(kind, written(value)) {
            self.fault(key_span, FaultKind::InertMarker { marker: found, kind });
        }
        if found.name != "pattern" && holds_bar(written(value)) {
            self.fault(place.span(value.clone()), FaultKind::BarInValue);
        }
        let mut faults = Vec::new();
        let at = |range: Range<usize>| {
            if value.is_empty() {
                place.span(marker.range.clone())
            } else {
                place.span(value.start + range.start..value.start + range.end)
            }
        };
        let read = typed::value(found, kind, written(value), &at, &mut faults);
        for (span, kind) in faults {
            self.fault(span, kind);
        }
        Some((found, read))
    }

    /// Reads custom types that are not used. Mistakes in them are not errors, because the platform does not read them.
    fn look_at_unused(&mut self, others: &'n [&'n Node]) {
        let mut open: Vec<&Node> = others.to_vec();
        let mut used = vec![false; self.types.len()];
        while let Some(node) = open.pop() {
            match &node.value {
                NodeValue::Map(items) => open.extend(items.iter().map(|item| &item.value)),
                NodeValue::String(text) => {
                    let expression = parse(text);
                    let name = text.get(expression.core_range).unwrap_or_default();
                    let Some(index) = self.by_name.get(name).copied() else { continue };
                    if let (Some(used), Some(custom)) = (used.get_mut(index), self.types.get(index))
                        && !std::mem::replace(used, true)
                    {
                        open.push(&custom.item.value);
                    }
                }
                _ => {}
            }
        }
        self.unread = true;
        for (index, used) in used.into_iter().enumerate() {
            let Some(custom) = self.types.get(index).filter(|custom| !used && custom.state == State::Unread) else {
                continue;
            };
            let (name, span) = (name_of(custom.item), custom.item.key_span);
            // If two have the same name, the other one counts.
            if self.by_name.get(&name) != Some(&index) {
                continue;
            }
            self.path = vec![name.clone()];
            self.fault(span, FaultKind::UnusedType { name: name.clone() });
            let _ = self.custom(&name);
            if let Some(custom) = self.types.get_mut(index) {
                custom.schema = None;
            }
        }
    }

    /// The whole schema, with the custom types that it uses.
    fn finish(&mut self, mut root: Built) -> Node {
        let definitions = self.types.iter_mut().filter_map(|custom| {
            let schema = custom.schema.take()?;
            let name = definition_name(&name_of(custom.item));
            Some(in_place_of(custom.item, Key::String(name.into()), schema))
        });
        let definitions: Vec<MapItem> = definitions.collect();
        if let (NodeValue::Map(items), false) = (&mut root.schema.value, definitions.is_empty()) {
            let span = root.schema.span;
            items.push(entry(Key::from("$defs"), span, map(definitions, span)));
        }
        root.schema
    }
}

/// Whether the innermost map has keys of another type than strings.
fn has_wrong_key(expression: &Expression) -> bool {
    matches!(expression.layers.last().map(|layer| &layer.kind), Some(LayerKind::Map { wrong_key: Some(_) }))
}

/// How many words, from the first on, lack a value because of the same mistake: blanks around `=`, or in a value.
fn without_value(text: &str, words: &[Marker]) -> usize {
    let key = |word: &Marker| text.get(word.key.clone()).unwrap_or_default();
    // A word that has no meaning of its own.
    let is_bare = |word: &Marker| {
        let key = key(word);
        let is_known = key == "required" || key.starts_with(NOTE) || MarkerKind::named(key).is_some();
        word.value.is_none() && word.unclosed.is_none() && !is_known
    };
    let bare = |words: &[Marker]| words.iter().take_while(|word| is_bare(word)).count();
    match words {
        [first, sign, after @ ..] if first.value.is_none() && MarkerKind::named(key(first)).is_some() => {
            match &sign.value {
                Some(value) if sign.key.is_empty() && value.is_empty() => 2 + bare(after),
                Some(_) if sign.key.is_empty() => 2,
                _ => 1,
            }
        }
        _ => bare(words),
    }
}

/// Whether a value contains a bar that was probably meant to separate.
fn holds_bar(value: &str) -> bool {
    let Some(at) = value.find('|').filter(|_| !value.starts_with(['"', '\'', '{', '['])) else { return false };
    let after = value.get(at + 1..).unwrap_or_default();
    let next = after.split('=').next().unwrap_or_default();
    after.is_empty() || after.contains('=') && MarkerKind::named(next).is_some()
}

/// An item at the place of another one.
fn in_place_of(item: &MapItem, key: Key, value: Node) -> MapItem {
    let MapItem { key_span, span, merged, conditional, .. } = *item;
    MapItem { key, key_span, span, value, notes: Notes::default(), merged, conditional }
}

#[cfg(test)]
mod tests;
