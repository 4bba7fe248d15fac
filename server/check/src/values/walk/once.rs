//! One mistake may be found by several ways. A value that has neither the type nor one of the values that its schema lists
//! breaks both, and several schemas may say the same of one value; what is written once is there several times where
//! aliases repeat it.

use crate::path::{Step, shown_steps};
use crate::rules;
use crate::values::Finding;
use lofting_diagnostic::{Rule, Severity, Stage, drop_at};
use lofting_document::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use std::slice::from_ref;

/// What may be wrong with a value only once, the rule that says most first.
const OF_VALUE: [&Rule; 3] = [&rules::ONE_OF, &rules::TYPE_MISMATCH, &rules::schema_no_branch::RULE];

/// Keeps one finding for each mistake.
pub(super) fn keep(findings: &mut Vec<Finding>) {
    if findings.len() < 2 {
        return;
    }
    let mut kept = best_of_values(findings);
    drop_forbidden(findings, &mut kept);
    drop_at(findings, |index| kept.get(index) == Some(&false));
    let mut known: FxHashSet<Said> = FxHashSet::default();
    findings.retain(|finding| said(finding).is_none_or(|said| known.insert(said)));
}

/// The rule, the place and the words of a finding. Each value that code makes at one place has words of its own.
type Said = (&'static str, Span, String);

fn said(finding: &Finding) -> Option<Said> {
    let found = &finding.diagnostic;
    let (rule, span) = (found.rule.code, found.span);
    if *found.rule == rules::UNDECLARED_KEY {
        // Each part of a schema that refuses the key has others to suggest.
        return Some((rule, span, shown_steps(finding.steps.last().map(from_ref).unwrap_or_default())));
    }
    Some((rule, span, found.message.clone())).filter(|_| span.start < span.end)
}

/// What a value as a whole must not be says less than what is wrong with it.
fn drop_forbidden(findings: &[Finding], kept: &mut [bool]) {
    let is_forbidden = |finding: &Finding| *finding.diagnostic.rule == rules::schema_not::RULE;
    if !findings.iter().any(is_forbidden) {
        return;
    }
    // A hint does not refuse it.
    let is_bound = |finding: &&Finding| {
        let found = &finding.diagnostic;
        found.stage == Stage::Validation && found.severity == Severity::Error && !is_forbidden(finding)
    };
    let others: FxHashSet<&[Step]> = findings.iter().filter(is_bound).map(|finding| &*finding.steps).collect();
    for (finding, kept) in findings.iter().zip(kept) {
        *kept &= !(is_forbidden(finding) && others.contains(&*finding.steps));
    }
}

/// Which findings are kept, of those about the type or the listed values of one value.
fn best_of_values(findings: &[Finding]) -> Vec<bool> {
    let mut best: FxHashMap<(Span, &[Step]), (usize, usize, usize)> = FxHashMap::default();
    let mut kept = vec![true; findings.len()];
    for (index, finding) in findings.iter().enumerate() {
        let found = &finding.diagnostic;
        let Some(rank) = OF_VALUE.iter().position(|rule| **rule == *found.rule) else { continue };
        // Of two lists, the shorter one says more.
        let length = if rank == 0 { found.expected.as_ref().map_or(0, String::len) } else { 0 };
        let own = (rank, length, index);
        let known = best.entry((found.span, &finding.steps)).or_insert(own);
        let (winner, loser) = if own < *known { (own, *known) } else { (*known, own) };
        if winner != loser {
            *known = winner;
            if let Some(kept) = kept.get_mut(loser.2) {
                *kept = false;
            }
        }
    }
    kept
}
