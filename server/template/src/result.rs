//! Converts the result of an evaluation into documents with places.

use crate::compile::{Compiled, NodePlace};
use lofting_document::{ArrayItem, Attached, Document, FileId, Key, MapItem, Node, NodeValue, Note, Notes, Span};
use lofting_eval::{
    AnnotationData, Argument, Arguments, Callable, Data, EvaluationId, Expr, ExprKind, Fragment, FragmentItem,
    FragmentKind, Keyword, Origin,
};
use std::ops::Range;

/// Values nested deeper than this are unknown, as everywhere in document trees.
const DEPTH_LIMIT: usize = lofting_eval::MAX_NESTING + 100;

/// Finds places by the origins that a result contains. Nodes made by functions from `load`ed files come from other
/// files.
pub trait Places {
    /// The compiled program of a file, by its path inside ytt.
    fn compiled(&self, path: &str) -> Option<&Compiled>;

    /// The place and annotations of an item that a library made, by its number.
    fn library_item(&self, _item: u32) -> Option<(NodePlace, Notes)> {
        None
    }

    /// The place and annotations of an item that was passed to the call, by its number.
    fn passed(&self, _item: u32) -> Option<(NodePlace, Notes)> {
        None
    }
}

impl Places for Compiled {
    fn compiled(&self, path: &str) -> Option<&Compiled> {
        (self.program.path == path).then_some(self)
    }
}

/// The documents that an evaluation produced. `main` is the evaluated file.
pub fn documents(result: Fragment, evaluation: EvaluationId, main: &Compiled, places: &dyn Places) -> Vec<Document> {
    let reader = ResultReader { evaluation, places };
    let fallback = Span::new(main.file, 0..0);
    result
        .items
        .into_iter()
        // What a document was made of is freed before the next one is made.
        .map(|item| {
            let (place, mut notes) = reader.item(&item, fallback);
            if item.origin.is_none() && is_made(&item.value) {
                let attached = Attached { computed: Some(place.value), ..Attached::default() };
                notes = attached.into();
            }
            let marker = place.marker;
            let value = reader.value(&item, place.value, 0);
            Document { span: place.span, marker, notes, value, conditional: false }
        })
        .collect()
}

/// A single value as a node, such as the result of a call. Parts without a place of their own get `span`.
pub fn value_node(value: &Data, evaluation: EvaluationId, span: Span, places: &dyn Places) -> Node {
    ResultReader { evaluation, places }.node(value, span, 0)
}

/// Whether a value is a collection that code made, not YAML nodes.
fn is_made(value: &Data) -> bool {
    matches!(value, Data::List(_) | Data::Tuple(_) | Data::Set(_) | Data::Dict(_) | Data::Struct(_))
}

struct ResultReader<'p> {
    evaluation: EvaluationId,
    places: &'p dyn Places,
}

impl ResultReader<'_> {
    /// The place and annotations of a produced item; for items that code created, those of `above`.
    fn item(&self, item: &FragmentItem, above: Span) -> (NodePlace, Notes) {
        let nowhere = NodePlace { span: above, name: above, value: above, marker: None };
        let Some(origin) = &item.origin else { return (nowhere, Notes::default()) };
        if origin.path.is_empty() {
            return self.places.passed(origin.node).unwrap_or((nowhere, Notes::default()));
        }
        if *origin.path == *Origin::LIBRARY {
            return self.places.library_item(origin.node).unwrap_or((nowhere, Notes::default()));
        }
        let Some(compiled) = self.places.compiled(&origin.path) else { return (nowhere, Notes::default()) };
        let place = compiled.places.get(origin.node as usize).copied().unwrap_or(nowhere);
        let mut annotations: Vec<Note> = item.annotations.iter().filter_map(|data| self.note(data, compiled)).collect();
        annotations.extend(compiled.unevaluated(origin.node));
        annotations.sort_by_key(|note| note.span.start);
        // A schema refuses collections that are not YAML nodes (docs/ytt.md 7.3).
        let made = is_made(&item.value);
        (place, Attached { annotations, computed: made.then_some(place.value), ..Attached::default() }.into())
    }

    /// The value of an item; unknown if it was left out of the program.
    fn value(&self, item: &FragmentItem, span: Span, depth: usize) -> Node {
        let left_out = item.origin.as_ref().is_some_and(|origin| {
            self.places.compiled(&origin.path).is_some_and(|compiled| compiled.is_unknown(origin.node))
        });
        if left_out { Node::unknown(span) } else { self.node(&item.value, span, depth) }
    }

    fn node(&self, value: &Data, span: Span, depth: usize) -> Node {
        if depth > DEPTH_LIMIT {
            return Node::unknown(span);
        }
        let array = |values: &[Data]| {
            let item = |value: &Data| ArrayItem {
                span,
                value: self.node(value, span, depth + 1),
                notes: Notes::default(),
                conditional: false,
            };
            NodeValue::Array(values.iter().map(item).collect())
        };
        let value = match value {
            Data::None => NodeValue::Null,
            Data::Bool(value) => NodeValue::Bool(*value),
            Data::Int(value) => NodeValue::int(*value),
            Data::Float(value) => NodeValue::Float(*value),
            Data::String(text) => NodeValue::String(text.clone()),
            Data::List(values) | Data::Tuple(values) | Data::Set(values) => array(values),
            Data::Dict(entries) => {
                let items = entries.iter().map(|(key, value)| Some((key_of(key)?, value)));
                match items.collect::<Option<Vec<_>>>() {
                    Some(items) => self.plain_map(items, span, depth),
                    None => NodeValue::Unknown,
                }
            }
            Data::Struct(fields) => {
                let items = fields.iter().map(|(name, value)| (Key::from(name.as_str()), value)).collect();
                self.plain_map(items, span, depth)
            }
            Data::Fragment(fragment) => return self.fragment(fragment, span, depth),
            Data::Function(_) | Data::Object(_) | Data::Shared(_) | Data::Portion(_) => NodeValue::Unknown,
        };
        Node::new(value, span)
    }

    fn plain_map(&self, items: Vec<(Key, &Data)>, span: Span, depth: usize) -> NodeValue {
        let item = |(key, value): (Key, &Data)| MapItem {
            key,
            key_span: span,
            span,
            value: self.node(value, span, depth + 1),
            notes: Notes::default(),
            merged: false,
            conditional: false,
        };
        NodeValue::Map(items.into_iter().map(item).collect())
    }

    fn fragment(&self, fragment: &Fragment, span: Span, depth: usize) -> Node {
        let value = match fragment.kind {
            FragmentKind::Empty => return Node::missing(span),
            FragmentKind::Map => NodeValue::Map(
                fragment
                    .items
                    .iter()
                    .map(|item| {
                        let (place, notes) = self.item(item, span);
                        MapItem {
                            key: item.key.as_ref().and_then(key_of).unwrap_or(Key::Null),
                            key_span: place.name,
                            span: place.span,
                            value: self.value(item, place.value, depth + 1),
                            notes,
                            merged: false,
                            conditional: false,
                        }
                    })
                    .collect(),
            ),
            FragmentKind::Array => NodeValue::Array(
                fragment
                    .items
                    .iter()
                    .map(|item| {
                        let (place, notes) = self.item(item, span);
                        let value = self.value(item, place.value, depth + 1);
                        ArrayItem { span: place.name, value, notes, conditional: false }
                    })
                    .collect(),
            ),
            // A document set has no meaning as a value in a schema or data values.
            FragmentKind::DocumentSet => NodeValue::Unknown,
        };
        Node::new(value, span)
    }

    /// The annotation as written, with its arguments replaced by their values.
    fn note(&self, data: &AnnotationData, compiled: &Compiled) -> Option<Note> {
        let written = compiled.annotations.get(data.annotation as usize)?;
        let arguments = self.arguments(&written.arguments, data, written.span);
        Some(Note { arguments, ..written.clone() })
    }

    fn arguments(&self, written: &Arguments, data: &AnnotationData, annotation: Span) -> Arguments {
        let (file, all) = (annotation.file, annotation.range());
        let mut arguments =
            Arguments { range: written.range.clone(), commas: written.commas.clone(), ..Arguments::default() };
        for (index, value) in data.positional.iter().enumerate() {
            let known = written.positional.get(index).filter(|_| !written.starred);
            let expr = self.expr(file, value, known, known.map_or(all.clone(), |expr| expr.range.clone()));
            arguments.order.push(Argument::Positional(index));
            arguments.positional.push(expr);
        }
        for (index, (name, value)) in data.keywords.iter().enumerate() {
            let known = written.keyword(name);
            let range = known.map_or(all.clone(), |keyword| keyword.value.range.clone());
            arguments.order.push(Argument::Keyword(index));
            arguments.keywords.push(Keyword {
                name: name.clone(),
                name_range: known.map_or(all.clone(), |keyword| keyword.name_range.clone()),
                value: self.expr(file, value, known.map(|keyword| &keyword.value), range),
            });
        }
        arguments
    }

    /// A value as an expression. Where the written expression has the same form, its parts keep their own places.
    fn expr(&self, file: FileId, value: &Data, written: Option<&Expr>, range: Range<usize>) -> Expr {
        if let Some(literal) = written.filter(|expr| expr.is_literal()) {
            return literal.clone();
        }
        let part = |parts: Option<&Vec<Expr>>, index: usize, value: &Data| {
            let written = parts.and_then(|parts| parts.get(index));
            self.expr(file, value, written, written.map_or(range.clone(), |expr| expr.range.clone()))
        };
        let sequence = |values: &[Data]| -> Vec<Expr> {
            let parts = match written.map(|expr| &expr.kind) {
                Some(ExprKind::Tuple(parts) | ExprKind::List(parts)) if parts.len() == values.len() => Some(parts),
                _ => None,
            };
            values.iter().enumerate().map(|(index, value)| part(parts, index, value)).collect()
        };
        let text = |text: &str| Expr { range: range.clone(), kind: ExprKind::String(text.to_owned()) };
        let kind = match value {
            Data::None | Data::Shared(_) | Data::Portion(_) => ExprKind::None,
            Data::Bool(value) => ExprKind::Bool(*value),
            Data::Int(value) => ExprKind::Int(value.get()),
            Data::Float(value) => ExprKind::Float(*value),
            Data::String(text) => ExprKind::String(text.to_string()),
            Data::List(values) | Data::Set(values) => ExprKind::List(sequence(values)),
            Data::Tuple(values) => ExprKind::Tuple(sequence(values)),
            Data::Dict(entries) => {
                let entries = entries.iter().map(|(key, value)| {
                    (self.expr(file, key, None, range.clone()), self.expr(file, value, None, range.clone()))
                });
                ExprKind::Dict(entries.collect())
            }
            // A struct with a rule in it is allowed wherever an assertion object is expected.
            Data::Struct(fields) => match check_of(fields) {
                Some(function) => ExprKind::Callable(Callable {
                    evaluation: function.evaluation.unwrap_or(self.evaluation),
                    handle: function.handle,
                    type_name: value.type_name().to_owned(),
                    text: "struct(...)".to_owned(),
                    has_check: false,
                    parameters: function.parameters,
                    made_with: Vec::new(),
                }),
                None => {
                    let entries =
                        fields.iter().map(|(name, value)| (text(name), self.expr(file, value, None, range.clone())));
                    ExprKind::Dict(entries.collect())
                }
            },
            Data::Fragment(fragment) => return self.fragment_expr(file, fragment, range),
            Data::Function(function) => ExprKind::Callable(Callable {
                evaluation: function.evaluation.unwrap_or(self.evaluation),
                handle: function.handle,
                type_name: value.type_name().to_owned(),
                text: function.name.clone(),
                has_check: false,
                parameters: function.parameters,
                made_with: sequence(&function.made_with),
            }),
            Data::Object(object) => ExprKind::Callable(Callable {
                evaluation: object.evaluation.unwrap_or(self.evaluation),
                handle: object.handle,
                type_name: object.type_name.clone(),
                text: object.text.clone(),
                has_check: object.has_check,
                parameters: None,
                made_with: Vec::new(),
            }),
        };
        Expr { range, kind }
    }

    /// Nodes of the annotation's own file keep their places; an expression cannot refer to other files.
    fn fragment_expr(&self, file: FileId, fragment: &Fragment, range: Range<usize>) -> Expr {
        let above = Span::new(file, range.clone());
        let here = |span: Span| if span.file == file { span.range() } else { range.clone() };
        let items = fragment.items.iter().map(|item| {
            let (place, _) = self.item(item, above);
            let value = self.expr(file, &item.value, None, here(place.value));
            (item, here(place.name), value)
        });
        let kind = match fragment.kind {
            FragmentKind::Empty => ExprKind::None,
            FragmentKind::Map => ExprKind::Dict(
                items
                    .map(|(item, name, value)| {
                        (self.expr(file, item.key.as_ref().unwrap_or(&Data::None), None, name), value)
                    })
                    .collect(),
            ),
            FragmentKind::Array | FragmentKind::DocumentSet => ExprKind::List(items.map(|(.., value)| value).collect()),
        };
        Expr { range, kind }
    }
}

/// The function in the field `check` of a struct.
fn check_of(fields: &[(String, Data)]) -> Option<&lofting_eval::Function> {
    fields.iter().find_map(|(name, value)| match value {
        Data::Function(function) if name == "check" => Some(&**function),
        _ => None,
    })
}

fn key_of(data: &Data) -> Option<Key> {
    Some(match data {
        Data::None => Key::Null,
        Data::Bool(value) => Key::Bool(*value),
        Data::Int(value) => Key::int(*value),
        Data::Float(value) => Key::Float(value.to_bits()),
        Data::String(text) => Key::String(text.clone()),
        _ => return None,
    })
}
