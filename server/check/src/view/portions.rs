//! The final values of long collections in a tree, in portions: after a change, only those around it are made again.
//!
//! A part of a long collection, as the tree keeps it, becomes a portion where its items do not depend on others: in an
//! array, because data values append or replace items as a whole, and in a map that neither declares keys nor is merged
//! into one with items. In the collection around it, a single item takes the place of all of its items, and stays there
//! whatever the collection is merged into.

use super::{DEPTH, Kind, Piece, View, array_item, map_item};
use crate::memo::{CheckMemo, PortionKey, RememberedPortion, address};
use lofting_document::{FileId, Fingerprint, Fingerprints, Key, Node, NodeValue, Span};
use lofting_eval::{Data, Portion};
use lofting_schema::{KeyChild, Schema, SchemaId, Shape};
use lofting_template::portioned_data;

/// Where a value is going to be.
#[derive(Clone, Copy)]
pub(crate) struct Destination<'n> {
    /// Its node; None below any type.
    pub schema: Option<SchemaId>,
    /// What it is merged into.
    pub left: Option<&'n Node>,
}

/// Reads values with portions in them.
pub(crate) struct Portions<'s> {
    schema: &'s Schema,
    memo: &'s mut CheckMemo,
    made: MadePortions,
}

/// The portions in the places of single items of a value.
#[derive(Default)]
pub(crate) struct MadePortions(Vec<RememberedPortion>);

impl MadePortions {
    /// Whether no item stands for a portion.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value as code gets it.
    pub fn data(&self, value: &Node) -> Data {
        portioned_data(value, &|span| Some(self.at(span)?.portion.clone()))
    }

    /// The fingerprint of the value.
    pub fn fingerprint(&self, value: &Node) -> Fingerprint {
        Fingerprints::default().with(value, &|span| Some(self.at(span)?.prints))
    }

    /// The portion that a value with this span stands for.
    fn at(&self, span: Span) -> Option<&RememberedPortion> {
        self.0.get(span.start as usize).filter(|_| span.file == STANDS_FOR)
    }

    /// What stands for a portion.
    fn add(&mut self, portion: RememberedPortion) -> Node {
        let span = Span { file: STANDS_FOR, start: self.0.len() as u32, end: 0 };
        self.0.push(portion);
        Node::new(NodeValue::Null, span)
    }
}

impl<'s> Portions<'s> {
    pub fn new(schema: &'s Schema, memo: &'s mut CheckMemo) -> Self {
        Portions { schema, memo, made: MadePortions::default() }
    }

    /// The portions in what was read.
    pub fn into_made(self) -> MadePortions {
        self.made
    }

    /// Copies a value at a place, with items in it that stand for portions. None if it is partly unknown.
    pub fn node<V: View>(&mut self, view: V, place: Destination<'_>, depth: usize) -> Option<Node> {
        self.below(view, place, depth).map(|(node, _)| node)
    }

    /// The value, and how deeply it nests.
    fn below<V: View>(&mut self, view: V, place: Destination<'_>, depth: usize) -> Option<(Node, usize)> {
        if depth > DEPTH {
            return None;
        }
        let (value, height) = match (view.scalar(), view.kind()) {
            (Some(scalar), _) => (scalar.into(), 0),
            (None, Kind::Map) => self.map(view, place, depth)?,
            (None, Kind::Array) => self.array(view, place, depth)?,
            _ => return None,
        };
        Some((Node { missing: view.is_missing(), ..Node::new(value, view.span()) }, height))
    }

    fn map<V: View>(&mut self, view: V, place: Destination<'_>, depth: usize) -> Option<(NodeValue, usize)> {
        let shape = place.schema.and_then(|id| match self.schema.node(id).shape() {
            Shape::Map(map) => Some(map),
            _ => None,
        });
        let left = place.left.and_then(|left| match &left.value {
            NodeValue::Map(items) => Some(items),
            _ => None,
        });
        let is_alone = left.is_none_or(|items| items.is_empty()) && place.left.is_none_or(|left| !left.partial);
        let whole = !is_alone || shape.is_some_and(|map| !map.keys.is_empty());
        let (mut items, mut height) = (Vec::new(), 0);
        let mut open = vec![view.all_entry_pieces()?.into_iter()];
        while let Some(pieces) = open.last_mut() {
            let Some(piece) = pieces.next() else {
                open.pop();
                continue;
            };
            let (key, key_span, (value, below)) = match piece {
                Piece::One(entry) => {
                    let schema = shape.and_then(|map| match map.child(&entry.key) {
                        KeyChild::Child(child) => Some(child.schema),
                        _ => None,
                    });
                    let left = left.and_then(|items| items.value(&entry.key));
                    let value = self.below(entry.value, Destination { schema, left }, depth + 1)?;
                    (entry.key, entry.key_span, value)
                }
                Piece::Part(part, _) if whole => {
                    open.push(part.all_entry_pieces()?.into_iter());
                    continue;
                }
                Piece::Part(part, _) => {
                    let (value, below) = self.portion(part, place.schema.filter(|_| shape.is_some()), depth)?;
                    // No key of a document can be the same.
                    let key = Key::String(format!("\0{}", value.span.start).into());
                    (key, value.span, (value, below))
                }
            };
            height = height.max(below + 1);
            items.push(map_item(key, key_span, value));
        }
        Some((NodeValue::Map(items.into()), height))
    }

    fn array<V: View>(&mut self, view: V, place: Destination<'_>, depth: usize) -> Option<(NodeValue, usize)> {
        let shape = place.schema.and_then(|id| match self.schema.node(id).shape() {
            Shape::Array(array) => Some(array),
            _ => None,
        });
        let whole = shape.is_some_and(|array| !array.prefix.is_empty());
        let (mut items, mut height) = (Vec::new(), 0);
        let mut open = vec![view.all_item_pieces()?.into_iter()];
        while let Some(pieces) = open.last_mut() {
            let Some(piece) = pieces.next() else {
                open.pop();
                continue;
            };
            let (span, (value, below)) = match piece {
                Piece::One(item) => {
                    let schema = shape.map(|array| array.child(items.len()).schema);
                    (item.span, self.below(item.value, Destination { schema, left: None }, depth + 1)?)
                }
                Piece::Part(part, _) if whole => {
                    open.push(part.all_item_pieces()?.into_iter());
                    continue;
                }
                Piece::Part(part, _) => {
                    let (value, below) = self.portion(part, place.schema.filter(|_| shape.is_some()), depth)?;
                    (value.span, (value, below))
                }
            };
            height = height.max(below + 1);
            items.push(array_item(span, value));
        }
        Some((NodeValue::Array(items), height))
    }

    /// What stands for a part of a collection, and how deeply its items nest.
    fn portion<V: View>(&mut self, part: V, schema: Option<SchemaId>, depth: usize) -> Option<(Node, usize)> {
        let shared = part.shared().map(|(green, _)| (PortionKey { green: address(green), schema }, green));
        let known = shared.as_ref().and_then(|(key, _)| self.memo.portion(key));
        let made = match known {
            Some(known) => known.clone(),
            None => {
                let made = self.made(part, schema, depth)?;
                if let Some((key, green)) = shared {
                    self.memo.set_portion(key, green, made.clone());
                }
                made
            }
        };
        if depth + 1 + made.height > DEPTH {
            return None;
        }
        let height = made.height;
        Some((self.made.add(made), height))
    }

    fn made<V: View>(&mut self, part: V, schema: Option<SchemaId>, depth: usize) -> Option<RememberedPortion> {
        let mut inside = Portions::new(self.schema, self.memo);
        let (mut node, height) = inside.below(part, Destination { schema, left: None }, depth)?;
        let inside = inside.into_made();
        if let Some(id) = schema {
            self.schema.fill_defaults(id, &mut node);
        }
        let Data::Fragment(items) = inside.data(&node) else { return None };
        let prints = Fingerprints::default().items(&node, &|span| Some(inside.at(span)?.prints));
        let portion = Portion::new(&items).filter(|_| node.is_known())?;
        Some(RememberedPortion { portion, prints, height: height.saturating_sub(1) })
    }
}

/// The file of values that stand for portions; no document has it.
const STANDS_FOR: FileId = FileId(u32::MAX - 2);
