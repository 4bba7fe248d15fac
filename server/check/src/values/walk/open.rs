//! Values below `any`: only how they are merged can be wrong with them.

use super::collections::{EntryGroup, Of};
use super::{Last, Place, Task, Visit, Walk};
use crate::path::ROOT;
use crate::rules;
use crate::values::Style;
use crate::values::left::{Children, Existing, Left};
use crate::view::{Entry, Kind, Piece, View};
use lofting_diagnostic::Stage;
use lofting_document::{Key, Span};
use rustc_hash::FxHashMap;
use std::rc::Rc;

impl<'a, V: View> Walk<'_, 'a, V> {
    /// The items of a map below `any`: of any type, but merged like all others.
    pub(super) fn open(&mut self, visit: &Visit<'a, V>, kind: Kind) {
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
        if visit.left.existing(self.schema, self.certain()) != Existing::Kind(Kind::Map) || self.recalls(visit) {
            return;
        }
        let children = Rc::new(visit.left.children(self.schema, self.certain()));
        self.open_entries(visit, &children);
    }

    /// The entries of a map below `any`, or of a part of it.
    pub(super) fn open_entries(&mut self, visit: &Visit<'a, V>, children: &Rc<Children<'a>>) {
        let place = Place { path: Some(self.path(visit.place, None)), ..visit.place };
        for piece in visit.value.entry_pieces() {
            match piece {
                Piece::One(entry) => self.open_entry(visit, children, entry),
                Piece::Part(value, _) => {
                    let of = Of::Open { children: children.clone() };
                    self.stack.push(Task::EntryGroup(EntryGroup { visit: Visit { value, place, ..*visit }, of }));
                }
            }
        }
    }

    fn open_entry(&mut self, visit: &Visit<'a, V>, children: &Children<'a>, entry: Entry<V>) {
        let place = Place { name: entry.key_span, parent: self.path(visit.place, None), path: None };
        self.found.needs_merging |= self.merges() && self.is_merged(&entry);
        let Some(left) = children.get(&entry.key, None) else {
            if self.merges() && self.unmatched(&entry, visit.inherited) == Some(Stage::Overlay) {
                let place = self.settle(place, Last::Key(&entry.key));
                self.report(&rules::ytt_overlay_new_key::RULE, place, |at| {
                    rules::ytt_overlay_new_key::finding(at, &entry.key)
                });
            }
            if self.is_plain() && entry.value.kind().is_collection() {
                self.repeated(entry.value);
            }
            return;
        };
        if !entry.value.kind().is_collection() || entry.overlay.by {
            return;
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
            ..*visit
        };
        if let Some(child) = self.operation(child, entry.overlay) {
            self.stack.push(Task::Visit(child));
        }
    }

    /// Whether values have no annotations that say how they are merged.
    fn is_plain(&self) -> bool {
        matches!(self.check.style(), Some(Style::Plain | Style::Flag { .. }))
    }

    /// Whether a plain value becomes part of the result as it is: an array, and a map where there is none.
    pub(super) fn is_taken_whole(&self, visit: &Visit<'a, V>, kind: Kind) -> bool {
        self.is_plain()
            && match kind {
                Kind::Array => true,
                Kind::Map => visit.left.existing(self.schema, self.certain()) == Existing::Nothing,
                _ => false,
            }
    }

    /// Repeated keys in a value that is taken as it is crash ytt (docs/ytt.md 4.3). Where the check of all keys of
    /// the file found nothing, as in all that a key does not touch, there are none.
    pub(super) fn repeated(&mut self, value: V) {
        let mut values = vec![value];
        while let Some(value) = values.pop() {
            if self.has_clean_keys(value) {
                continue;
            }
            match value.kind() {
                Kind::Map => {
                    let mut seen = self.may_repeat_keys(value).then(LastPlaces::default);
                    self.repeated_in(value, &mut seen, &mut values);
                }
                Kind::Array => {
                    for piece in value.item_pieces() {
                        values.push(match piece {
                            Piece::One(item) => item.value,
                            Piece::Part(part, _) => part,
                        });
                    }
                }
                _ => {}
            }
        }
    }

    /// Compares the keys of a map if there is something to compare them with; `values` get the values to look into.
    fn repeated_in(&mut self, map: V, seen: &mut Option<LastPlaces>, values: &mut Vec<V>) {
        let mut parts = vec![map.entry_pieces()];
        while let Some(pieces) = parts.last_mut() {
            match pieces.next() {
                None => drop(parts.pop()),
                Some(Piece::Part(part, _)) => {
                    if seen.is_some() || !self.has_clean_keys(part) {
                        parts.push(part.entry_pieces());
                    }
                }
                Some(Piece::One(entry)) => {
                    let again = seen.as_mut().and_then(|seen| seen.insert(entry.key.clone(), entry.key_span));
                    if let Some(first) = again {
                        let place = Place { name: entry.key_span, parent: ROOT, path: None };
                        self.report(&rules::ytt_duplicate_key::RULE, place, |at| {
                            rules::ytt_duplicate_key::merged(at.name, first, &entry.key)
                        });
                    }
                    if entry.value.kind().is_collection() {
                        values.push(entry.value);
                    }
                }
            }
        }
    }

    /// Whether it is known that a collection, or a part of one, has nothing to report about its keys.
    fn has_clean_keys(&self, value: V) -> bool {
        match (&self.memo, value.shared()) {
            (Some((_, memo)), Some((green, _))) => memo.clean.contains(green, 0),
            _ => false,
        }
    }

    /// Whether a map may have a key twice, unlike a long one of which it is known that it has not.
    fn may_repeat_keys(&self, map: V) -> bool {
        let Some((_, memo)) = &self.memo else { return true };
        let mut parts = map.entry_pieces().filter_map(|piece| match piece {
            Piece::Part(part, _) => Some(part),
            Piece::One(_) => None,
        });
        parts.next().is_none_or(|part| part.shared().is_none_or(|(group, _)| memo.clean.keys.may_repeat(group)))
    }
}

/// The keys of a map with the last place of each.
type LastPlaces = FxHashMap<Key, Span>;
