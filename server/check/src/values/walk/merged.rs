//! Entries that are merged on their own, because only that tells what their annotations do.

use super::{Last, Place, Walk};
use crate::values::Finding;
use crate::view::{Entry, View};
use lofting_diagnostic::Diagnostic;
use lofting_syntax::Green;
use std::sync::Arc;

/// Entries of the document that is checked of which only merging tells what their annotations do. Entries are named by
/// the offset of their key.
pub(crate) trait MergedEntries {
    /// Whether an entry is one of these.
    fn has(&self, entry: u32) -> bool;
    /// The node of an entry, and a number that stands for all that its findings depend on besides the text of the node, the
    /// schema and what the document is merged into; None if its findings are not worth remembering.
    fn node(&self, entry: u32) -> Option<(Arc<Green>, u64)>;
    /// The findings about an entry. None if only the whole document tells.
    fn findings(&self, entry: u32) -> Option<Vec<Diagnostic>>;
}

impl<V: View> Walk<'_, '_, V> {
    /// Whether only merging tells what the annotations of an entry do.
    pub(super) fn is_merged(&self, entry: &Entry<V>) -> bool {
        self.entries.is_some_and(|entries| entries.has(entry.key_span.start))
    }

    /// Merges an entry, or repeats what was found when it was.
    pub(super) fn merged_entry(&mut self, entry: &Entry<V>, place: Place) {
        let (Some(entries), start) = (self.entries, entry.key_span.start) else { return };
        let node = entries.node(start);
        let known = match (&self.memo, &node) {
            (Some((file, memo)), Some((green, with))) => memo.merged(green, *with, *file, start),
            _ => None,
        };
        let found = match known {
            Some(found) => found,
            None => {
                let Some(found) = entries.findings(start) else {
                    self.found.needs_merging = true;
                    return;
                };
                if let (Some((file, memo)), Some((green, with))) = (&mut self.memo, &node) {
                    memo.set_merged(green, *with, *file, start, &found);
                }
                found
            }
        };
        let place = self.settle(place, Last::Key(&entry.key));
        let steps: Vec<_> = self.paths.steps(place.path.unwrap_or(place.parent)).into_iter().cloned().collect();
        for mut diagnostic in found {
            // What is missing inside the entry was looked at there.
            diagnostic.lack = None;
            if self.found.add(Finding::new(diagnostic, steps.clone()), self.check.limit) {
                self.merged = self.found.findings.len();
            }
        }
    }
}
