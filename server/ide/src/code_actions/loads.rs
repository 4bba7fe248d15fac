//! Loads, and the names in them, that nothing uses any more.

use super::Change;
use super::context::Context;
use lofting_check::{check_unused, rules};
use lofting_document::Span;
use lofting_eval::code::{Code, Load};
use std::ops::Range;

/// What can be taken out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Loaded {
    /// A whole `load`.
    All,
    /// A name of it.
    Name,
}

/// What has to be removed to be rid of what is at `at`: a `load` or one of its names, as findings mark them.
pub(super) fn without_name(context: &Context<'_>, code: &Code, at: &Range<usize>) -> Option<(Loaded, Range<usize>)> {
    if let Some(load) = code.loads.iter().find(|load| load.range == *at) {
        return Some((Loaded::All, line_of(context, code, &load.range)?));
    }
    let load = code.loads.iter().find(|load| load.range.start <= at.start && at.end <= load.range.end)?;
    Some((Loaded::Name, with_comma(context, load, at)?))
}

/// The change, together with the removal of loads above it whose last use it takes away.
pub(super) fn without_loads(context: &Context<'_>, mut change: Change) -> Change {
    let (snapshot, file) = (context.snapshot, context.file);
    let Some(after) = change.apply(file, &context.text.to_string()) else { return change };
    // Above the first edit, places are the same before and after.
    let starts = change.edits.iter().filter(|(span, _)| span.file == file).map(|(span, _)| span.range().start);
    let first = starts.min().unwrap_or(0);
    let unused = |code: &Code| -> Vec<Span> {
        let found = check_unused(file, code, true).into_iter();
        found.filter(|finding| finding.rule == &rules::UNUSED_LOAD).map(|finding| finding.span).collect()
    };
    let code = snapshot.code(file);
    let before = unused(&code);
    for span in unused(&snapshot.with_text(file, &after).code(file)) {
        let removed = without_name(context, &code, &span.range()).filter(|(_, range)| range.end <= first);
        if let Some((_, range)) = removed.filter(|_| !before.contains(&span)) {
            change.edits.push((context.span(range), String::new()));
        }
    }
    change
}

/// The whole lines of a statement that shares them with nothing else.
pub(super) fn line_of(context: &Context<'_>, code: &Code, statement: &Range<usize>) -> Option<Range<usize>> {
    let text = &context.text;
    let (first, last) = (text.line_of(statement.start), text.line_of(statement.end));
    let (first, last) = (text.line_range(first), text.line_range(last));
    let before = text.slice(first.start..statement.start);
    // In a file of code, the mark is missing.
    let mark = before.trim();
    let piece = code.piece_at(statement.start)?.0;
    let is_marked = matches!(mark, "#@" | "") && piece.start <= statement.start;
    let following = text.slice(statement.end..last.end);
    let is_alone = is_marked && following.trim().is_empty();
    let next = text.line_range(text.line_of(last.start) + 1).start;
    is_alone.then_some(first.start..next.max(last.end))
}

/// A name of a `load` with its quotes and the comma before it.
fn with_comma(context: &Context<'_>, load: &Load, name: &Range<usize>) -> Option<Range<usize>> {
    let inside = context.text.slice(load.range.clone());
    let at = |offset: usize| offset.checked_sub(load.range.start);
    let before = inside.get(..at(name.start)?)?;
    // A name without `=` begins after its quote.
    let comma = load.range.start + before.rfind(',')?;
    let following = inside.get(at(name.end)?..)?;
    let end = if following.starts_with(['"', '\'']) { name.end + 1 } else { name.end };
    let between = context.text.slice(comma..name.start);
    (!between.contains(['\n', '(', ')'])).then_some(comma..end)
}
