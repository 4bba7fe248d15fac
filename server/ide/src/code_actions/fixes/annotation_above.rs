//! Annotations that permit what ytt refuses without them.

use super::{FindingFix, Rules};
use crate::code_actions::Change;
use crate::code_actions::context::Context;
use crate::code_actions::editing::Editing;
use crate::code_actions::offers::Offers;
use lofting_check::{Diagnostic, Rule, rules};
use lofting_diagnostic::Confidence;

pub(super) static FIX: FindingFix =
    FindingFix { rules: Rules::Of(&[&rules::OVERLAY_NEW_KEY, &rules::DUPLICATE_KEY, &rules::OVERLAY_KIND]), offer };

/// What each permits.
static PERMITS: [(&Rule, &str, Confidence); 3] = [
    (&rules::OVERLAY_NEW_KEY, "#@overlay/match missing_ok=True", Confidence::Likely),
    // One of the two may be a slip.
    (&rules::DUPLICATE_KEY, "#@yaml/map-key-override", Confidence::Possible),
    (&rules::OVERLAY_KIND, "#@overlay/replace", Confidence::Possible),
];

fn offer(context: &Context<'_>, finding: &Diagnostic, offers: &mut Offers<'_>) {
    let permits = PERMITS.iter().find(|(rule, ..)| *rule == finding.rule);
    let Some((_, annotation, confidence)) = permits else { return };
    let editing = Editing::new(context.snapshot, context.file);
    let at = finding.span.range().start;
    if let Some(edits) = editing.comment_above(at, annotation) {
        offers.add(format!("Write `{annotation}` above"), *confidence, || Some(Change::of(edits)));
    }
}
