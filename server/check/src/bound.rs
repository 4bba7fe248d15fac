//! How many findings are kept while they are made.

use lofting_diagnostic::{Diagnostic, Severity};
use rustc_hash::FxHashMap;

/// Findings shown per file. More make an editor slow without helping the reader.
pub const LIMIT: usize = 1_000;

/// Findings of one rule and severity that are kept while a file is checked; further ones are only counted. There are more
/// of them than are shown, as comments and levels drop some.
pub const MADE: usize = 5_000;

/// A growing list is looked at whenever this many findings were added.
const LOOK: usize = 4_096;

/// Adds findings to a list whose size is bounded: text of a few bytes a line has a finding on each.
pub(crate) fn extend(found: &mut Vec<Diagnostic>, more: impl IntoIterator<Item = Diagnostic>) {
    let mut bound = Bound::of(found);
    for finding in more {
        found.push(finding);
        bound.look(found);
    }
}

/// Bounds the size of a list of findings while it grows.
#[derive(Debug)]
pub struct Bound {
    /// The list is looked at when it is as long as this.
    next: usize,
}

impl Default for Bound {
    /// For a list that is still empty.
    fn default() -> Self {
        Bound::of(&[])
    }
}

impl Bound {
    /// For a list that already has findings.
    pub fn of(found: &[Diagnostic]) -> Bound {
        Bound { next: found.len().max(MADE) + LOOK }
    }

    /// Drops findings if there are too many; whether there were.
    pub fn look(&mut self, found: &mut Vec<Diagnostic>) -> bool {
        let has_grown = found.len() >= self.next;
        if has_grown {
            bound(found);
            *self = Bound::of(found);
        }
        has_grown
    }
}

/// Keeps the first findings of each rule and severity. The last one counts those that are dropped, so that comments and
/// levels that suppress the rule suppress them as well.
pub(crate) fn bound(found: &mut Vec<Diagnostic>) {
    // How many are kept, the place of the last one, and how many are dropped.
    let mut rules: FxHashMap<(&'static str, Severity), (usize, usize, usize)> = FxHashMap::default();
    let mut place = 0;
    found.retain(|finding| {
        let (kept, last, dropped) = rules.entry((finding.rule.code, finding.severity)).or_default();
        let keeps = *kept < MADE;
        if keeps {
            (*kept, *last) = (*kept + 1, place);
            place += 1;
        } else {
            *dropped += 1 + finding.unmade
        }
        keeps
    });
    for (_, last, dropped) in rules.into_values() {
        if let Some(finding) = found.get_mut(last) {
            finding.unmade += dropped;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limit::limit;
    use crate::rules;
    use lofting_document::{FileId, Span};

    fn many(count: usize) -> impl Iterator<Item = Diagnostic> {
        (0..count).map(|at| Diagnostic::new(&rules::ytt_duplicate_key::RULE, Span::new(FileId(0), at..at + 1), "twice"))
    }

    #[test]
    fn what_is_not_made_is_counted() {
        let mut found = Vec::new();
        let mut longest = 0;
        let mut bound = Bound::default();
        for finding in many(50_000) {
            found.push(finding);
            bound.look(&mut found);
            longest = longest.max(found.len());
        }
        assert!(longest <= MADE + LOOK, "{longest}");
        limit(&mut found, 0);
        assert_eq!(found.len(), LIMIT + 1);
        let last = found.last().map(|finding| finding.message.as_str());
        assert_eq!(last, Some("… and 49000 more findings in this file"));
    }

    #[test]
    fn a_rule_with_few_findings_keeps_them_all() {
        let mut found: Vec<Diagnostic> = Vec::new();
        extend(&mut found, many(30_000));
        let other = Diagnostic::new(&rules::yaml_alias_limit::RULE, Span::new(FileId(0), 9..10), "other");
        extend(&mut found, [other.clone()].into_iter().chain(many(30_000)));
        bound(&mut found);
        assert!(found.contains(&other));
        assert_eq!(found.iter().map(|finding| 1 + finding.unmade).sum::<usize>(), 60_001);
    }
}
