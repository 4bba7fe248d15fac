//! Adds the missing end of a code block, and removes an end without a block.

use super::{FindingFix, Rules};
use crate::code_actions::Change;
use crate::code_actions::context::Context;
use crate::code_actions::editing::Editing;
use crate::code_actions::offers::Offers;
use lofting_check::{Diagnostic, rules};
use lofting_diagnostic::Confidence;

pub(super) static FIX: FindingFix =
    FindingFix { rules: Rules::Of(&[&rules::UNCLOSED_BLOCK, &rules::UNEXPECTED_END]), offer };

fn offer(context: &Context<'_>, finding: &Diagnostic, offers: &mut Offers<'_>) {
    let number = context.text.line_of(finding.span.range().start);
    let line = context.text.line_range(number);
    let text = context.text.slice(line.clone());
    if !text.trim_start().starts_with("#@") {
        return;
    }
    if *finding.rule == rules::UNEXPECTED_END {
        let next = context.text.line_range(number + 1).start.max(line.end);
        let whole = context.span(line.start..next);
        offers.add("Remove the `end`", Confidence::Possible, || Some(Change::replace(whole, "")));
        return;
    }
    offers.add("Write `#@ end` after the next node", Confidence::Possible, || {
        let column = text.len() - text.trim_start_matches(' ').len();
        let editing = Editing::new(context.snapshot, context.file);
        let end = editing.end_of_node_below(line.end)?;
        let newline = editing.style().newline;
        let comment = format!("{}#@ end", " ".repeat(column));
        // The last line of a text may have no line break.
        let edit = if context.text.slice(end.saturating_sub(1)..end).ends_with(['\n', '\r']) {
            format!("{comment}{newline}")
        } else {
            format!("{newline}{comment}")
        };
        Some(Change::replace(context.span(end..end), edit))
    });
}
