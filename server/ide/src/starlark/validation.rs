//! The parameters of a lambda in `@schema/validation`: the value, and the context with the surrounding maps
//! (docs/ytt.md 13.5).

use super::view::CodeView;
use crate::pages::{comment_at, declared_below};
use lofting_document::Key;
use lofting_eval::code::{BindingKind, TermId, TermKind};
use lofting_schema::{Schema, SchemaId, Shape};
use std::sync::Arc;

/// The meaning of an expression in a validation.
pub(super) enum ArgumentMeaning {
    /// `ctx`
    Context,
    /// The value of a node: the one that is validated, or a map around it.
    Value(Arc<Schema>, SchemaId),
}

/// The meaning of the expression, if it is a parameter of a lambda in a validation, or `ctx.parent` or `ctx.root`.
pub(super) fn given(view: &CodeView<'_>, id: TermId) -> Option<ArgumentMeaning> {
    let term = view.code.term(id)?;
    match &term.kind {
        TermKind::Name(name) => {
            let binding = view.binding(term.scope, name, term.range.start)?;
            match binding.kind {
                BindingKind::Parameter { function: None, index: 0 } => {
                    let (schema, node) = validated(view, term.range.start)?;
                    Some(ArgumentMeaning::Value(schema, node))
                }
                BindingKind::Parameter { function: None, index: 1 } => {
                    validation_at(view, term.range.start).map(|_| ArgumentMeaning::Context)
                }
                _ => None,
            }
        }
        TermKind::Attribute { of, name, .. } => {
            let ArgumentMeaning::Context = given_context(view, *of)? else { return None };
            let (schema, node) = validated(view, term.range.start)?;
            let around = match name.as_str() {
                "root" => schema.root(),
                "parent" => parent(&schema, node)?,
                _ => return None,
            };
            Some(ArgumentMeaning::Value(schema, around))
        }
        _ => None,
    }
}

fn given_context(view: &CodeView<'_>, id: TermId) -> Option<ArgumentMeaning> {
    matches!(view.code.term(id)?.kind, TermKind::Name(_)).then(|| given(view, id))?
}

/// The keys of a map.
pub(super) fn keys(schema: &Schema, id: SchemaId) -> Vec<(String, SchemaId)> {
    let Shape::Map(map) = schema.node(id).shape() else { return Vec::new() };
    let named = map.keys.iter().filter_map(|key| match &key.key {
        Key::String(name) => Some((name.to_string(), key.schema)),
        _ => None,
    });
    named.collect()
}

/// Where the validation ends whose comment contains an offset.
fn validation_at(view: &CodeView<'_>, offset: usize) -> Option<usize> {
    let tree = view.snapshot.tree(view.file);
    let (start, text) = comment_at(&tree, offset)?;
    text.starts_with("#@schema/validation").then_some(start + text.len())
}

/// The node below the validation whose comment contains an offset.
fn validated(view: &CodeView<'_>, offset: usize) -> Option<(Arc<Schema>, SchemaId)> {
    declared_below(view.snapshot, view.file, validation_at(view, offset)?)
}

/// The map with a node as the value of a key.
fn parent(schema: &Schema, node: SchemaId) -> Option<SchemaId> {
    let holds = |shape: Shape<'_>| matches!(shape, Shape::Map(map) if map.keys.iter().any(|key| key.schema == node));
    schema.nodes().find(|(_, other)| holds(other.shape())).map(|(id, _)| id)
}
