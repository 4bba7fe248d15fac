//! Converts a map or array from block to flow style, and back.

use super::Refactoring;
use crate::code_actions::context::Context;
use crate::code_actions::editing::Editing;
use crate::code_actions::offers::Offers;
use crate::code_actions::{ActionKind, Change};
use crate::completion::Style;
use lofting_diagnostic::Confidence;
use lofting_document::write::double_quoted;
use lofting_syntax::{Kind, Tree, Value, ValueKind};

pub(super) static REFACTORING: Refactoring = Refactoring { kind: ActionKind::Rewrite, offer };

/// Deeper collections stay unchanged.
const DEPTH: usize = 16;
/// Maximum size of a converted collection in bytes: longer lines, or more of them, are of no use.
const SIZE: usize = 4_000;

fn offer(context: &Context<'_>, offers: &mut Offers<'_>) {
    let editing = Editing::new(context.snapshot, context.file);
    let Some(entry) = editing.entry_at(context.range.start) else { return };
    let value = entry.value();
    let is_collection = value.map().is_some() || value.seq().is_some();
    if !is_collection || value.range().len() > SIZE || value.anchor().is_some() || value.tag().is_some() {
        return;
    }
    let Some(colon) = entry.colon().map(|colon| colon.range().end) else { return };
    let tree = context.tree();
    let between = context.span(colon..value.content_range().end);
    let in_flow = matches!(value.kind(), ValueKind::FlowMap | ValueKind::FlowSeq);
    let has_comment = context.text.slice(between.range()).contains('#');
    if in_flow {
        let line = context.text.line_range(context.text.line_of(entry.range().start));
        let lead = context.text.slice(line.start..entry.range().start).into_owned();
        let is_block = lead.chars().all(|c| matches!(c, ' ' | '-'));
        let behind = context.text.line_range(context.text.line_of(value.content_range().end)).end;
        let is_last = context.text.slice(value.content_range().end..behind).trim().is_empty();
        if is_block && is_last && !has_comment {
            let (column, style) = (lead.len(), editing.style());
            offers.add("Write it on lines of its own", Confidence::Possible, || {
                Some(Change::replace(between, block(&tree, value, column, style, DEPTH)?))
            });
        }
    } else if !has_comment {
        offers.add("Write it on one line", Confidence::Possible, || {
            Some(Change::replace(between, format!(" {}", flow(&tree, value, DEPTH)?)))
        });
    }
}

/// A value in flow style; None if it cannot be written there.
fn flow(tree: &Tree, value: Value<'_>, depth: usize) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    let written = if let Some(map) = value.map() {
        let entry = |entry: lofting_syntax::Entry<'_>| {
            let key = flow(tree, entry.key()?, 1)?;
            entry.question().is_none().then_some(())?;
            Some(format!("{key}: {}", flow(tree, entry.value(), depth)?).trim_end().to_owned())
        };
        let entries: Option<Vec<String>> = map.entries().map(entry).collect();
        format!("{{{}}}", entries?.join(", "))
    } else if let Some(seq) = value.seq() {
        let items: Option<Vec<String>> = seq.items().map(|item| flow(tree, item.value(), depth)).collect();
        format!("[{}]", items?.join(", "))
    } else {
        let text = tree.text(value.content_range()).into_owned();
        let special = |c: char| matches!(c, ',' | '[' | ']' | '{' | '}');
        match value.kind() {
            ValueKind::Missing => "null".to_owned(),
            ValueKind::Plain if text.contains(special) => double_quoted(&text),
            ValueKind::Plain | ValueKind::SingleQuoted | ValueKind::DoubleQuoted if !text.contains('\n') => text,
            // Text that follows an alias directly would become part of its name.
            _ => return None,
        }
    };
    let plain = value.anchor().is_none() && value.tag().is_none();
    plain.then_some(written)
}

/// The text after the colon of a key at a column: a value in block style.
fn block(tree: &Tree, value: Value<'_>, column: usize, style: Style, depth: usize) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    if value.anchor().is_some() || value.tag().is_some() {
        return None;
    }
    let room = |column: usize| format!("{}{}", style.newline, " ".repeat(column));
    if let Some(map) = value.map().filter(|map| map.entries().next().is_some()) {
        let column = column + style.indent;
        let entries: Option<Vec<String>> = map
            .entries()
            .map(|entry| Some(format!("{}{}", room(column), key_and_value(tree, entry, column, style, depth)?)))
            .collect();
        return Some(entries?.concat());
    }
    if let Some(seq) = value.seq().filter(|seq| seq.items().next().is_some()) {
        let column = column + style.dash;
        let item = |item: lofting_syntax::Item<'_>| {
            let value = item.value();
            let first = match value.map().filter(|map| map.entries().next().is_some()) {
                // The first key follows the dash.
                Some(map) => {
                    let plain = value.anchor().is_none() && value.tag().is_none();
                    plain.then_some(())?;
                    let keys: Option<Vec<String>> =
                        map.entries().map(|entry| key_and_value(tree, entry, column + 2, style, depth)).collect();
                    format!(" {}", keys?.join(&room(column + 2)))
                }
                None => block(tree, value, column, style, depth)?,
            };
            Some(format!("{}-{first}", room(column)))
        };
        let items: Option<Vec<String>> = seq.items().map(item).collect();
        return Some(items?.concat());
    }
    let text = tree.text(value.content_range()).into_owned();
    (!text.contains('\n')).then(|| if text.is_empty() { text } else { format!(" {text}") })
}

/// A key of a map at a column, with its value in block style.
pub(super) fn key_and_value(
    tree: &Tree,
    entry: lofting_syntax::Entry<'_>,
    column: usize,
    style: Style,
    depth: usize,
) -> Option<String> {
    let key = entry.key().filter(|_| entry.question().is_none())?;
    let is_scalar = key.node().is_none_or(|node| !matches!(node.kind(), Kind::FlowMap | Kind::FlowSeq));
    let name = tree.text(key.range()).into_owned();
    let value = block(tree, entry.value(), column, style, depth)?;
    (is_scalar && !name.contains('\n')).then(|| format!("{name}:{value}"))
}
