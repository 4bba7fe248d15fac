//! The places at which a document meets the others that are merged with it.
//!
//! Whatever other documents give elsewhere, what the walk finds about this one stays the same.

use super::{Last, Visit, Walk};
use crate::memo::{MetPlace, MetPlaces};
use crate::path::Step;
use crate::values::left::Left;
use crate::view::{Kind, View};
use lofting_document::{Key, NodeValue};
use lofting_schema::{Kinds, MapShape, SchemaNode, Shape};

impl<'a, V: View> Walk<'_, 'a, V> {
    /// Notes where the document meets others.
    pub fn meeting(self) -> Self {
        Walk { met: Some(MetPlaces::default()), ..self }
    }

    /// Notes the place of a collection, or of the document's own value.
    pub(super) fn meets(&mut self, visit: &Visit<'a, V>, kind: Kind) {
        let Some(mut met) = self.met.take() else { return };
        if !matches!(visit.left, Left::Fresh) {
            let path = self.path(visit.place, None);
            let place = MetPlace::given(self.paths.steps(path));
            met.give(place);
            let node = self.schema.node(visit.id);
            if self.is_open(visit, kind) {
                met.is_open();
            }
            // Their indices are those of all items together.
            self.found.needs_merging |= self.merges() && kind == Kind::Array && self.has_items(visit.left);
            if !self.is_apart(node, visit.value, kind) {
                met.need(place);
            } else if self.merges() && !kind.is_collection() {
                // The first of two values has no effect, which is a finding.
                met.claim(place);
            }
        }
        self.met = Some(met);
    }

    /// Notes the place of a scalar that is visited.
    pub(super) fn meets_scalar(&mut self, visit: &Visit<'a, V>, kind: Kind, last: Last<'_>) {
        if self.met.is_some() && !matches!(visit.left, Left::Fresh) {
            let noted = self.paths.noted();
            let place = self.settle(visit.place, last);
            self.meets(&Visit { place, ..*visit }, kind);
            self.paths.forget(noted);
        }
    }

    /// Notes a key that is new unless another document gives it as well.
    pub(super) fn meets_new_key(&mut self, visit: &Visit<'a, V>, key: &Key) {
        let Some(mut met) = self.met.take() else { return };
        if !matches!(visit.left, Left::Fresh) {
            let place = self.place_of(visit, key);
            met.give(place);
            met.need(place);
        }
        self.met = Some(met);
    }

    /// Notes a key whose value is not visited.
    pub(super) fn meets_unchecked(&mut self, visit: &Visit<'a, V>, key: &Key) {
        if let Some(mut met) = self.met.take() {
            if self.merges() && !matches!(visit.left, Left::Fresh) {
                // The first of two values, or something in it, may have no effect.
                met.claim(self.place_of(visit, key));
            }
            self.met = Some(met);
        }
    }

    fn place_of(&mut self, visit: &Visit<'a, V>, key: &Key) -> MetPlace {
        let path = self.path(visit.place, None);
        let key = Step::Key(key.clone());
        MetPlace::given(self.paths.steps(path).into_iter().chain([&key]))
    }

    /// Whether an array has items before those of the document.
    fn has_items(&self, left: Left<'a>) -> bool {
        let value = match left {
            Left::Value(node) => Some(&node.value),
            Left::Default(id) => self.schema.node(id).default.as_ref().map(|default| &default.value.value),
            Left::Fresh | Left::Uncertain => None,
        };
        matches!(value, Some(NodeValue::Array(items)) if !items.is_empty())
    }

    /// Whether other documents, or later keys, may find something else here than what is written.
    fn is_open(&self, visit: &Visit<'a, V>, kind: Kind) -> bool {
        match kind {
            Kind::Unknown => true,
            Kind::Map => visit.value.is_partial(),
            _ => false,
        }
    }

    /// Whether what is reported about a value does not depend on what other documents give at its place, nor what is
    /// reported about theirs on this value.
    fn is_apart(&self, node: &SchemaNode, value: V, kind: Kind) -> bool {
        let is_judged = !node.clauses.is_empty() || node.judged.is_some() || !node.known;
        match (node.shape(), kind) {
            (_, Kind::Unknown) => true,
            // Scalars take the place of each other. Collections at their place need it.
            (_, Kind::Null) if node.nullable && !node.kinds.has(Kinds::MAP) && !node.kinds.has(Kinds::ARRAY) => true,
            (_, Kind::Bool | Kind::Int | Kind::Float | Kind::String) => {
                !is_judged && super::takes(node, self.schema, value, kind)
            }
            (Shape::Map(shape), Kind::Map) if node.kinds == Kinds::MAP && !node.nullable => {
                !is_judged && node.constraints.is_empty() && Self::is_by_keys(shape)
            }
            (Shape::Array(_), Kind::Array) if node.kinds == Kinds::ARRAY => !is_judged && node.constraints.is_empty(),
            _ => false,
        }
    }

    /// Whether a map says nothing about all its keys together. (Missing keys are those of each document.)
    fn is_by_keys(shape: &MapShape) -> bool {
        shape.patterns.is_empty() && shape.free.iter().all(|free| free.expects.is_empty())
    }
}
