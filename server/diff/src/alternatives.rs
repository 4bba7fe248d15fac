//! Whether a value can fit two alternatives.

use crate::place::{DeclaredAt, Described, ids};
use lofting_document::Key;
use lofting_schema::{Choices, Kinds, Schema, SchemaId};
use rustc_hash::FxHashMap;

/// How many alternatives are compared with each other.
const MOST: usize = 200;

/// What tells an alternative from others.
struct Marks {
    kinds: Kinds,
    /// Keys whose values are listed, and whether they are required.
    keys: FxHashMap<Key, (Choices, bool)>,
}

/// Whether no value fits two of these, as far as their types and the values of single keys (`kind: a`, `kind: b`) tell.
pub(crate) fn are_apart(schema: &Schema, members: &[SchemaId]) -> bool {
    if members.len() > MOST {
        return false;
    }
    let marks: Vec<Marks> = members.iter().map(|id| Marks::of(schema, *id)).collect();
    marks.iter().enumerate().all(|(index, one)| marks.iter().skip(index + 1).all(|other| one.is_apart_from(other)))
}

impl Marks {
    fn of(schema: &Schema, id: SchemaId) -> Marks {
        let place = Described::of(schema, &ids([id]));
        let kinds = place.accepted;
        let key = |at: &DeclaredAt| {
            let choices = Described::of(schema, &at.below).listed?.choices();
            Some((at.key.clone(), (choices, place.required.contains(&at.key))))
        };
        Marks { kinds, keys: place.keys.iter().filter_map(key).collect() }
    }

    fn is_apart_from(&self, other: &Marks) -> bool {
        let both = self.kinds.and(other.kinds);
        let differs = |(key, (own, is_required)): (&Key, &(Choices, bool))| {
            other.keys.get(key).is_some_and(|(choices, also)| {
                (*is_required || *also) && own.iter().all(|value| choices.has(value) == Some(false))
            })
        };
        both == Kinds::NONE || (both == Kinds::MAP && self.keys.iter().any(differs))
    }
}
