//! Removes a key that must not be present, with its value.

use super::{FindingFix, Rules};
use crate::code_actions::Change;
use crate::code_actions::context::Context;
use crate::code_actions::editing::Editing;
use crate::code_actions::offers::Offers;
use lofting_check::Diagnostic;
use lofting_diagnostic::Confidence;

pub(super) static FIX: FindingFix = FindingFix { rules: Rules::Keys, offer };

fn offer(context: &Context<'_>, finding: &Diagnostic, offers: &mut Offers<'_>) {
    // A missing key cannot be removed.
    if finding.key.is_some() {
        return;
    }
    let editing = Editing::new(context.snapshot, context.file);
    let Some(entry) = editing.entry_of(finding.span.range()) else { return };
    offers.add("Remove the key", Confidence::Possible, || editing.without(entry).map(Change::of));
}
