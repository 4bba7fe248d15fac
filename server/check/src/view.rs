//! A common view of values in a syntax tree and values that were lowered, evaluated or merged. The walk over values is
//! generic over it, so checking an open file needs no copy of it.

mod fingerprint;
mod names;
mod node;
mod overlay;
mod portions;
mod tree;

pub(crate) use fingerprint::fingerprint;
pub use names::DocumentNames;
pub use node::NodeView;
pub(crate) use node::kind as node_kind;
pub use overlay::{Count, Operation, Overlay};
pub(crate) use portions::{Destination, Portions};
pub(crate) use tree::EntryParts;
pub use tree::{TreeFile, TreeReader, TreeView};

use lofting_document::{ArrayItem, Key, MapItem, Node, NodeValue, Span};
use lofting_schema::Kinds;
use lofting_schema::semantics::Words;
use lofting_syntax::Green;
use smol_str::SmolStr;
use std::borrow::Cow;
use std::sync::Arc;

/// The kind of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `null`, `~`, nothing.
    Null,
    /// A boolean.
    Bool,
    /// An integer.
    Int,
    /// A float, also `2.0`.
    Float,
    /// Text.
    String,
    /// A map.
    Map,
    /// An array.
    Array,
    /// Computed by code, or broken: nothing is reported about it.
    Unknown,
}

impl Kind {
    /// The kind in a language's words.
    pub fn word(self, language: &Words) -> &'static str {
        match self {
            Kind::Null => "null",
            Kind::Bool => "boolean",
            Kind::Int => "integer",
            Kind::Float => language.number,
            Kind::String => "string",
            Kind::Map => "map",
            Kind::Array => "array",
            Kind::Unknown => "unknown",
        }
    }

    /// The kind as a set; all kinds for an unknown value.
    pub fn kinds(self) -> Kinds {
        match self {
            Kind::Null => Kinds::NULL,
            Kind::Bool => Kinds::BOOL,
            Kind::Int => Kinds::INT,
            Kind::Float => Kinds::FLOAT,
            Kind::String => Kinds::STRING,
            Kind::Map => Kinds::MAP,
            Kind::Array => Kinds::ARRAY,
            Kind::Unknown => Kinds::ANY,
        }
    }

    /// Maps and arrays.
    pub fn is_collection(self) -> bool {
        matches!(self, Kind::Map | Kind::Array)
    }
}

/// A scalar's value.
#[derive(Debug, Clone, PartialEq)]
pub enum Scalar {
    /// Null.
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i128),
    /// A float.
    Float(f64),
    /// Text.
    String(SmolStr),
}

impl From<Scalar> for NodeValue {
    fn from(scalar: Scalar) -> Self {
        match scalar {
            Scalar::Null => NodeValue::Null,
            Scalar::Bool(value) => NodeValue::Bool(value),
            Scalar::Int(value) => NodeValue::int(value),
            Scalar::Float(value) => NodeValue::Float(value),
            Scalar::String(text) => NodeValue::String(text),
        }
    }
}

/// A map item as seen by the walk.
#[derive(Debug, Clone)]
pub struct Entry<V> {
    /// The key with its type.
    pub key: Key,
    /// Where the key is written.
    pub key_span: Span,
    /// The value.
    pub value: V,
    /// Its overlay annotations.
    pub overlay: Overlay,
}

impl<V> Entry<V> {
    /// The name of the key, as a value.
    pub(crate) fn name(&self) -> Node {
        Node::new(NodeValue::String(self.key.to_string().into()), self.key_span)
    }
}

/// An array item as seen by the walk.
#[derive(Debug, Clone)]
pub struct Item<V> {
    /// The dash, or the value in flow style.
    pub span: Span,
    /// The value.
    pub value: V,
    /// Its overlay annotations.
    pub overlay: Overlay,
}

/// A piece of a collection.
#[derive(Debug, Clone)]
pub enum Piece<V, T> {
    /// An entry or item.
    One(T),
    /// A part of the collection, viewed as a value of its own, and how many entries or items it has.
    Part(V, usize),
}

/// A value that can be checked. Cheap to copy; only what is read costs time.
pub trait View: Copy {
    /// What it is.
    fn kind(self) -> Kind;
    /// Where it is written; empty if nothing is.
    fn span(self) -> Span;
    /// Nothing is written, which YAML reads as null.
    fn is_missing(self) -> bool;
    /// The value of a scalar; None for collections and unknown values.
    fn scalar(self) -> Option<Scalar>;
    /// The items of a map, in order; none for other kinds. Keys without a colon are left out.
    fn entries(self) -> impl Iterator<Item = Entry<Self>>;
    /// The items of an array, in order; none for other kinds.
    fn items(self) -> impl Iterator<Item = Item<Self>>;
    /// The items of a map, where parts that may be unchanged since the last revision come as a whole.
    fn entry_pieces(self) -> impl Iterator<Item = Piece<Self, Entry<Self>>> {
        self.entries().map(Piece::One)
    }
    /// The items of an array, where parts that may be unchanged since the last revision come as a whole.
    fn item_pieces(self) -> impl Iterator<Item = Piece<Self, Item<Self>>> {
        self.items().map(Piece::One)
    }
    /// Code may add further entries, so the size of the collection is not known.
    fn is_partial(self) -> bool;
    /// How many entries or items a collection has that is not partial.
    fn count(self) -> usize {
        self.entries().count() + self.items().count()
    }
    /// The parts of a collection that may be unchanged since the last revision, each of which may be partial; None if the
    /// collection is, whatever is in these.
    fn maybe_partial(self) -> Option<Vec<Self>> {
        (!self.is_partial()).then(Vec::new)
    }
    /// All items of a map; None if there may be more than are readable.
    fn all_entries(self) -> Option<Vec<Entry<Self>>> {
        (!self.is_partial()).then(|| self.entries().collect())
    }
    /// All items of an array; None if there may be more than are readable.
    fn all_items(self) -> Option<Vec<Item<Self>>> {
        (!self.is_partial()).then(|| self.items().collect())
    }
    /// The items of a map with parts as a whole; None if there may be more outside these than are readable.
    fn all_entry_pieces(self) -> Option<Vec<Piece<Self, Entry<Self>>>> {
        Some(self.all_entries()?.into_iter().map(Piece::One).collect())
    }
    /// The items of an array with parts as a whole; None if there may be more outside these than are readable.
    fn all_item_pieces(self) -> Option<Vec<Piece<Self, Item<Self>>>> {
        Some(self.all_items()?.into_iter().map(Piece::One).collect())
    }
    /// It is a dict or list that code returned, which no type except `any` accepts (docs/ytt.md 14.2).
    fn is_raw(self) -> bool {
        false
    }
    /// Whether there may be overlay annotations in the value.
    fn may_have_overlays(self) -> bool {
        false
    }
    /// Stands for the overlay annotations of the first entry or item of a collection, which may be written above the node
    /// of [`View::shared`].
    fn first_annotations(&self) -> u64 {
        0
    }
    /// Stands for the values that the aliases in a collection refer to, where findings about it may be; 0 if it has none.
    fn names(&self) -> u64 {
        0
    }
    /// Tells the values apart that are written at one place: those that aliases make of it, and those that code makes there
    /// again and again. 0 for the value where it is written.
    fn copy(&self) -> u64 {
        0
    }
    /// The node of a collection in a syntax tree, with its offset. An unchanged collection has the same node as in the
    /// last check.
    fn shared(&self) -> Option<(&Arc<Green>, usize)> {
        None
    }
}

/// The text of files, read only where a finding needs it (what to quote, whether a value is on the line of its key).
pub trait Source: Sync {
    /// The text of `span`; None if the file is not available.
    fn text(&self, span: Span) -> Option<Cow<'_, str>>;
}

/// No text is available.
impl Source for () {
    fn text(&self, _: Span) -> Option<Cow<'_, str>> {
        None
    }
}

/// Values nested more deeply are not copied; lowering makes them unknown, too.
pub(crate) const DEPTH: usize = lofting_eval::MAX_NESTING;

/// Copies a value, to compare it as a whole. None if it is partly unknown.
pub(crate) fn to_node<V: View>(view: V) -> Option<Node> {
    to_node_within(view, &mut { usize::MAX }, 0)
}

/// Copies at most `budget` nodes of a value. None if it is larger or partly unknown.
pub(crate) fn to_node_within<V: View>(view: V, budget: &mut usize, depth: usize) -> Option<Node> {
    lofting_memo::step();
    *budget = budget.checked_sub(1)?;
    if depth > DEPTH {
        return None;
    }
    let value = match view.scalar() {
        Some(scalar) => scalar.into(),
        None => collection(view, budget, depth)?,
    };
    Some(Node { missing: view.is_missing(), ..Node::new(value, view.span()) })
}

fn collection<V: View>(view: V, budget: &mut usize, depth: usize) -> Option<NodeValue> {
    Some(match view.kind() {
        Kind::Map => {
            let entries = view.all_entries()?;
            let mut items = Vec::with_capacity(entries.len());
            for entry in entries {
                let value = to_node_within(entry.value, budget, depth + 1)?;
                items.push(map_item(entry.key, entry.key_span, value));
            }
            NodeValue::Map(items.into())
        }
        Kind::Array => {
            let given = view.all_items()?;
            let mut items = Vec::with_capacity(given.len());
            for item in given {
                let value = to_node_within(item.value, budget, depth + 1)?;
                items.push(array_item(item.span, value));
            }
            NodeValue::Array(items)
        }
        _ => return None,
    })
}

/// An entry without annotations.
fn map_item(key: Key, key_span: Span, value: Node) -> MapItem {
    MapItem { key, key_span, span: key_span, value, notes: Default::default(), merged: false, conditional: false }
}

/// An item without annotations.
fn array_item(span: Span, value: Node) -> ArrayItem {
    ArrayItem { span, value, notes: Default::default(), conditional: false }
}
