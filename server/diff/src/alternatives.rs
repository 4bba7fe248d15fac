//! Whether a value can fit two alternatives.

use crate::place::{BoundAt, Described, ids};
use lofting_document::{Key, Node};
use lofting_schema::{Choices, ConstraintKind, Kinds, Schema, SchemaId};
use rustc_hash::FxHashMap;

/// How many alternatives are compared with each other.
const MOST: usize = 200;

/// What tells an alternative from others.
struct Marks<'s> {
    kinds: Kinds,
    /// Keys whose values are listed, and whether they are required.
    keys: FxHashMap<Key, (Choices, Vec<&'s Node>, bool)>,
}

/// Whether no value fits two of these, as far as their types and the values of single keys (`kind: a`, `kind: b`) tell.
pub(crate) fn are_apart(schema: &Schema, members: &[SchemaId]) -> bool {
    if members.len() > MOST {
        return false;
    }
    let marks: Vec<Marks<'_>> = members.iter().map(|id| Marks::of(schema, *id)).collect();
    marks.iter().enumerate().all(|(index, one)| marks.iter().skip(index + 1).all(|other| one.is_apart_from(other)))
}

impl<'s> Marks<'s> {
    fn of(schema: &'s Schema, id: SchemaId) -> Marks<'s> {
        let place = Described::of(schema, &ids([id]));
        let kinds = if place.takes_null { place.kinds | Kinds::NULL } else { place.kinds };
        let key = |at: &crate::place::DeclaredAt| {
            let value = Described::of(schema, &at.below);
            let choices = value.bounds.iter().find_map(|BoundAt { bound, .. }| match &bound.kind {
                ConstraintKind::OneOf(choices) => Some(choices),
                _ => None,
            })?;
            Some((at.key.clone(), (choices.clone(), choices.iter().collect(), place.required.contains(&at.key))))
        };
        Marks { kinds, keys: place.keys.iter().filter_map(key).collect() }
    }

    fn is_apart_from(&self, other: &Marks<'_>) -> bool {
        let both = self.kinds.and(other.kinds);
        let differs = |(key, (_, values, is_required)): (&Key, &(Choices, Vec<&Node>, bool))| {
            other.keys.get(key).is_some_and(|(choices, _, also)| {
                (*is_required || *also) && values.iter().all(|value| choices.has(value) == Some(false))
            })
        };
        both == Kinds::NONE || (both == Kinds::MAP && self.keys.iter().any(differs))
    }
}
