//! Converts a map or array from block to flow style, and back.

use super::Refactoring;
use crate::code_actions::context::Context;
use crate::code_actions::editing::Editing;
use crate::code_actions::laid_out::{block, flow};
use crate::code_actions::offers::Offers;
use crate::code_actions::{ActionKind, Change};
use lofting_diagnostic::Confidence;
use lofting_syntax::ValueKind;

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
        let after = context.text.line_range(context.text.line_of(value.content_range().end)).end;
        let is_last = context.text.slice(value.content_range().end..after).trim().is_empty();
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
