//! Converts a map or array from block to flow style, and back.

use super::Refactoring;
use crate::code_actions::context::Context;
use crate::code_actions::editing::Editing;
use crate::code_actions::laid_out::{block, block_item, flow};
use crate::code_actions::offers::Offers;
use crate::code_actions::{ActionKind, Change};
use crate::json::is_json;
use lofting_diagnostic::Confidence;
use lofting_syntax::{Entry, Item, Kind, ValueKind};

pub(super) static REFACTORING: Refactoring = Refactoring { kind: ActionKind::Rewrite, offer };

/// Deeper collections stay unchanged.
const DEPTH: usize = 16;
/// Maximum size of a converted collection in bytes: longer lines, or more of them, are of no use.
const SIZE: usize = 4_000;

fn offer(context: &Context<'_>, offers: &mut Offers<'_>) {
    let editing = Editing::new(context.snapshot, context.file);
    let at = context.range.start;
    if is_json(context.snapshot, context.file, editing.tree()) {
        return;
    }
    let Some(holder) = holder(&editing, at) else { return };
    let (value, name, mark) = match holder {
        Holder::Entry(entry) => (entry.value(), entry.range().start, entry.colon()),
        Holder::Item(item) => (item.value(), item.node().range().start, item.dash()),
    };
    // What is empty has one form only.
    let has_content = value.map().is_some_and(|map| map.entries().next().is_some())
        || value.seq().is_some_and(|seq| seq.items().next().is_some());
    if !has_content || value.range().len() > SIZE || value.anchor().is_some() || value.tag().is_some() {
        return;
    }
    let Some(mark) = mark.map(|mark| mark.range().end) else { return };
    let tree = context.tree();
    let between = context.span(mark..value.content_range().end);
    let in_flow = matches!(value.kind(), ValueKind::FlowMap | ValueKind::FlowSeq);
    let has_comment = context.text.slice(between.range()).contains('#');
    if in_flow {
        let line = context.text.line_range(context.text.line_of(name));
        let lead = context.text.slice(line.start..name).into_owned();
        let is_block = lead.chars().all(|c| matches!(c, ' ' | '-'));
        let after = context.text.line_range(context.text.line_of(value.content_range().end)).end;
        let is_last = context.text.slice(value.content_range().end..after).trim().is_empty();
        if is_block && is_last && !has_comment {
            let (column, style) = (lead.len(), editing.style());
            offers.add("Write it on lines of its own", Confidence::Possible, || {
                let text = match holder {
                    Holder::Entry(_) => block(&tree, value, column, style, DEPTH)?,
                    Holder::Item(_) => block_item(&tree, value, column, style, DEPTH)?,
                };
                Some(Change::replace(between, text))
            });
        }
    } else if !has_comment {
        offers.add("Write it on one line", Confidence::Possible, || {
            Some(Change::replace(between, format!(" {}", flow(&tree, value, DEPTH)?)))
        });
    }
}

/// What a collection belongs to.
#[derive(Clone, Copy)]
enum Holder<'t> {
    Entry(Entry<'t>),
    Item(Item<'t>),
}

/// What holds the outermost collection in flow style around an offset; where none is, the entry whose key is there. What
/// is inside brackets has no lines of its own.
fn holder<'t>(editing: &'t Editing, at: usize) -> Option<Holder<'t>> {
    let path = editing.tree().path_at(at);
    let Some(outermost) = path.iter().position(|node| matches!(node.kind(), Kind::FlowMap | Kind::FlowSeq)) else {
        return editing.entry_at(at).map(Holder::Entry);
    };
    let above = path.get(outermost.checked_sub(1)?)?;
    let item = || Item::cast(*above).map(Holder::Item);
    Entry::cast(*above).map(Holder::Entry).or_else(item)
}
