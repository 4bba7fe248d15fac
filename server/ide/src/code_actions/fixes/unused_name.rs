//! Takes out what nothing uses: a name of a `load`, a `load`, or a variable whose value does nothing.

use super::{FindingFix, Rules};
use crate::code_actions::Change;
use crate::code_actions::context::Context;
use crate::code_actions::offers::Offers;
use lofting_check::{Diagnostic, rules};
use lofting_diagnostic::Confidence;
use lofting_eval::code::{BindingKind, Code, Load, TermKind};
use std::ops::Range;

pub(super) static FIX: FindingFix =
    FindingFix { rules: Rules::Of(&[&rules::UNUSED_LOAD, &rules::UNUSED_VARIABLE]), offer };

fn offer(context: &Context<'_>, finding: &Diagnostic, offers: &mut Offers<'_>) {
    let code = context.snapshot.code(context.file);
    let at = finding.span.range();
    if let Some(load) = code.loads.iter().find(|load| load.range == at) {
        let Some(line) = line_of(context, &code, &load.range) else { return };
        offers.add("Remove the load", Confidence::Likely, || Some(removed(context, line)));
    } else if let Some(load) = code.loads.iter().find(|load| load.range.start <= at.start && at.end <= load.range.end) {
        let Some(range) = with_comma(context, load, &at) else { return };
        offers.add("Remove the name", Confidence::Likely, || Some(removed(context, range)));
    } else if let Some(statement) = assignment(&code, &at) {
        let Some(line) = line_of(context, &code, &statement) else { return };
        offers.add("Remove the variable", Confidence::Possible, || Some(removed(context, line)));
    }
}

fn removed(context: &Context<'_>, range: Range<usize>) -> Change {
    Change::of(vec![(context.span(range), String::new())])
}

/// The assignment to a name, if computing its value does nothing else.
fn assignment(code: &Code, name: &Range<usize>) -> Option<Range<usize>> {
    let binding = code.bindings.iter().find(|binding| binding.range == *name)?;
    let BindingKind::Value(value) = binding.kind else { return None };
    let value = code.term(value)?.range.clone();
    let within = |range: &Range<usize>| value.start <= range.start && range.end <= value.end;
    let calls = code.terms.iter().any(|term| matches!(term.kind, TermKind::Call { .. }) && within(&term.range));
    (!calls).then_some(binding.range.start..value.end)
}

/// The whole lines of a statement that shares them with nothing else.
fn line_of(context: &Context<'_>, code: &Code, statement: &Range<usize>) -> Option<Range<usize>> {
    let text = &context.text;
    let (first, last) = (text.line_of(statement.start), text.line_of(statement.end));
    let (first, last) = (text.line_range(first), text.line_range(last));
    let before = text.slice(first.start..statement.start);
    // In a file of code, the mark is missing.
    let mark = before.trim();
    let piece = code.piece_at(statement.start)?.0;
    let is_marked = matches!(mark, "#@" | "") && piece.start <= statement.start;
    let behind = text.slice(statement.end..last.end);
    let is_alone = is_marked && behind.trim().is_empty();
    let next = text.line_range(text.line_of(last.start) + 1).start;
    is_alone.then_some(first.start..next.max(last.end))
}

/// A name of a `load` with its quotes and the comma before it.
fn with_comma(context: &Context<'_>, load: &Load, name: &Range<usize>) -> Option<Range<usize>> {
    let inside = context.text.slice(load.range.clone());
    let at = |offset: usize| offset.checked_sub(load.range.start);
    let before = inside.get(..at(name.start)?)?;
    // A name without `=` begins behind its quote.
    let comma = load.range.start + before.rfind(',')?;
    let behind = inside.get(at(name.end)?..)?;
    let end = if behind.starts_with(['"', '\'']) { name.end + 1 } else { name.end };
    let between = context.text.slice(comma..name.start);
    (!between.contains(['\n', '(', ')'])).then_some(comma..end)
}
