//! What expressions say of values of which they read a part that is wrong itself.

use crate::finding::{Finding, Findings};
use crate::meant::is_stray;
use crate::path::Step;
use crate::rules::{EXPRESSION, MISSING_KEY, ONE_OF};
use lofting_diagnostic::{Diagnostic, drop_at};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

impl Findings {
    /// The findings as plain diagnostics, without those that follow from others.
    pub fn into_diagnostics(mut self) -> Vec<Diagnostic> {
        drop_following(&mut self.findings);
        self.findings.into_iter().map(|finding| finding.diagnostic).collect()
    }
}

/// What a finding is about in a value around its place.
struct WrongPart {
    /// The key that leads to the place, or those that are missing there.
    keys: Vec<SmolStr>,
    /// Whether keys are missing, there or further inside.
    is_lack: bool,
}

/// Drops what expressions say of such values: the API server does not evaluate them before all keys are there and have
/// one of the values that they may have.
fn drop_following(found: &mut Vec<Finding>) {
    if !found.iter().any(|finding| *finding.diagnostic.rule == EXPRESSION) {
        return;
    }
    let mut causes: FxHashMap<&[Step], Vec<WrongPart>> = FxHashMap::default();
    for finding in found.iter().filter(|finding| is_cause(finding)) {
        lofting_memo::step();
        let (steps, missing) = missing_at(finding);
        let is_lack = !missing.is_empty();
        let mut keys = missing;
        for depth in (0..=steps.len()).rev() {
            let around = steps.get(..depth).unwrap_or_default();
            causes.entry(around).or_default().push(WrongPart { keys, is_lack });
            keys = around.last().and_then(name).into_iter().collect();
        }
    }
    let follows = |finding: &Finding| {
        let reads = &finding.diagnostic.reads;
        let is_read = |key: &SmolStr| reads.iter().any(|read| read.as_str() == Some(key));
        let mut inside = causes.get(&*finding.steps).into_iter().flatten();
        inside.any(|cause| cause.keys.iter().any(is_read) || reads.is_empty() && cause.is_lack)
    };
    let followers: Vec<bool> =
        found.iter().map(|finding| *finding.diagnostic.rule == EXPRESSION && follows(finding)).collect();
    drop_at(found, |index| followers.get(index) == Some(&true));
}

fn is_cause(finding: &Finding) -> bool {
    let diagnostic = &finding.diagnostic;
    *diagnostic.rule == MISSING_KEY || *diagnostic.rule == ONE_OF || is_stray(diagnostic)
}

/// The keys that are missing according to a finding, and where.
fn missing_at(finding: &Finding) -> (&[Step], Vec<SmolStr>) {
    let Finding { diagnostic, steps, .. } = finding;
    if is_stray(diagnostic) {
        // What is meant by a key that nothing declares is missing in the map around it.
        let meant = diagnostic.fixes.first().into_iter().flat_map(|fix| &fix.edits);
        let around = steps.split_last().map_or(&[][..], |(_, around)| around);
        return (around, meant.map(|(_, name)| SmolStr::from(name.as_str())).collect());
    }
    let missing = diagnostic.lack.iter().flat_map(|lack| &lack.keys).filter_map(|key| key.as_str());
    (steps, missing.map(SmolStr::from).collect())
}

fn name(step: &Step) -> Option<SmolStr> {
    match step {
        Step::Key(key) => key.as_str().map(SmolStr::from),
        _ => None,
    }
}
