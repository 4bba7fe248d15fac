//! Remembers and repeats the findings below collections that did not change.

use super::{Task, Visit, Walk};
use crate::memo::{CheckMemo, MemoKey, address};
use crate::path::Step;
use crate::values::Finding;
use crate::values::left::Left;
use crate::view::{Kind, View};
use lofting_syntax::Green;
use std::sync::Arc;

/// A collection to remember once everything below it has been visited.
pub(super) struct Leave {
    key: MemoKey,
    green: Arc<Green>,
    start: u32,
    /// The number of findings before it.
    pub before: usize,
    /// The number of code sites before it.
    pub sites: usize,
    /// The number of path steps before it.
    noted: usize,
    depth: u32,
    /// It is remembered only if nothing is found in it.
    is_quiet: bool,
}

impl Leave {
    /// Remembers the findings below the collection.
    pub fn put(self, memo: &mut CheckMemo, findings: &[Finding]) {
        if !self.is_quiet || findings.is_empty() {
            memo.put(self.key, self.green, findings, self.start, self.depth);
        }
    }
}

impl<V> Visit<'_, V> {
    /// The left side as one number; None if that is not possible. An existing value is identified by its address, which
    /// the stamps of the memo keep valid.
    pub(super) fn remembered_left(&self) -> Option<usize> {
        match self.left {
            Left::Fresh => Some(0),
            Left::Uncertain => Some(1),
            Left::Default(id) if id == self.id => Some(2),
            Left::Default(_) => None,
            Left::Value(node) => Some(std::ptr::from_ref(node).addr()),
        }
    }
}

impl<'a, V: View> Walk<'_, 'a, V> {
    /// Repeats the remembered findings below a collection. Returns false if there are none, and prepares to remember
    /// those that the visit will make.
    pub(super) fn recalls(&mut self, visit: &Visit<'a, V>) -> bool {
        self.recalls_part(visit, false)
    }

    /// Recalls a part of a collection. The items of a `numbered` part are named by their index in the whole.
    pub(super) fn recalls_part(&mut self, visit: &Visit<'a, V>, numbered: bool) -> bool {
        // What is in a map is met by what other documents give in it.
        if self.met.is_some() && visit.value.kind() == Kind::Map && !matches!(visit.left, Left::Fresh) {
            return false;
        }
        let Some((file, memo)) = &mut self.memo else { return false };
        let Some((green, start)) = visit.value.shared() else { return false };
        let worth = if self.coded.is_some() { CheckMemo::is_worth_asking(green) } else { CheckMemo::is_worth(green) };
        let (true, Ok(start), Some(path)) = (worth, u32::try_from(start), visit.place.path) else { return false };
        let Some(left) = visit.remembered_left() else { return false };
        let (under, is_item) = match self.paths.last(path) {
            Some(Step::Key(key)) => (Some(Box::new(key.clone())), false),
            None => (None, false),
            Some(Step::Index(_) | Step::Item | Step::Nowhere) => (None, true),
        };
        let is_item = is_item || numbered;
        let flags = u32::from(visit.within_any) | u32::from(is_item) << 1 | u32::from(visit.only_judges) << 2;
        let flags = flags | u32::from(visit.within_whole) << 3;
        let state = MemoKey::state_in(memo.part, visit.inherited as u32 | flags << 8);
        let names = visit.value.names();
        let outside = visit.value.first_annotations() ^ names;
        let key = MemoKey { green: address(green), schema: visit.id, left, state, under, outside };
        if let Some(hit) = memo.get(&key) {
            let steps: Vec<Step> = match &hit.findings {
                Some(_) => self.paths.steps(path).into_iter().cloned().collect(),
                None => Vec::new(),
            };
            for finding in hit.replay(*file, start, &steps) {
                self.found.add(finding, self.check.limit);
            }
            return true;
        }
        let before = self.found.findings.len();
        let (sites, noted) = (self.sites(), self.paths.noted());
        let depth = self.paths.depth(path);
        // Findings name items by their index and the path above, which may change, as may the places of anchors.
        let is_quiet = is_item || names != 0;
        let leave = Leave { key, green: green.clone(), start, before, sites, noted, depth, is_quiet };
        self.stack.push(Task::Leave(leave));
        false
    }

    pub(super) fn leave(&mut self, leave: Leave) {
        // All tasks below it are done.
        self.forget_paths(leave.noted, leave.sites);
        // After a limit was reached, the findings are not complete.
        if self.found.more > 0 || !self.suggestions.are_left() || self.found.needs_merging {
            return;
        }
        // The findings of an entry that was merged say nothing about the steps to their values.
        if self.merged > leave.before {
            return;
        }
        let leave = match &mut self.coded {
            Some(coded) => coded.keeps(leave, self.found.findings.len()),
            None => Some(leave),
        };
        if let (Some(leave), Some((_, memo))) = (leave, &mut self.memo) {
            let findings = self.found.findings.get(leave.before..).unwrap_or_default();
            leave.put(memo, findings);
        }
    }
}
