//! One mistake may be found by several ways. A value that has neither the type nor one of the values that its schema lists
//! breaks both, and several schemas may say the same of one value; what is written once is there several times where
//! aliases repeat it.

use crate::path::Step;
use crate::rules;
use crate::values::Finding;
use lofting_diagnostic::{Diagnostic, Rule};
use lofting_document::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// What may be wrong with a value only once, the rule that says most first.
const OF_VALUE: [&Rule; 2] = [&rules::ONE_OF, &rules::TYPE_MISMATCH];

/// Keeps one finding for each mistake.
pub(super) fn keep(findings: &mut Vec<Finding>) {
    if findings.len() < 2 {
        return;
    }
    let kept = best_of_values(findings);
    let mut index = 0..;
    findings.retain(|_| index.next().is_none_or(|index| kept.get(index).copied().unwrap_or(true)));
    let mut known: FxHashSet<Said> = FxHashSet::default();
    findings.retain(|finding| said(&finding.diagnostic).is_none_or(|said| known.insert(said)));
}

/// The rule, the place and the words of a finding, which are the same wherever an alias repeats the value.
type Said = (&'static str, Span, String, String);

/// What stands for what a finding says, without the path of the value.
fn said(found: &Diagnostic) -> Option<Said> {
    let (rule, span) = (found.rule.code, found.span);
    if *found.rule == rules::UNDECLARED_KEY {
        return Some((rule, span, String::new(), String::new()));
    }
    // A missing key is reported at the map around it, which may lack several.
    let words = match (&found.found, &found.expected) {
        (Some(found), Some(expected)) => (found.clone(), expected.clone()),
        _ => (found.message.clone(), String::new()),
    };
    Some((rule, span, words.0, words.1)).filter(|_| span.start < span.end)
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
