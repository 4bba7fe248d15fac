//! Removes a key that must not be present, with its value.

use super::{FindingFix, Rules};
use crate::code_actions::Change;
use crate::code_actions::context::Context;
use crate::code_actions::editing::Editing;
use crate::code_actions::offers::Offers;
use lofting_check::{Diagnostic, rules};
use lofting_diagnostic::Confidence;
use std::ops::Range;

pub(super) static FIX: FindingFix = FindingFix { rules: Rules::Keys, offer };

fn offer(context: &Context<'_>, finding: &Diagnostic, offers: &mut Offers<'_>) {
    // A missing key cannot be removed.
    if finding.key.is_some() {
        return;
    }
    let editing = Editing::new(context.snapshot, context.file);
    let Some(entry) = editing.entry_of(finding.span.range()) else { return };
    let confidence = if is_repeated(context, &editing, finding) { Confidence::Sure } else { Confidence::Possible };
    offers.add("Remove the key", confidence, || editing.without(entry).map(Change::of));
}

/// Longer entries are not compared, in bytes.
const COMPARED: usize = 10_000;

/// Whether the key is given twice with the same text: nothing is lost without one of them.
fn is_repeated(context: &Context<'_>, editing: &Editing, finding: &Diagnostic) -> bool {
    if *finding.rule != rules::DUPLICATE_KEY && *finding.rule != rules::REPEATED_KEY {
        return false;
    }
    let first = finding.related.first().map(|related| related.span).filter(|first| first.file == context.file);
    let text_at = |place: Range<usize>| {
        let range = editing.entry_of(place)?.range();
        (range.len() <= COMPARED).then(|| context.text.slice(range).trim_end().to_owned())
    };
    let (Some(first), Some(own)) = (first.and_then(|first| text_at(first.range())), text_at(finding.span.range()))
    else {
        return false;
    };
    // An anchor may be what another place refers to, and a comment may say what the other does not.
    first == own && !own.contains(['&', '#'])
}
