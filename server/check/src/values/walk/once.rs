//! A value that has neither the type nor one of the values that its schema lists is one mistake: the list says both.

use crate::path::Step;
use crate::rules;
use crate::values::Finding;
use lofting_diagnostic::Rule;
use lofting_document::Span;
use rustc_hash::FxHashSet;

/// Keeps one finding for each such value.
pub(super) fn keep(findings: &mut Vec<Finding>) {
    let is_of = |finding: &Finding, rule: &Rule| *finding.diagnostic.rule == *rule;
    if !findings.iter().any(|finding| is_of(finding, &rules::TYPE_MISMATCH)) {
        return;
    }
    let listed = findings.iter().filter(|finding| is_of(finding, &rules::ONE_OF));
    let listed: FxHashSet<(Span, Vec<Step>)> =
        listed.map(|finding| (finding.diagnostic.span, finding.steps.clone())).collect();
    let is_listed = |finding: &Finding| listed.contains(&(finding.diagnostic.span, finding.steps.clone()));
    findings.retain(|finding| !is_of(finding, &rules::TYPE_MISMATCH) || !is_listed(finding));
}
