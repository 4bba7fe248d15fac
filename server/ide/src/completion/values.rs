//! Values that fit the type at the cursor.

use super::item::{CompletionItem, CompletionOptions, ItemKind};
use super::keys;
use super::place::{ItemSlot, Quote, ValueSlot};
use crate::completion::context::Style;
use crate::completion::skeleton::Skeleton;
use crate::describe;
use crate::markdown::Page;
use crate::yaml_text::{self, Place};
use lofting_document::{Node, NodeValue};
use lofting_schema::{ConstraintKind, Schema, SchemaId, Shape};
use lofting_workspace::Snapshot;

/// More values than this are not offered.
const MAX_VALUES: usize = 1_000;

/// A value to offer.
#[derive(Clone)]
struct Candidate {
    value: NodeValue,
    kind: ItemKind,
    note: Option<String>,
    /// What the value means.
    about: Option<String>,
    schema: SchemaId,
}

/// Values for a slot. Maps and arrays on lines of their own are left to keys and items.
pub(super) fn items(
    snapshot: &Snapshot,
    schema: &Schema,
    ids: &[SchemaId],
    slot: &ValueSlot,
    options: &CompletionOptions,
) -> Vec<CompletionItem> {
    let mut items = Vec::new();
    for candidate in candidates(schema, ids, slot.own_line, options.unasked) {
        let Some(text) = text_of(&candidate.value, slot) else { continue };
        items.push(CompletionItem {
            label: label_of(&candidate.value),
            kind: candidate.kind,
            detail: candidate.note,
            documentation: match &candidate.about {
                Some(about) => Some(Page::default().description(&**about).marked(options.markup)),
                None => keys::documentation(snapshot, schema, candidate.schema, options),
            },
            edit: (slot.replace.clone(), format!("{}{text}", slot.lead)),
            is_snippet: false,
            additional_edits: Vec::new(),
            sort_text: format!("A{:05}", items.len()),
            filter_text: label_of(&candidate.value),
            deprecated: false,
            triggers_suggest: false,
        });
    }
    if slot.quote == Quote::None && !slot.own_line {
        items.extend(empty_collections(schema, ids, slot));
    }
    items
}

/// `- ` lines for a place where an array is expected.
pub(super) fn array_items(
    snapshot: &Snapshot,
    schema: &Schema,
    ids: &[SchemaId],
    slot: &ItemSlot,
    style: Style,
    options: &CompletionOptions,
) -> Vec<CompletionItem> {
    let mut items: Vec<CompletionItem> = Vec::new();
    for id in ids {
        let Shape::Array(array) = schema.node(*id).shape() else { continue };
        let mut push = |label: String, text: String, kind, is_snippet, triggers_suggest| {
            items.push(CompletionItem {
                filter_text: label.clone(),
                label,
                kind,
                detail: Some(format!("item: {}", schema.type_words(array.item))),
                documentation: keys::documentation(snapshot, schema, array.item, options),
                edit: (slot.replace.clone(), format!("{}{text}", slot.lead)),
                is_snippet,
                additional_edits: slot.fix.clone().into_iter().collect(),
                sort_text: format!("B{:05}", items.len()),
                deprecated: false,
                triggers_suggest,
            });
        };
        push("- ".to_owned(), "- ".to_owned(), ItemKind::Item, false, true);
        if let Shape::Map(map) = schema.node(array.item).shape() {
            let body = Skeleton::new(schema, style, false, options.snippets).of_map(map, slot.column + 2);
            if let Some(body) = body.filter(|_| map.keys.len() > 1) {
                push("- (all keys)".to_owned(), format!("- {}", body.text), ItemKind::Snippet, body.is_snippet, false);
            }
        }
    }
    items
}

fn empty_collections(schema: &Schema, ids: &[SchemaId], slot: &ValueSlot) -> Vec<CompletionItem> {
    let mut texts: Vec<&'static str> = Vec::new();
    for id in ids {
        match schema.node(*id).shape() {
            Shape::Map(_) if slot.flow => texts.push("{}"),
            Shape::Map(map) if map.keys.is_empty() => texts.push("{}"),
            Shape::Array(_) => texts.push("[]"),
            _ => {}
        }
    }
    texts.dedup();
    let item = |text: &str| CompletionItem {
        label: text.to_owned(),
        kind: ItemKind::Value,
        detail: Some("empty".to_owned()),
        documentation: None,
        edit: (slot.replace.clone(), format!("{}{text}", slot.lead)),
        is_snippet: false,
        additional_edits: Vec::new(),
        sort_text: "C".to_owned(),
        filter_text: text.to_owned(),
        deprecated: false,
        triggers_suggest: false,
    };
    texts.into_iter().map(item).collect()
}

/// What can be offered, without repetition: allowed values, or the default, booleans, examples; null
/// where it is allowed.
///
/// Unasked for are only values of types that take nothing else: what is typed of a number or of any string is one already,
/// and never the beginning of its default.
fn candidates(schema: &Schema, ids: &[SchemaId], own_line: bool, unasked: bool) -> Vec<Candidate> {
    if unasked && ids.iter().any(|id| takes_any_word(schema, *id)) {
        return Vec::new();
    }
    let mut found: Vec<Candidate> = Vec::new();
    let mut add = |candidate: Candidate| {
        let full = found.len() >= MAX_VALUES;
        match found.iter_mut().find(|other| other.value == candidate.value) {
            Some(known) => known.note = known.note.take().or(candidate.note),
            None if !full => found.push(candidate),
            None => {}
        }
    };
    for id in ids {
        let node = schema.node(*id);
        let candidate = |value: &NodeValue, kind, note: Option<&str>| Candidate {
            value: value.clone(),
            kind,
            note: note.map(str::to_owned),
            about: None,
            schema: *id,
        };
        let collection = matches!(node.shape(), Shape::Map(_) | Shape::Array(_));
        if collection && own_line {
            continue;
        }
        let default = node.default.as_ref().map(|default| &default.value).filter(|value| describe::is_scalar(value));
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
        let likely = !allowed && (!unasked || matches!(node.shape(), Shape::Bool));
        if let Some(default) = default.filter(|default| likely || default.value == NodeValue::Null) {
            let kind = kind_of(default);
            add(candidate(&default.value, kind, Some("default")));
        }
        if matches!(node.shape(), Shape::Bool) && !allowed {
            for value in [true, false] {
                add(candidate(&NodeValue::Bool(value), ItemKind::Constant, None));
            }
        }
        for example in &node.docs.examples {
            if describe::is_scalar(&example.value) && !allowed && !unasked {
                let note = if example.description.is_empty() { "example" } else { &example.description };
                add(candidate(&example.value.value, ItemKind::Value, Some(note)));
            }
        }
        if node.nullable || matches!(node.shape(), Shape::Null) {
            add(candidate(&NodeValue::Null, ItemKind::Constant, None));
        }
    }
    found
}

/// Whether any word can be a value: then none of them is only begun.
fn takes_any_word(schema: &Schema, id: SchemaId) -> bool {
    let node = schema.node(id);
    let listed = |kind: &ConstraintKind| matches!(kind, ConstraintKind::OneOf(_));
    match node.shape() {
        Shape::Any | Shape::Unknown => true,
        Shape::String => !node.constraints.iter().any(|found| listed(&found.kind) && !found.conditional),
        _ => false,
    }
}

fn kind_of(node: &Node) -> ItemKind {
    match node.value {
        NodeValue::Bool(_) | NodeValue::Null => ItemKind::Constant,
        _ => ItemKind::Value,
    }
}

/// The value as it is shown: texts without quotes, unless they are empty.
fn label_of(value: &NodeValue) -> String {
    match value {
        NodeValue::String(text) if !text.is_empty() => text.to_string(),
        other => plain_text(other, Place::Block).unwrap_or_default(),
    }
}

fn plain_text(value: &NodeValue, place: Place) -> Option<String> {
    yaml_text::scalar(value, place)
}

/// The text to insert; `None` for what can not stand there, as a number between quotes.
fn text_of(value: &NodeValue, slot: &ValueSlot) -> Option<String> {
    let place = if slot.flow { Place::Flow } else { Place::Block };
    let (quote, closing) = match slot.quote {
        Quote::None => return plain_text(value, place),
        Quote::Open(quote) => (quote, true),
        Quote::Closed(quote) => (quote, false),
    };
    let NodeValue::String(text) = value else { return None };
    if text.is_empty() {
        return None;
    }
    let mut out = match quote {
        '\'' => yaml_text::inside_single_quotes(text)?,
        _ => lofting_document::write::inside_double_quotes(text),
    };
    if closing {
        out.push(quote);
    }
    Some(out)
}
