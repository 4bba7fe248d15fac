//! Values below `any`: only how they are merged can be wrong with them.

use super::{Last, Place, Visit, Walk};
use crate::path::ROOT;
use crate::rules;
use crate::values::Style;
use crate::values::left::{Existing, Left};
use crate::view::{Kind, View};
use lofting_diagnostic::Stage;
use rustc_hash::FxHashMap;

impl<'a, V: View> Walk<'_, 'a, V> {
    /// The items of a map below `any`: of any type, but merged like all others.
    pub(super) fn open(&mut self, visit: &Visit<'a, V>, kind: Kind) {
        if self.check.style() == Some(Style::Plain) && !visit.within_any {
            self.repeated(visit.value);
        }
        if matches!(visit.left, Left::Fresh) {
            return;
        }
        if self.kind_stage(visit, kind) == Stage::Overlay {
            self.mismatch(visit, kind);
            return;
        }
        if kind != Kind::Map {
            return;
        }
        if visit.left.existing(self.schema, self.certain()) != Existing::Kind(Kind::Map) {
            return;
        }
        let children = visit.left.children(self.schema, self.certain());
        let path = self.path(visit.place, None);
        for entry in visit.value.entries() {
            let place = Place { name: entry.key_span, parent: path, path: None };
            self.found.needs_merging |= self.merges() && self.is_merged(&entry);
            let Some(left) = children.get(&entry.key, None) else {
                if self.merges() && self.unmatched(&entry, visit.inherited) == Some(Stage::Overlay) {
                    let place = self.settle(place, Last::Key(&entry.key));
                    self.report(place, |at| rules::ytt_overlay_new_key::finding(at, &entry.key));
                }
                continue;
            };
            if !entry.value.kind().is_collection() || entry.overlay.by {
                continue;
            }
            let place = self.settle(place, Last::Key(&entry.key));
            let level = visit.level + 1;
            let child = Visit {
                value: entry.value,
                id: visit.id,
                left,
                inherited: visit.inherited,
                level,
                within_any: true,
                nesting: 0,
                place,
            };
            if let Some(child) = self.operation(child, entry.overlay) {
                self.stack.push(super::Task::Visit(child));
            }
        }
    }

    /// Repeated keys below `any` in a plain file crash ytt (docs/ytt.md 4.3).
    fn repeated(&mut self, value: V) {
        let mut values = vec![value];
        while let Some(value) = values.pop() {
            match value.kind() {
                Kind::Map => {
                    let mut seen = FxHashMap::default();
                    for entry in value.entries() {
                        if let Some(first) = seen.insert(entry.key.clone(), entry.key_span) {
                            let place = Place { name: entry.key_span, parent: ROOT, path: None };
                            self.report(place, |at| rules::ytt_duplicate_key::finding(at.name, first, &entry.key));
                        }
                        if entry.value.kind().is_collection() {
                            values.push(entry.value);
                        }
                    }
                }
                Kind::Array => values.extend(value.items().map(|item| item.value)),
                _ => {}
            }
        }
    }
}
