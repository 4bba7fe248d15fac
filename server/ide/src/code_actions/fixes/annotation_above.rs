//! Adds annotations that allow what ytt would refuse without them.

use super::{FindingFix, Rules};
use crate::code_actions::Change;
use crate::code_actions::context::Context;
use crate::code_actions::editing::Editing;
use crate::code_actions::offers::Offers;
use lofting_check::{Diagnostic, Rule, rules};
use lofting_diagnostic::Confidence;
use lofting_dialect::proposals::rules::DEFAULT_REQUIRED;

pub(super) static FIX: FindingFix = FindingFix {
    rules: Rules::Of(&[
        &DEFAULT_REQUIRED,
        &rules::DUPLICATE_KEY,
        &rules::OVERLAY_KIND,
        &rules::OVERLAY_MATCHES,
        &rules::OVERLAY_NEW_KEY,
    ]),
    offer,
};

/// For each rule: the annotation that allows it, or that is missing.
static PERMITS: [(&Rule, &str, Confidence); 4] = [
    (&DEFAULT_REQUIRED, "#@schema/default []", Confidence::Likely),
    // One of the two keys may be a mistake.
    (&rules::DUPLICATE_KEY, "#@yaml/map-key-override", Confidence::Possible),
    (&rules::OVERLAY_KIND, "#@overlay/replace", Confidence::Possible),
    (&rules::OVERLAY_NEW_KEY, "#@overlay/match missing_ok=True", Confidence::Likely),
];

fn offer(context: &Context<'_>, finding: &Diagnostic, offers: &mut Offers<'_>) {
    let editing = Editing::new(context.snapshot, context.file);
    let at = finding.span.range().start;
    if *finding.rule == rules::OVERLAY_MATCHES {
        let is_unmatched = finding.found.as_deref() == Some("0");
        let Some(end) = editing.annotation_above(at, "overlay/match").filter(|_| is_unmatched) else { return };
        let added = context.span(end..end);
        offers.add("Let it match nothing (`missing_ok=True`)", Confidence::Possible, || {
            Some(Change::replace(added, ", missing_ok=True"))
        });
        return;
    }
    // An annotation lets a key win while a template is evaluated, not when values are merged.
    if *finding.rule == rules::DUPLICATE_KEY && finding.stage != finding.rule.stage {
        return;
    }
    let permits = PERMITS.iter().find(|(rule, ..)| *rule == finding.rule);
    let Some((_, annotation, confidence)) = permits else { return };
    if let Some(edits) = editing.comment_above(at, annotation) {
        offers.add(format!("Write `{annotation}` above"), *confidence, || Some(Change::of(edits)));
    }
}
