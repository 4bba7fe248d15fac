//! Compares the meaning of schemas, apart from where they are written.
//!
//! An edit of a comment above a key moves everything below without changing what values have to fit. Findings in values
//! then stay valid; only the places in the schema that they point to have moved.

use crate::{Constraint, ConstraintKind, Docs, Schema, SchemaNode};
use lofting_document::{FileId, Node, NodeValue, Span};
use rustc_hash::{FxHashMap, FxHashSet};

impl Schema {
    /// Whether both schemas accept the same values, wherever they are written and however they are documented. Never
    /// true for schemas with code, whose meaning may depend on more than the text.
    pub fn means_the_same(&self, other: &Schema) -> bool {
        std::ptr::eq(self.semantics(), other.semantics())
            && self.root() == other.root()
            && self.nodes().count() == other.nodes().count()
            && self.nodes().zip(other.nodes()).all(|((_, one), (_, two))| {
                !one.has_code() && !two.has_code() && essence(one, &mut |_| ()) == essence(two, &mut |_| ())
            })
    }

    /// Maps the places of this schema to those in `other`, which means the same.
    pub fn moves_to(&self, other: &Schema) -> Moves {
        let places = |schema: &Schema| {
            let mut places = Vec::new();
            schema.nodes().for_each(|(_, node)| drop(essence(node, &mut |span| places.push(span))));
            places
        };
        let mut moves = Moves::default();
        for (old, new) in places(self).into_iter().zip(places(other)) {
            moves.files.insert(old.file);
            // If two statements shared one place and now have two, it is not known which one a finding meant.
            let known = moves.places.entry(old).or_insert(Some(new));
            *known = known.filter(|known| *known == new);
        }
        moves
    }
}

/// How the places of a schema moved through an edit that did not change its meaning.
#[derive(Debug, Default)]
pub struct Moves {
    places: FxHashMap<Span, Option<Span>>,
    /// The files of the schema.
    files: FxHashSet<FileId>,
}

impl Moves {
    /// The new place of a span; a span of another file is unchanged. None for a span in the schema that is not a known
    /// place.
    pub fn now(&self, span: Span) -> Option<Span> {
        if self.files.contains(&span.file) { self.places.get(&span).copied().flatten() } else { Some(span) }
    }
}

/// A node without places and documentation; its places are reported in the order of the schema. A field that is added
/// to the node and not handled here keeps its places, so that nodes with it are never equal after a move, which is
/// safe.
fn essence(node: &SchemaNode, place: &mut dyn FnMut(Span)) -> SchemaNode {
    let mut node = node.clone();
    let docs = std::mem::take(&mut node.docs);
    let mut docs = Docs { deprecated: docs.deprecated.clone(), removed: docs.removed.clone(), ..Docs::default() };
    let mut erase = |span: &mut Span| {
        place(*span);
        *span = Span::new(FileId(0), 0..0);
    };
    erase(&mut node.declared.span);
    erase(&mut node.declared.name);
    node.changed.iter_mut().for_each(&mut erase);
    docs.deprecated.iter_mut().chain(&mut docs.removed).for_each(|text| erase(&mut text.span));
    node.docs = docs.into();
    for Constraint { kind, span, .. } in &mut node.constraints {
        erase(span);
        match kind {
            ConstraintKind::Min(bound)
            | ConstraintKind::Max(bound)
            | ConstraintKind::ExclusiveMin(bound)
            | ConstraintKind::ExclusiveMax(bound) => of_value(bound, &mut erase),
            ConstraintKind::OneOf(values) => values.for_each_mut(|value| of_value(value, &mut erase)),
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

/// Values in schemas have bounded depth, and so has this recursion.
fn of_value(value: &mut Node, erase: &mut dyn FnMut(&mut Span)) {
    erase(&mut value.span);
    // What the value replaced in a merge is only shown in findings about the schema.
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
