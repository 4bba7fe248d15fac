//! The values that a schema suggests for a place.

use crate::completion_item::{About, ItemKind};
use crate::describe;
use crate::governing::is_listed;
use crate::markdown::Page;
use lofting_check::{NodeView, Root, ValuesCheck};
use lofting_diagnostic::Severity;
use lofting_document::{Node, NodeValue};
use lofting_schema::{ConstraintKind, Kinds, Schema, SchemaId, Shape};
use std::sync::Arc;

/// Maximum number of offered values.
const MAX_VALUES: usize = 1_000;

/// A value to offer.
#[derive(Clone)]
pub(crate) struct Candidate {
    pub value: NodeValue,
    pub kind: ItemKind,
    pub note: Option<String>,
    /// It holds where the key is not written.
    pub is_default: bool,
    /// What the value means.
    pub about: Option<String>,
    pub schema: SchemaId,
}

/// A text that a value can be.
pub(crate) struct LikelyText {
    /// The text itself.
    pub text: String,
    /// In a few words: its type, or where it comes from.
    pub detail: Option<String>,
    /// What the schema says about it.
    pub about: Option<About>,
}

/// The texts that a value can be, as far as they are known.
pub(crate) fn texts(schema: &Arc<Schema>, id: SchemaId) -> Vec<LikelyText> {
    let known = candidates(schema, &[id], false, false).into_iter();
    let text = |candidate: Candidate| match candidate.value {
        NodeValue::String(text) if !text.is_empty() => {
            let about = match &candidate.about {
                Some(about) => Page::default().description(&**about).into(),
                None => About::Node(schema.clone(), id),
            };
            Some(LikelyText { text: text.to_string(), detail: candidate.note, about: Some(about) })
        }
        _ => None,
    };
    known.filter_map(text).collect()
}

/// The values to offer, without repetition: allowed values, or else the default, booleans and examples; null where it
/// is allowed.
///
/// In lists that editors request by themselves, only values of types that accept nothing else are offered: a half-typed
/// number or string is a valid value already, and not the beginning of its default.
pub(crate) fn candidates(schema: &Schema, ids: &[SchemaId], own_line: bool, unasked: bool) -> Vec<Candidate> {
    if unasked && ids.iter().any(|id| takes_any_word(schema, *id)) {
        return Vec::new();
    }
    let mut found: Vec<Candidate> = Vec::new();
    let mut add = |candidate: Candidate| {
        let full = found.len() >= MAX_VALUES;
        match found.iter_mut().find(|other| other.value == candidate.value) {
            Some(known) => {
                known.note = known.note.take().or(candidate.note);
                known.is_default |= candidate.is_default;
            }
            None if !full => found.push(candidate),
            None => {}
        }
    };
    for id in ids {
        let node = schema.node(*id);
        let default = node.default.as_ref().map(|default| &default.value);
        let is_possible = |value: &Node| describe::is_scalar(value) && is_accepted(schema, *id, value);
        let default = default.filter(|value| is_possible(value));
        let candidate = |value: &NodeValue, kind, note: Option<&str>| Candidate {
            value: value.clone(),
            kind,
            note: note.map(str::to_owned),
            is_default: default.is_some_and(|default| default.value == *value),
            about: None,
            schema: *id,
        };
        let collection = matches!(node.shape(), Shape::Map(_) | Shape::Array(_));
        if collection && own_line {
            continue;
        }
        let mut allowed = false;
        for constraint in &node.constraints {
            let ConstraintKind::OneOf(values) = &constraint.kind else { continue };
            allowed |= !constraint.conditional;
            for (index, value) in values.iter().enumerate().filter(|(_, value)| describe::is_scalar(value)) {
                let is_default = default.is_some_and(|default| default.value == value.value);
                let about = node.docs.of_values.get(index).filter(|about| !about.is_empty()).cloned();
                let candidate = candidate(&value.value, ItemKind::EnumMember, is_default.then_some("default"));
                add(Candidate { about, ..candidate });
            }
        }
        for constraint in node.constraints.iter().filter(|it| !allowed && !it.conditional) {
            let ConstraintKind::Pattern(pattern) = &constraint.kind else { continue };
            for word in pattern.words().unwrap_or_default() {
                add(candidate(&NodeValue::String(word.as_str().into()), ItemKind::EnumMember, None));
            }
        }
        let likely = !allowed && (!unasked || matches!(node.shape(), Shape::Bool));
        if let Some(default) = default.filter(|default| likely || default.value == NodeValue::Null) {
            let kind = kind_of(default);
            add(candidate(&default.value, kind, Some("default")));
        }
        // Words that mean something beside other kinds of values; of a value that can be anything they say nothing.
        let takes_bool = node.kinds != Kinds::ANY && node.kinds.has(Kinds::BOOL);
        if (takes_bool || matches!(node.shape(), Shape::Bool)) && !allowed {
            for value in [true, false] {
                add(candidate(&NodeValue::Bool(value), ItemKind::Constant, None));
            }
        }
        for example in &node.docs.examples {
            if !allowed && !unasked && is_possible(&example.value) {
                let note = if example.description.is_empty() { "example" } else { &example.description };
                add(candidate(&example.value.value, ItemKind::Value, Some(note)));
            }
        }
        if node.nullable || matches!(node.shape(), Shape::Null) {
            add(candidate(&NodeValue::Null, ItemKind::Constant, None));
        }
    }
    // The rest keeps the order of the schema.
    found.sort_by_key(|candidate| !candidate.is_default);
    found
}

/// Whether a node accepts a value by itself. What the schema itself refuses is a mistake in it, which no text should
/// repeat.
pub(crate) fn is_accepted(schema: &Schema, id: SchemaId, value: &Node) -> bool {
    lofting_memo::step();
    let check = ValuesCheck::alone(schema, &());
    let root = Root { is_value: true, ..Root::new(NodeView(value), value.span) };
    let found = check.run_at(root, id).into_diagnostics();
    found.iter().all(|finding| finding.severity > Severity::Warning)
}

/// Whether any word is a valid value, so that no word is merely begun.
pub(crate) fn takes_any_word(schema: &Schema, id: SchemaId) -> bool {
    let is_any = matches!(schema.node(id).shape(), Shape::Any | Shape::Unknown | Shape::String);
    is_any && !is_listed(schema, id)
}

fn kind_of(node: &Node) -> ItemKind {
    match node.value {
        NodeValue::Bool(_) | NodeValue::Null => ItemKind::Constant,
        _ => ItemKind::Value,
    }
}
