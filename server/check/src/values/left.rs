//! The left side of a merge, as far as it is known. It decides whether a wrong value fails in the merge or in the type
//! check (docs/ytt.md 11.2, 14.1).

use crate::view::{Count, Kind, node_kind};
use lofting_document::{Key, Map, Node, NodeValue};
use lofting_schema::{Schema, SchemaId, SchemaNode, Shape};

/// The existing value at a place.
#[derive(Debug, Clone, Copy)]
pub(super) enum Left<'a> {
    /// There is no value yet: the new value is used as a whole.
    Fresh,
    /// The default of a schema node.
    Default(SchemaId),
    /// This value; its missing keys have been added from the schema.
    Value(&'a Node),
    /// There may be some value, but it is not known which.
    Uncertain,
}

/// The values under the keys of a [`Left`].
pub(super) enum Children<'a> {
    /// There is no value yet: the new value is used as a whole.
    Fresh,
    /// Not known.
    Uncertain,
    /// Every declared key has its default.
    Defaults,
    /// A map with these entries; other declared keys have their defaults.
    Map(&'a Map),
}

impl<'a> Children<'a> {
    fn of(node: &'a Node) -> Self {
        match &node.value {
            _ if node.partial => Children::Uncertain,
            NodeValue::Unknown => Children::Uncertain,
            NodeValue::Map(items) => Children::Map(items),
            _ => Children::Fresh,
        }
    }

    /// The value under `key`, whose node is `child`. None if there is certainly none.
    pub fn get(&self, key: &Key, child: Option<SchemaId>) -> Option<Left<'a>> {
        match self {
            Children::Fresh => Some(Left::Fresh),
            Children::Uncertain => Some(Left::Uncertain),
            Children::Defaults => child.map(Left::Default),
            Children::Map(items) => match items.value(key) {
                Some(node) => Some(Left::Value(node)),
                None => child.map(Left::Default),
            },
        }
    }
}

/// The part of a [`Left`] that decides how a value merges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Existing {
    /// Nothing or null: the new value replaces it.
    Nothing,
    /// A value of this kind.
    Kind(Kind),
    /// Not known.
    Uncertain,
}

impl<'a> Left<'a> {
    /// The existing value.
    pub fn existing(self, schema: &Schema, certain: bool) -> Existing {
        match self {
            Left::Fresh => Existing::Nothing,
            Left::Uncertain => Existing::Uncertain,
            Left::Value(node) => of(node),
            Left::Default(id) => default(schema.node(id), certain),
        }
    }

    /// The existing values under the keys of this place.
    pub fn children(self, schema: &'a Schema, certain: bool) -> Children<'a> {
        match self {
            Left::Fresh => Children::Fresh,
            Left::Uncertain => Children::Uncertain,
            Left::Value(node) => Children::of(node),
            Left::Default(id) => {
                let node = schema.node(id);
                match &node.default {
                    _ if !certain && (node.nullable || matches!(node.shape(), Shape::Any)) => Children::Uncertain,
                    Some(default) if default.explicit || node.kinds.is_several() => Children::of(&default.value),
                    _ => Children::Defaults,
                }
            }
        }
    }
}

fn of(node: &Node) -> Existing {
    match node_kind(&node.value) {
        Kind::Null => Existing::Nothing,
        Kind::Unknown => Existing::Uncertain,
        kind => Existing::Kind(kind),
    }
}

/// The kind of a node's default. If earlier values are unknown (`certain` is false), only what the type itself
/// determines is known.
fn default(node: &SchemaNode, certain: bool) -> Existing {
    if !certain && node.nullable {
        return Existing::Uncertain;
    }
    let kind = match node.shape() {
        Shape::Any | Shape::Unknown | Shape::Union(_) => None,
        Shape::Null => return Existing::Nothing,
        Shape::Bool => Some(Kind::Bool),
        Shape::Int => Some(Kind::Int),
        Shape::Float => Some(Kind::Float),
        Shape::String => Some(Kind::String),
        Shape::Map(_) => Some(Kind::Map),
        Shape::Array(_) => Some(Kind::Array),
    };
    match kind {
        // Earlier values passed the type check, so they have this kind.
        Some(kind) if !node.nullable => Existing::Kind(kind),
        _ if !certain => Existing::Uncertain,
        _ => match &node.default {
            Some(default) if matches!(default.value.value, NodeValue::Unknown) => Existing::Uncertain,
            Some(default) => of(&default.value),
            None if node.nullable => Existing::Nothing,
            None => kind.map_or(Existing::Uncertain, Existing::Kind),
        },
    }
}

/// The expected number of matches for a key: the key's own annotation, or else the inherited one.
pub(super) fn effective(own: Count, inherited: Count) -> Count {
    if own == Count::Inherit { inherited } else { own }
}
