//! Takes out a key that is not declared, given twice or deprecated, with its value.

use super::{FindingFix, Rules};
use crate::code_actions::Change;
use crate::code_actions::context::Context;
use crate::code_actions::editing::Editing;
use crate::code_actions::offers::Offers;
use lofting_check::{Diagnostic, rules};
use lofting_diagnostic::Confidence;

pub(super) static FIX: FindingFix =
    FindingFix { rules: Rules::Of(&[&rules::UNDECLARED_KEY, &rules::DUPLICATE_KEY, &rules::DEPRECATED_VALUE]), offer };

fn offer(context: &Context<'_>, finding: &Diagnostic, offers: &mut Offers<'_>) {
    let editing = Editing::new(context.snapshot, context.file);
    let Some(entry) = editing.entry_at(finding.span.range().start) else { return };
    offers.add("Remove the key", Confidence::Possible, || editing.without(entry).map(Change::of));
}
