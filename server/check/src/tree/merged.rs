//! Merges some entries of a document, as if nothing else were in it.

use super::ValuesTree;
use crate::place_in;
use crate::set::{ValuesDocument, ValuesSet};
use crate::values::{Base, Layers, MergedEntries, NoAssertions, ValuesCheck};
use crate::view::EntryParts;
use lofting_diagnostic::Diagnostic;
use lofting_document::{Document, MapItem, Node as Data, NodeValue, Options, item_notes, lower_entry};
use lofting_overlay::{Mode, NoFunctions};
use lofting_syntax::{Green, Kind, Node};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::cell::RefCell;
use std::hash::BuildHasher;
use std::ops::Range;
use std::sync::Arc;

/// The entries of a tree of which only merging tells what their annotations do.
pub(super) struct MergedInTree<'m, 't> {
    values: &'m ValuesTree<'t>,
    check: &'m ValuesCheck<'m>,
    /// Where the entries begin, in order.
    entries: Vec<u32>,
    made: RefCell<MergedTogether>,
}

/// What was merged so far.
#[derive(Default)]
struct MergedTogether {
    /// The findings about entries that were merged together with others and not asked for yet.
    found: FxHashMap<u32, Vec<Diagnostic>>,
    /// How many entries are merged together the next time. Merging has a price of its own, so that many are not merged one
    /// by one; mostly one is asked for, which was touched.
    together: usize,
}

/// An entry that is merged.
struct AskedEntry<'t> {
    /// The entries around it, from the root, and the entry itself.
    path: Vec<Node<'t>>,
    /// Its bytes, with the annotations above it.
    range: Range<u32>,
}

impl<'m, 't> MergedInTree<'m, 't> {
    pub fn new(values: &'m ValuesTree<'t>, check: &'m ValuesCheck<'m>) -> Self {
        let mut entries: Vec<u32> = values.entries.iter().filter_map(|entry| u32::try_from(*entry).ok()).collect();
        entries.sort_unstable();
        let made = RefCell::new(MergedTogether { together: 1, ..MergedTogether::default() });
        MergedInTree { values, check, entries, made }
    }

    /// None if the entry is in an array.
    fn path(&self, entry: u32) -> Option<Vec<Node<'t>>> {
        let path = self.values.reader.tree.path_at(entry as usize).into_iter();
        let path: Vec<Node<'t>> = path.take_while(|node| node.range().start <= entry as usize).collect();
        let last =
            path.iter().position(|node| node.kind() == Kind::MapEntry && node.range().start == entry as usize)?;
        let path = path.get(..=last)?;
        let is_in_array = path.iter().any(|node| node.kind() == Kind::SeqEntry);
        (!is_in_array).then(|| path.iter().filter(|node| node.kind() == Kind::MapEntry).copied().collect())
    }

    fn asked(&self, entry: u32) -> Option<AskedEntry<'t>> {
        let path = self.path(entry)?;
        let node = path.last()?;
        let notes = item_notes(self.values.reader.file.id, *node)?;
        let start = notes.iter().map(|note| note.span.start).chain([entry]).min()?;
        let range = start..u32::try_from(node.range().end).ok()?;
        Some(AskedEntry { path, range })
    }

    /// An entry with nothing but these in it.
    fn around(&self, entry: Node<'_>, inside: Vec<MapItem>) -> Option<MapItem> {
        let EntryParts::Pair(key, _) = self.values.reader.entry(entry) else { return None };
        let annotations = item_notes(self.values.reader.file.id, entry)?;
        let (key, key_span) = (key.key(), key.span());
        let value = Data::new(NodeValue::Map(inside.into()), key_span);
        Some(MapItem {
            key,
            key_span,
            span: key_span,
            value,
            notes: annotations.into(),
            merged: false,
            conditional: false,
        })
    }

    /// The document with nothing but these entries in it, which are in order.
    fn document(&self, asked: &[AskedEntry<'t>]) -> Option<Document> {
        let file = self.values.reader.file;
        // Entries that are not complete, each with what is in it so far; the first list is that of the root.
        let mut around: Vec<Node<'t>> = Vec::new();
        let mut inside: Vec<Vec<MapItem>> = vec![Vec::new()];
        for asked in asked.iter().map(Some).chain([None]) {
            let above = asked.map_or(&[][..], |asked| asked.path.split_last().map_or(&[][..], |(_, above)| above));
            let common = around.iter().zip(above).take_while(|(one, other)| one == other).count();
            while around.len() > common {
                let item = self.around(around.pop()?, inside.pop()?)?;
                inside.last_mut()?.push(item);
            }
            for entry in above.get(common..)? {
                around.push(*entry);
                inside.push(Vec::new());
            }
            if let Some(entry) = asked.and_then(|asked| asked.path.last()) {
                inside.last_mut()?.push(lower_entry(file.id, *entry, file.profile, Options::default())?);
            }
        }
        let value = Data::new(NodeValue::Map(inside.pop()?.into()), self.values.value_span());
        Some(Document { value, ..self.values.header()?.clone() })
    }

    /// Merges entries. None if only the whole document tells.
    fn merge(&self, asked: &[AskedEntry<'t>]) -> Option<FxHashMap<u32, Vec<Diagnostic>>> {
        let document = self.document(asked)?;
        let set = ValuesSet {
            schema: Some(self.check.schema),
            functions: &NoFunctions,
            assertions: &NoAssertions,
            source: self.check.source,
            validations: true,
            limit: self.check.limit,
        };
        let given = [ValuesDocument { document: &document, mode: Mode::Annotated }];
        let report = match self.check.layers {
            Layers::Over { below: Base::Merged(values), .. } => set.check_over(values, &given),
            Layers::Over { below: Base::Defaults, .. } => set.check(&given),
            Layers::Over { below: Base::Unknown, .. } | Layers::Alone => return None,
        };
        if report.more > 0 {
            return None;
        }
        let starts = asked.iter().filter_map(|asked| Some((asked.path.last()?.range().start as u32, &asked.range)));
        let starts: Vec<(u32, &Range<u32>)> = starts.collect();
        let mut all: FxHashMap<u32, Vec<Diagnostic>> = starts.iter().map(|(entry, _)| (*entry, Vec::new())).collect();
        for mut finding in report.findings {
            // Others are about what is around the entries, of which more is in the document.
            if finding.span.file != self.values.reader.file.id && !place_in(&mut finding, &document) {
                continue;
            }
            let at = finding.span.start;
            let before = starts.partition_point(|(_, range)| range.start <= at);
            let entry = before.checked_sub(1).and_then(|index| starts.get(index));
            if let Some((entry, _)) = entry.filter(|(_, range)| range.contains(&at)) {
                all.entry(*entry).or_default().push(finding);
            }
        }
        Some(all)
    }
}

impl MergedEntries for MergedInTree<'_, '_> {
    fn has(&self, entry: u32) -> bool {
        self.values.entries.contains(&(entry as usize))
    }

    fn node(&self, entry: u32) -> Option<(Arc<Green>, u64)> {
        let path = self.path(entry)?;
        let green = path.last()?.green()?.clone();
        let key = |node: &Node<'_>| match self.values.reader.entry(*node) {
            EntryParts::Pair(key, _) => Some(key.key()),
            _ => None,
        };
        let above: Vec<_> = path.iter().map(|node| (key(node), self.values.reader.file.annotations(*node))).collect();
        let head = self.values.reader.tree.text(0..self.values.header_end);
        Some((green, FxBuildHasher.hash_one((above, head))))
    }

    fn findings(&self, entry: u32) -> Option<Vec<Diagnostic>> {
        let mut made = self.made.borrow_mut();
        if let Some(found) = made.found.remove(&entry) {
            return Some(found);
        }
        let mut together = vec![self.asked(entry)?];
        let later = self.entries.get(self.entries.partition_point(|other| *other <= entry)..).unwrap_or_default();
        for other in later {
            if together.len() >= made.together {
                break;
            }
            // What is in another entry is merged with it.
            let is_inside = together.last().is_some_and(|last| *other < last.range.end);
            if !is_inside && !made.found.contains_key(other) {
                together.extend(self.asked(*other));
            }
        }
        made.together *= 2;
        let mut all = self.merge(&together)?;
        let found = all.remove(&entry);
        made.found.extend(all);
        found
    }
}
