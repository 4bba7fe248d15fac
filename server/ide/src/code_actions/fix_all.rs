//! Applies all fixes in a file at once, round by round, because some findings only appear after others are fixed.

use super::context::Context;
use super::editing::Editing;
use super::offers::Offers;
use super::{Abilities, Change, Changes, CodeAction, of_finding};
use lofting_check::Diagnostic;
use lofting_diagnostic::Confidence;
use lofting_document::{FileId, Span};
use lofting_workspace::{CancelFlag, Snapshot};
use rustc_hash::FxHashMap;
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

/// Which fixes are applied.
#[derive(Debug, Clone, Copy)]
pub struct FixAll<'a> {
    /// Fixes that are at least this certain.
    pub least: Confidence,
    /// Fixes for the rules with these codes; empty for all rules.
    pub only: &'a [String],
}

impl From<Confidence> for FixAll<'_> {
    fn from(least: Confidence) -> Self {
        FixAll { least, only: &[] }
    }
}

/// A fix may make further ones possible; no chain of mistakes is longer than this.
const CHAIN: usize = 10;

/// Rounds in all. Names are suggested for some of the wrong ones at a time, so that one round may leave others to the next.
const ROUNDS: usize = 50;

/// Applies fixes in a file. None if there are none.
pub fn fix_all<'a>(
    snapshot: &Snapshot,
    file: FileId,
    wanted: impl Into<FixAll<'a>>,
    cancel: &CancelFlag,
) -> Option<Fixed> {
    let wanted = wanted.into();
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
        let (change, done) = round(&now, file, &findings, wanted);
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
    wanted: FixAll<'_>,
) -> (Change, Vec<(String, String)>) {
    let (mut all, mut done, mut taken) = (Change::default(), Vec::new(), Taken::default());
    let is_wanted = |finding: &&Diagnostic| {
        finding.span.file == file
            && (wanted.only.is_empty() || wanted.only.iter().any(|code| **code == *finding.code()))
    };
    let editing = Editing::new(snapshot, file);
    let mut found: Vec<(&Diagnostic, String, Change, Option<Renamed>)> = Vec::new();
    let mut renamed: FxHashMap<Renamed, usize> = FxHashMap::default();
    for finding in findings.iter().filter(is_wanted) {
        let context = Context::new(snapshot, file, finding.span.range(), Abilities::default());
        let Some(best) = best_of(&context, finding, wanted.least) else { continue };
        let made = of_finding(&context, finding, Changes::Of(&best.name)).into_iter().find_map(|made| made.change);
        let Some(change) = made.filter(|change| change.is_only_in(file)) else { continue };
        let key = Renamed::by(&editing, &change);
        key.iter().for_each(|key| *renamed.entry(key.clone()).or_default() += 1);
        found.push((finding, best.name.title, change, key));
    }
    for (finding, title, change, key) in found {
        // Of two keys that would get one name, one is meant otherwise.
        let is_alone = key.is_none_or(|key| renamed.get(&key).is_none_or(|count| *count == 1));
        if is_alone && taken.take(&change) {
            all.edits.extend(change.edits);
            done.push((finding.code().into_owned(), title));
        }
    }
    (all, done)
}

/// The new name of a key, and where its map begins.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Renamed {
    map: usize,
    name: String,
}

impl Renamed {
    /// The name that a change gives a key, if it does nothing else.
    fn by(editing: &Editing, change: &Change) -> Option<Renamed> {
        let [(span, name)] = change.edits.as_slice() else { return None };
        let entry = editing.entry_at(span.range().start)?;
        let is_key = entry.key().is_some_and(|key| key.range() == span.range());
        let map = editing.map_of(entry).filter(|_| is_key)?;
        Some(Renamed { map: map.range().start, name: name.clone() })
    }
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

/// For how many findings it is found out whether they have a fix that is sure, before one is offered for all of them.
const EXAMINED: usize = 50;

/// Offers to apply all sure fixes in the file.
pub(super) fn offer(context: &Context<'_>, findings: &[Diagnostic], offers: &mut Offers<'_>, cancel: &CancelFlag) {
    let is_safe = |finding: &&Diagnostic| {
        let context = Context::new(context.snapshot, context.file, finding.span.range(), Abilities::default());
        best_of(&context, finding, Confidence::Sure).is_some()
    };
    let mut own = findings.iter().filter(|finding| finding.span.file == context.file);
    // Offering costs the same in any file: fixes that need the text around are examined for the first findings only.
    let has_sure = |finding: &Diagnostic| finding.fixes.iter().any(|fix| fix.confidence == Confidence::Sure);
    if !own.clone().any(has_sure) && !own.by_ref().take(EXAMINED).any(|finding| is_safe(&finding)) {
        return;
    }
    offers.begin("fix_all");
    offers.add_later("Fix all safe problems in this file", Confidence::Sure, || {
        let fixed = fix_all(context.snapshot, context.file, Confidence::Sure, cancel)?;
        Some(Change::between(context.file, &fixed.before, &fixed.text))
    });
}
