//! Fixes values that declare no type in a schema: arrays without exactly one item, and keys without a value.

use super::{FindingFix, Rules};
use crate::code_actions::Change;
use crate::code_actions::context::Context;
use crate::code_actions::editing::Editing;
use crate::code_actions::offers::Offers;
use lofting_check::Diagnostic;
use lofting_diagnostic::Confidence;
use lofting_dialect::ytt::rules;
use lofting_syntax::ValueKind;

pub(super) static FIX: FindingFix = FindingFix { rules: Rules::Of(&[&rules::ARRAY_ITEMS, &rules::NULL_VALUE]), offer };

/// A value of each type, the most common first.
const OF_TYPES: [(&str, &str); 4] =
    [("a string", "\"\""), ("an integer", "0"), ("a boolean", "false"), ("a float", "0.0")];

fn offer(context: &Context<'_>, finding: &Diagnostic, offers: &mut Offers<'_>) {
    let editing = Editing::new(context.snapshot, context.file);
    let Some(entry) = editing.entry_at(finding.span.range().start) else { return };
    let value = entry.value();
    let (is_array, is_null) = (value.kind() == ValueKind::FlowSeq, value.seq().is_none() && value.map().is_none());
    let is_empty = value.seq().is_some_and(|seq| seq.items().next().is_none());
    let place = context.span(value.range());
    if *finding.rule == rules::ARRAY_ITEMS && is_array && is_empty {
        for (name, text) in OF_TYPES {
            let title = format!("Let an item be {name}");
            offers.add(title, Confidence::Possible, || Some(Change::replace(place, format!("[{text}]"))));
        }
    }
    if *finding.rule == rules::NULL_VALUE && is_null {
        for (name, text) in OF_TYPES {
            let new = if value.is_missing() { format!(" {text}") } else { text.to_owned() };
            offers.add(format!("Make it {name}"), Confidence::Possible, || Some(Change::replace(place, new)));
        }
        let any = editing.comment_above(entry.range().start, "#@schema/type any=True");
        if let Some(edits) = any {
            offers.add("Allow any type", Confidence::Possible, || Some(Change::of(edits)));
        }
    }
}
