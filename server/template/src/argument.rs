//! Converts nodes into arguments for calls of rules, conditions and functions of overlays.

use crate::compile::NodePlace;
use lofting_document::{Document, Key, Node, NodeValue, Note, Notes, Span};
use lofting_eval::{
    AnnotationData, Arguments, Data, EvaluationId, Expr, ExprKind, Fragment, FragmentItem, FragmentKind, Function,
    Object, Origin, Portion,
};
use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::Arc;

/// The value of a node as code sees it: maps and arrays are fragments (docs/ytt.md 13.5). Unknown values become `None`;
/// callers pass only known values.
pub fn node_data(node: &Node) -> Data {
    Plain.data(node)
}

/// The value of a node in which some items stand for portions; `portion` knows these by the spans of their values.
pub fn portioned_data(node: &Node, portion: &dyn Fn(Span) -> Option<Arc<Portion>>) -> Data {
    WithPortions(portion).data(node)
}

/// The value of a key.
pub fn key_data(key: &Key) -> Data {
    match key {
        Key::Null => Data::None,
        Key::Bool(value) => Data::Bool(*value),
        Key::Int(value) => Data::Int(*value),
        Key::Float(bits) => Data::Float(f64::from_bits(*bits)),
        Key::String(text) => Data::String(text.clone()),
        Key::Collection(text) => Data::String((&**text).into()),
    }
}

/// Nodes that several calls of a batch use: each is transferred once.
#[derive(Default)]
pub struct Shared<'a> {
    values: Vec<Data>,
    numbers: HashMap<usize, u32>,
    nodes: PhantomData<&'a Node>,
}

impl<'a> Shared<'a> {
    /// The value of a node, or its index among the shared values.
    pub fn node(&mut self, node: &'a Node) -> Data {
        self.with(node, node_data)
    }

    /// The shared values, by index.
    pub fn values(&self) -> &[Data] {
        &self.values
    }

    fn with(&mut self, node: &'a Node, data: impl FnOnce(&'a Node) -> Data) -> Data {
        if !matches!(node.value, NodeValue::Map(_) | NodeValue::Array(_)) {
            return data(node);
        }
        // A node cannot move while it is borrowed.
        let address = std::ptr::from_ref(node).addr();
        let number = *self.numbers.entry(address).or_insert_with(|| {
            self.values.push(data(node));
            (self.values.len() - 1) as u32
        });
        Data::Shared(number)
    }
}

/// Nodes that are passed to a call whose result may contain parts of them. Those parts get their places and annotations
/// back.
pub struct Passed<'a> {
    /// Functions in annotations can be passed only within this evaluation.
    evaluation: EvaluationId,
    items: Vec<PassedItem<'a>>,
    shared: Shared<'a>,
}

/// The item that a number stands for.
struct PassedItem<'a> {
    place: NodePlace,
    notes: &'a Notes,
}

impl<'a> Passed<'a> {
    /// For calls of functions of `evaluation`; nothing is passed yet.
    pub fn new(evaluation: EvaluationId) -> Self {
        Passed { evaluation, items: Vec::new(), shared: Shared::default() }
    }

    /// The value of a node with all its items numbered, or the index of the value among the shared ones.
    pub fn node(&mut self, node: &'a Node) -> Data {
        let mut shared = std::mem::take(&mut self.shared);
        let data = shared.with(node, |node| self.data(node));
        self.shared = shared;
        data
    }

    /// The shared values, by index.
    pub fn shared(&self) -> &[Data] {
        self.shared.values()
    }

    /// The place and the annotations of the item with this number.
    pub fn item(&self, number: u32) -> Option<(NodePlace, Notes)> {
        let item = self.items.get(number as usize)?;
        Some((item.place, item.notes.clone()))
    }

    /// The annotations that `overlay.apply` may read inside the function; the others are kept here.
    fn annotations(&self, notes: &Notes) -> Vec<AnnotationData> {
        let overlays = notes.annotations.iter().filter(|note| note.name.starts_with("overlay/"));
        overlays.map(|note| annotation(&note.name, &note.arguments, Some(self.evaluation))).collect()
    }
}

/// Documents that libraries made for an evaluation. Their items are numbered, so that they get their places and
/// annotations back.
#[derive(Default)]
pub struct FromLibraries {
    items: Vec<(NodePlace, Vec<Note>)>,
}

impl FromLibraries {
    /// The documents as code sees them, with all their items numbered.
    pub fn documents(&mut self, documents: &[Document]) -> Fragment {
        let items = documents.iter().map(|document| {
            let name = document.marker.unwrap_or(document.span);
            let place = NodePlace { span: document.span, name, value: document.value.span, marker: document.marker };
            self.fragment_item(place, None, &document.value, &document.notes)
        });
        Fragment { kind: FragmentKind::DocumentSet, items: items.collect() }
    }

    /// The place and the annotations of the item with that number.
    pub fn item_of(&self, number: u32) -> Option<(NodePlace, Notes)> {
        let (place, annotations) = self.items.get(number as usize)?;
        Some((*place, annotations.clone().into()))
    }
}

impl<'a> Form<'a> for FromLibraries {
    fn item(&mut self, place: NodePlace, notes: &'a Notes) -> (Option<Origin>, Vec<AnnotationData>) {
        let origin = Origin::of_library(self.items.len() as u32);
        self.items.push((place, notes.annotations.clone()));
        let annotations = notes.annotations.iter().map(|note| annotation(&note.name, &note.arguments, None));
        (Some(origin), annotations.collect())
    }
}

/// How the items of a collection are converted.
trait Form<'a> {
    /// The origin and the annotations of an item.
    fn item(&mut self, place: NodePlace, notes: &'a Notes) -> (Option<Origin>, Vec<AnnotationData>);

    /// The portion that a value stands for.
    fn portion(&self, value: &Node) -> Option<Arc<Portion>> {
        let _ = value;
        None
    }

    /// Document trees have bounded depth, and so has this recursion.
    fn data(&mut self, node: &'a Node) -> Data {
        match &node.value {
            NodeValue::Null | NodeValue::Unknown => self.portion(node).map_or(Data::None, Data::Portion),
            NodeValue::Bool(value) => Data::Bool(*value),
            NodeValue::Int(value) => Data::Int(*value),
            NodeValue::Float(value) => Data::Float(*value),
            NodeValue::String(text) => Data::String(text.clone()),
            NodeValue::Map(items) if node.raw => {
                Data::Dict(items.iter().map(|item| (key_data(&item.key), self.data(&item.value))).collect())
            }
            NodeValue::Array(items) if node.raw => {
                Data::List(items.iter().map(|item| self.data(&item.value)).collect())
            }
            NodeValue::Map(items) => {
                let items = items.iter().map(|item| {
                    let place = place(item.span, item.key_span, &item.value);
                    self.fragment_item(place, Some(key_data(&item.key)), &item.value, &item.notes)
                });
                Data::Fragment(Fragment { kind: FragmentKind::Map, items: items.collect() })
            }
            NodeValue::Array(items) => {
                let items = items.iter().map(|item| {
                    let place = place(item.span, item.span, &item.value);
                    self.fragment_item(place, None, &item.value, &item.notes)
                });
                Data::Fragment(Fragment { kind: FragmentKind::Array, items: items.collect() })
            }
        }
    }

    fn fragment_item(
        &mut self,
        place: NodePlace,
        key: Option<Data>,
        value: &'a Node,
        notes: &'a Notes,
    ) -> FragmentItem {
        let (origin, annotations) = self.item(place, notes);
        FragmentItem { origin, key, value: self.data(value), annotations }
    }
}

/// Converts values without places.
struct Plain;

impl<'a> Form<'a> for Plain {
    fn item(&mut self, _place: NodePlace, _notes: &'a Notes) -> (Option<Origin>, Vec<AnnotationData>) {
        (None, Vec::new())
    }
}

/// Converts values without places, some of which stand for portions.
struct WithPortions<'p>(&'p dyn Fn(Span) -> Option<Arc<Portion>>);

impl<'a> Form<'a> for WithPortions<'_> {
    fn item(&mut self, _place: NodePlace, _notes: &'a Notes) -> (Option<Origin>, Vec<AnnotationData>) {
        (None, Vec::new())
    }

    fn portion(&self, value: &Node) -> Option<Arc<Portion>> {
        (self.0)(value.span)
    }
}

impl<'a> Form<'a> for Passed<'a> {
    fn item(&mut self, place: NodePlace, notes: &'a Notes) -> (Option<Origin>, Vec<AnnotationData>) {
        let origin = Origin::of_argument(self.items.len() as u32);
        self.items.push(PassedItem { place, notes });
        (Some(origin), self.annotations(notes))
    }
}

fn place(span: Span, name: Span, value: &Node) -> NodePlace {
    NodePlace { span, name, value: value.span, marker: None }
}

/// An annotation for code. `evaluation`: the only one whose functions it may have; None for functions of any.
fn annotation(name: &str, arguments: &Arguments, evaluation: Option<EvaluationId>) -> AnnotationData {
    AnnotationData {
        annotation: 0,
        name: name.to_owned(),
        positional: arguments.positional.iter().map(|value| expr_data(value, evaluation)).collect(),
        keywords: arguments
            .keywords
            .iter()
            .map(|keyword| (keyword.name.clone(), expr_data(&keyword.value, evaluation)))
            .collect(),
    }
}

/// The value of an argument; `None` for values that belong to an evaluation other than the given one.
fn expr_data(expr: &Expr, evaluation: Option<EvaluationId>) -> Data {
    // The reader limits nesting, and so this recursion.
    let all = |items: &[Expr]| items.iter().map(|item| expr_data(item, evaluation)).collect();
    match &expr.kind {
        ExprKind::Bool(value) => Data::Bool(*value),
        ExprKind::Int(value) => Data::int(*value),
        ExprKind::Float(value) => Data::Float(*value),
        ExprKind::String(text) => Data::String(text.into()),
        ExprKind::List(items) => Data::List(all(items)),
        ExprKind::Tuple(items) => Data::Tuple(all(items)),
        ExprKind::Dict(entries) => Data::Dict(
            entries.iter().map(|(key, value)| (expr_data(key, evaluation), expr_data(value, evaluation))).collect(),
        ),
        ExprKind::Callable(callable) if evaluation.is_none_or(|evaluation| callable.evaluation == evaluation) => {
            let (handle, text) = (callable.handle, callable.text.clone());
            let evaluation = evaluation.is_none().then_some(callable.evaluation);
            if callable.parameters.is_some() {
                let made_with = Vec::new();
                Data::Function(Box::new(Function {
                    handle,
                    evaluation,
                    name: text,
                    parameters: callable.parameters,
                    made_with,
                }))
            } else {
                let (type_name, has_check) = (callable.type_name.clone(), callable.has_check);
                Data::Object(Box::new(Object { handle, evaluation, type_name, text, has_check }))
            }
        }
        ExprKind::None | ExprKind::Lambda { .. } | ExprKind::Code | ExprKind::Missing | ExprKind::Callable(_) => {
            Data::None
        }
    }
}
