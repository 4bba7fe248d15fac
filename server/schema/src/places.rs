//! What a schema means, apart from where it is written.
//!
//! Whoever edits a comment above a key moves all that follows and changes nothing that values have to fit. What was found
//! in values then holds on; only the places in the schema that findings name are others.

use crate::{Constraint, ConstraintKind, Docs, Schema, SchemaNode};
use lofting_document::{FileId, Node, NodeValue, Span};
use rustc_hash::{FxHashMap, FxHashSet};

impl Schema {
    /// Whether both say the same about all values, wherever they are written and whatever they tell readers. Schemas with
    /// code never do: the same text may mean something else.
    pub fn means_the_same(&self, other: &Schema) -> bool {
        std::ptr::eq(self.semantics(), other.semantics())
            && self.root() == other.root()
            && self.nodes().count() == other.nodes().count()
            && self.nodes().zip(other.nodes()).all(|((_, one), (_, two))| {
                !one.has_code() && !two.has_code() && essence(one, &mut |_| ()) == essence(two, &mut |_| ())
            })
    }

    /// Where each thing that this schema says is said in `other`, which means the same.
    pub fn moves_to(&self, other: &Schema) -> Moves {
        let places = |schema: &Schema| {
            let mut places = Vec::new();
            schema.nodes().for_each(|(_, node)| drop(essence(node, &mut |span| places.push(span))));
            places
        };
        let mut moves = Moves::default();
        for (old, new) in places(self).into_iter().zip(places(other)) {
            moves.files.insert(old.file);
            // Where one place said two things that stand apart now, nobody can tell which of them was meant.
            let known = moves.places.entry(old).or_insert(Some(new));
            *known = known.filter(|known| *known == new);
        }
        moves
    }
}

/// Where places of a schema are after an edit that did not change its meaning.
#[derive(Debug, Default)]
pub struct Moves {
    places: FxHashMap<Span, Option<Span>>,
    /// The files of the schema.
    files: FxHashSet<FileId>,
}

impl Moves {
    /// Where a place is now: in other files where it was. None: it lies in the schema, but says nothing that counts.
    pub fn now(&self, span: Span) -> Option<Span> {
        match self.files.contains(&span.file) {
            true => self.places.get(&span).copied().flatten(),
            false => Some(span),
        }
    }
}

/// A node without places and documentation. What it had for places is told in the order of the schema. Fields that this
/// does not know of keep their places, so that nodes with them never mean the same after a move.
fn essence(node: &SchemaNode, place: &mut dyn FnMut(Span)) -> SchemaNode {
    let mut node = node.clone();
    let docs = std::mem::take(&mut node.docs);
    node.docs = Docs { deprecated: docs.deprecated, removed: docs.removed, ..Docs::default() };
    let mut erase = |span: &mut Span| {
        place(*span);
        *span = Span::new(FileId(0), 0..0);
    };
    erase(&mut node.declared.span);
    erase(&mut node.declared.name);
    node.changed.iter_mut().for_each(&mut erase);
    let texts = node.docs.deprecated.iter_mut().chain(&mut node.docs.removed);
    texts.for_each(|text| erase(&mut text.span));
    for Constraint { kind, span, .. } in &mut node.constraints {
        erase(span);
        match kind {
            ConstraintKind::Min(bound)
            | ConstraintKind::Max(bound)
            | ConstraintKind::ExclusiveMin(bound)
            | ConstraintKind::ExclusiveMax(bound) => of_value(bound, &mut erase),
            ConstraintKind::OneOf(values) => values.iter_mut().for_each(|value| of_value(value, &mut erase)),
            _ => {}
        }
    }
    let maps = node.map.iter_mut();
    maps.flat_map(|map| &mut map.free).for_each(|free| erase(&mut free.span));
    if let Some(default) = &mut node.default {
        erase(&mut default.span);
        of_value(&mut default.value, &mut erase);
    }
    node
}

/// Values of schemas have bounded depth, so this recursion has, too.
fn of_value(value: &mut Node, erase: &mut dyn FnMut(&mut Span)) {
    erase(&mut value.span);
    // What it took the place of when it was merged shows in findings of the schema only.
    value.replaced = None;
    match &mut value.value {
        NodeValue::Map(items) => {
            for (span, key, value) in items.places_mut() {
                erase(span);
                erase(key);
                of_value(value, erase);
            }
        }
        NodeValue::Array(items) => {
            for item in items {
                erase(&mut item.span);
                of_value(&mut item.value, erase);
            }
        }
        _ => {}
    }
}
