//! Turns a map into the only item of an array, where an array is required.

use super::{FindingFix, Rules};
use crate::code_actions::Change;
use crate::code_actions::context::Context;
use crate::code_actions::editing::Editing;
use crate::code_actions::governed::{Governed, governed_at};
use crate::code_actions::offers::Offers;
use lofting_check::{Diagnostic, rules};
use lofting_diagnostic::Confidence;
use lofting_schema::{SchemaId, Shape};

pub(super) static FIX: FindingFix = FindingFix { rules: Rules::Of(&[&rules::TYPE_MISMATCH]), offer };

fn offer(context: &Context<'_>, finding: &Diagnostic, offers: &mut Offers<'_>) {
    let wants_array = finding.expected.as_deref().is_some_and(|expected| expected.starts_with("array"));
    if !wants_array || finding.found.as_deref() != Some("map") {
        return;
    }
    let editing = Editing::new(context.snapshot, context.file);
    let Some(entry) = editing.entry_at(finding.span.range().start) else { return };
    let value = entry.value();
    let takes_map = |governed: Governed<'_>| {
        let item = |id: &SchemaId| match governed.schema.node(*id).shape() {
            Shape::Array(array) => Some(array.item),
            _ => None,
        };
        let is_map =
            |id: SchemaId| matches!(governed.schema.node(id).shape(), Shape::Map(_) | Shape::Any | Shape::Unknown);
        governed.nodes.iter().filter_map(item).any(is_map)
    };
    if !governed_at(context, &editing, finding.span).is_some_and(takes_map) {
        return;
    }
    let Some(map) = value.map().filter(|_| value.anchor().is_none() && value.tag().is_none()) else { return };
    if map.is_flow() {
        let (start, end) = (map.range().start, value.content_range().end);
        let brackets = [(start, "["), (end, "]")].map(|(at, text)| (context.span(at..at), text.to_owned()));
        offers.add("Make it the item of an array", Confidence::Likely, || Some(Change::of(brackets.to_vec())));
        return;
    }
    offers.add("Make it the item of an array", Confidence::Likely, || {
        let lines = context.text.line_of(map.range().start)..=context.text.line_of(value.content_range().end);
        let mut edits = Vec::new();
        for number in lines {
            let line = context.text.line_range(number);
            let is_first = edits.is_empty();
            if is_first && context.text.slice(line.start..map.range().start).trim().is_empty() {
                let at = map.range().start;
                edits.push((context.span(at..at), "- ".to_owned()));
            } else if !line.is_empty() && !is_first {
                edits.push((context.span(line.start..line.start), "  ".to_owned()));
            }
        }
        (!edits.is_empty()).then(|| Change::of(edits))
    });
}
