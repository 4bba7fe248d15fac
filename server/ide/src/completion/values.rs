//! Values that fit the type at the cursor.

use super::place::{ItemSlot, Quote, ValueSlot};
use crate::completion::context::Style;
use crate::completion::skeleton::Skeleton;
use crate::completion_item::{About, CompletionItem, CompletionOptions, ItemKind};
use crate::likely_values::{candidates, takes_any_word};
use crate::markdown::Page;
use crate::yaml_text::{self, ScalarContext};
use lofting_document::NodeValue;
use lofting_schema::{ConstraintKind, Schema, SchemaId, Shape};
use std::sync::Arc;

/// A list of more values is opened by the first letter, not before it.
const MAX_CHOICES: usize = 20;

/// The values for a slot, if they are few and nothing else can be meant.
pub(super) fn choices(
    schema: &Arc<Schema>,
    ids: &[SchemaId],
    refuses: &dyn Fn(&NodeValue) -> bool,
    slot: &ValueSlot,
    style: Style,
    options: &CompletionOptions,
) -> Vec<CompletionItem> {
    let is_closed = |id: &SchemaId| {
        let node = schema.node(*id);
        let listed = |kind: &ConstraintKind| matches!(kind, ConstraintKind::OneOf(_));
        matches!(node.shape(), Shape::Bool | Shape::Null)
            || node.constraints.iter().any(|found| listed(&found.kind) && !found.conditional)
    };
    if !ids.iter().all(is_closed) {
        return Vec::new();
    }
    let mut items = items(schema, ids, refuses, slot, style, options);
    // One value is not a choice. A user who types a value without the quotes that it needs may mean just that.
    let is_quoted = |item: &CompletionItem| item.edit.1 != item.filter_text;
    if items.len() < 2 || items.len() > MAX_CHOICES || items.iter().any(is_quoted) {
        items.clear();
    }
    items
}

/// Values for a slot that are not refused. Maps and arrays on their own lines are left to keys and items.
pub(super) fn items(
    schema: &Arc<Schema>,
    ids: &[SchemaId],
    refuses: &dyn Fn(&NodeValue) -> bool,
    slot: &ValueSlot,
    style: Style,
    options: &CompletionOptions,
) -> Vec<CompletionItem> {
    let mut items = Vec::new();
    for candidate in candidates(schema, ids, slot.own_line, options.unasked) {
        if refuses(&candidate.value) {
            continue;
        }
        let Some(text) = text_of(&candidate.value, slot, style) else { continue };
        let edit = (slot.replace.clone(), format!("{}{text}", slot.lead));
        items.push(CompletionItem {
            detail: candidate.note,
            about: Some(match &candidate.about {
                Some(about) => Page::default().description(&**about).into(),
                None => About::Node(schema.clone(), candidate.schema),
            }),
            sort_text: format!("A{:05}", items.len()),
            ..CompletionItem::new(label_of(&candidate.value), candidate.kind, edit)
        });
    }
    if slot.quote == Quote::None && !slot.own_line {
        items.extend(empty_collections(schema, ids, slot));
    }
    items
}

/// `- ` lines where an array is expected.
pub(super) fn array_items(
    schema: &Arc<Schema>,
    ids: &[SchemaId],
    slot: &ItemSlot,
    style: Style,
    options: &CompletionOptions,
) -> Vec<CompletionItem> {
    let mut items: Vec<CompletionItem> = Vec::new();
    for id in ids {
        let Shape::Array(array) = schema.node(*id).shape() else { continue };
        let mut push = |label: String, text: String, kind, is_snippet, triggers_suggest| {
            let edit = (slot.replace.clone(), format!("{}{text}", slot.lead));
            items.push(CompletionItem {
                detail: Some(format!("item: {}", schema.type_words(array.item))),
                about: Some(About::Node(schema.clone(), array.item)),
                is_snippet,
                additional_edits: slot.fix.clone().into_iter().collect(),
                sort_text: format!("B{:05}", items.len()),
                triggers_suggest,
                ..CompletionItem::new(label, kind, edit)
            });
        };
        push("- ".to_owned(), "- ".to_owned(), ItemKind::Item, false, true);
        if let Shape::Map(map) = schema.node(array.item).shape() {
            let body = Skeleton::new(schema, style, false, options.snippets).of_map(array.item, slot.column + 2);
            if let Some(body) = body.filter(|_| map.keys.len() > 1) {
                push("- (all keys)".to_owned(), format!("- {}", body.text), ItemKind::Snippet, body.is_snippet, false);
            }
        }
    }
    items
}

/// `- ` where anything is allowed, on a line of its own: as the first thing below a key, or below other items.
pub(super) fn item_of_anything(slot: &ItemSlot, options: &CompletionOptions) -> Option<CompletionItem> {
    let is_on_line_of_key = slot.lead.contains('\n');
    (!options.unasked && !is_on_line_of_key).then(|| CompletionItem {
        detail: Some("item".to_owned()),
        additional_edits: slot.fix.clone().into_iter().collect(),
        sort_text: "f".to_owned(),
        ..CompletionItem::new("- ", ItemKind::Item, (slot.replace.clone(), format!("{}- ", slot.lead)))
    })
}

/// Whether a value is a text, and no list says which.
pub(super) fn takes_any_text(schema: &Schema, id: SchemaId) -> bool {
    matches!(schema.node(id).shape(), Shape::String) && takes_any_word(schema, id)
}

/// Whether there is something to choose from where the value of a new key begins: below it for a collection.
pub(super) fn any(schema: &Schema, id: SchemaId) -> bool {
    match schema.node(id).shape() {
        Shape::Map(map) => !map.keys.is_empty(),
        Shape::Array(array) => match schema.node(array.item).shape() {
            Shape::Map(map) => !map.keys.is_empty(),
            _ => has_choice(schema, array.item),
        },
        _ => has_choice(schema, id),
    }
}

/// Whether a scalar can be something other than its default, and what that is is known.
fn has_choice(schema: &Schema, id: SchemaId) -> bool {
    candidates(schema, &[id], false, false).iter().any(|candidate| !candidate.is_default)
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
        detail: Some("empty".to_owned()),
        sort_text: "C".to_owned(),
        ..CompletionItem::new(text, ItemKind::Value, (slot.replace.clone(), format!("{}{text}", slot.lead)))
    };
    texts.into_iter().map(item).collect()
}

/// The value as shown: strings without quotes, unless they are empty.
fn label_of(value: &NodeValue) -> String {
    match value {
        NodeValue::String(text) if !text.is_empty() => text.to_string(),
        other => plain_text(other, ScalarContext::Block).unwrap_or_default(),
    }
}

fn plain_text(value: &NodeValue, place: ScalarContext) -> Option<String> {
    yaml_text::scalar(value, place)
}

/// The text to insert; `None` if the value is not possible there, such as a number between quotes.
fn text_of(value: &NodeValue, slot: &ValueSlot, style: Style) -> Option<String> {
    let place = style.scalars(slot.flow);
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
        _ => yaml_text::inside_double_quotes(text, place),
    };
    if closing {
        out.push(quote);
    }
    Some(out)
}
