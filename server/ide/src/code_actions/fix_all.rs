//! Applies all fixes in a file at once, round by round, because some findings only appear after others are fixed.

use super::context::Context;
use super::offers::Offers;
use super::{Abilities, Change, Changes, CodeAction, of_finding};
use lofting_check::Diagnostic;
use lofting_diagnostic::Confidence;
use lofting_document::{FileId, Span};
use lofting_workspace::{CancelFlag, Snapshot};
use std::collections::BTreeMap;

/// A file after applying fixes.
#[derive(Debug, Clone, PartialEq)]
pub struct Fixed {
    /// Its text before.
    pub before: String,
    /// Its text after.
    pub text: String,
    /// What was fixed, in order: the code of each finding, and the title of the fix.
    pub done: Vec<(String, String)>,
}

/// A fix may make further ones possible; no chain of mistakes is longer than this.
const CHAIN: usize = 10;

/// Rounds in all. Names are suggested for some of the wrong ones at a time, so that one round may leave others to the next.
const ROUNDS: usize = 50;

/// Applies all fixes in a file that have at least this confidence. None if there are none.
pub fn fix_all(snapshot: &Snapshot, file: FileId, least: Confidence, cancel: &CancelFlag) -> Option<Fixed> {
    let before = snapshot.text(file).to_string();
    let mut fixed = Fixed { text: before.clone(), before, done: Vec::new() };
    let mut now = snapshot.clone();
    let (mut fewest, mut chain) = (usize::MAX, 0);
    for _ in 0..ROUNDS {
        let findings = now.all_diagnostics(file, cancel);
        if cancel.is_cancelled() {
            return None;
        }
        chain = if findings.len() < fewest { 0 } else { chain + 1 };
        fewest = fewest.min(findings.len());
        if chain >= CHAIN {
            break;
        }
        let (change, done) = round(&now, file, &findings, least);
        let Some(text) = change.apply(file, &fixed.text).filter(|text| *text != fixed.text) else { break };
        let later = now.with_text(file, &text);
        // A fix must not make a text unreadable.
        if later.tree(file).errors().len() > now.tree(file).errors().len() {
            break;
        }
        (fixed.text, now) = (text, later);
        fixed.done.extend(done);
    }
    (!fixed.done.is_empty()).then_some(fixed)
}

/// The best action for each finding, as far as they do not overlap.
fn round(
    snapshot: &Snapshot,
    file: FileId,
    findings: &[Diagnostic],
    least: Confidence,
) -> (Change, Vec<(String, String)>) {
    let (mut all, mut done, mut taken) = (Change::default(), Vec::new(), Taken::default());
    for finding in findings.iter().filter(|finding| finding.span.file == file) {
        let context = Context::new(snapshot, file, finding.span.range(), Abilities::default());
        let Some(best) = best_of(&context, finding, least) else { continue };
        let made = of_finding(&context, finding, Changes::Of(&best.name)).into_iter().find_map(|made| made.change);
        let Some(change) = made.filter(|change| change.is_only_in(file) && taken.take(change)) else { continue };
        all.edits.extend(change.edits);
        done.push((finding.code().into_owned(), best.name.title));
    }
    (all, done)
}

fn best_of(context: &Context<'_>, finding: &Diagnostic, least: Confidence) -> Option<CodeAction> {
    let offered = of_finding(context, finding, Changes::None);
    offered.into_iter().next().filter(|best| best.confidence >= least)
}

/// The ranges that are changed already, which must not overlap.
#[derive(Default)]
struct Taken(BTreeMap<u32, u32>);

impl Taken {
    /// Adds the ranges of a change, if all of them are free.
    fn take(&mut self, change: &Change) -> bool {
        let is_free = |(span, _): &(Span, String)| {
            let before = self.0.range(..=span.end).next_back();
            before.is_none_or(|(_, end)| *end < span.start)
        };
        let free = change.edits.iter().all(is_free);
        if free {
            self.0.extend(change.edits.iter().map(|(span, _)| (span.start, span.end)));
        }
        free
    }
}

/// Offers to apply all sure fixes in the file.
pub(super) fn offer(context: &Context<'_>, findings: &[Diagnostic], offers: &mut Offers<'_>, cancel: &CancelFlag) {
    // Only fixes of rules can be sure, so the other fixes are not examined here.
    let is_safe = |finding: &Diagnostic| finding.fixes.iter().any(|fix| fix.confidence == Confidence::Sure);
    if !findings.iter().filter(|finding| finding.span.file == context.file).any(is_safe) {
        return;
    }
    offers.begin("fix_all");
    offers.add("Fix all safe problems in this file", Confidence::Sure, || {
        let fixed = fix_all(context.snapshot, context.file, Confidence::Sure, cancel)?;
        Some(Change::between(context.file, &fixed.before, &fixed.text))
    });
}
