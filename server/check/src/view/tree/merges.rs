//! Merge keys (`<<`): the entries that a map has with those that are merged into it.

use super::{EntryParts, TreeReader, TreeView, pair};
use crate::view::{Entry, Kind, View};
use lofting_document::Key;
use lofting_syntax::{Kind as Syntax, Node};
use rustc_hash::{FxHashMap, FxHashSet};

/// The entries of a map into which others are merged.
pub(super) struct MergedMap<'t> {
    /// Those that count, in the order of the text.
    pub entries: Vec<Entry<TreeView<'t>>>,
    /// There may be more.
    pub is_partial: bool,
}

/// The entries so far.
#[derive(Default)]
struct Entries<'t> {
    /// None for one that was replaced.
    all: Vec<Option<Entry<TreeView<'t>>>>,
    /// Where the last entry with each key is, and whether it was merged in.
    last: FxHashMap<Key, (usize, bool)>,
}

impl<'t> Entries<'t> {
    /// What is written replaces what is merged in, whichever comes first; of what is merged in, the first one counts.
    fn add(&mut self, entry: Entry<TreeView<'t>>, is_merged: bool) {
        if let Some((at, was_merged)) = self.last.get(&entry.key).copied() {
            if is_merged {
                return;
            }
            if let Some(replaced) = self.all.get_mut(at).filter(|_| was_merged) {
                *replaced = None;
            }
        }
        self.last.insert(entry.key.clone(), (self.all.len(), is_merged));
        self.all.push(Some(entry));
    }
}

impl<'t> TreeReader<'t> {
    /// Whether only lowering tells what merging does, for ytt: there, what is merged in does not give way to what is written,
    /// and lists of maps are not merged.
    pub(crate) fn merges_twice(self, map: Node<'t>) -> bool {
        if !self.file.profile.is_of_ytt() || !self.names.is_some_and(|names| names.merges(map)) {
            return false;
        }
        let mut keys = FxHashSet::default();
        map.nodes().any(|node| match self.entry(node) {
            EntryParts::Pair(key, value) if key.is_merge() => {
                let value = value.meant();
                !matches!(value.kind(), Kind::Map | Kind::Unknown)
                    || value.entries().any(|entry| !keys.insert(entry.key))
            }
            EntryParts::Pair(key, _) => !keys.insert(key.key()),
            EntryParts::Incomplete | EntryParts::Odd => false,
        })
    }
}

impl<'t> TreeView<'t> {
    /// The entries of a map with those that `<<` merges into it; None if nothing does.
    pub(super) fn with_merged(self) -> Option<MergedMap<'t>> {
        let names = self.reader.names?;
        let map = self.collection().filter(|node| matches!(node.kind(), Syntax::BlockMap | Syntax::FlowMap))?;
        if !names.merges(map) {
            return None;
        }
        let (mut entries, mut is_partial) = (Entries::default(), false);
        for node in map.nodes() {
            let EntryParts::Pair(key, value) = self.reader.entry(node) else {
                is_partial = true;
                continue;
            };
            if key.is_merge() {
                is_partial |= !value.meant().merge_into(&mut entries);
            } else if let Some(entry) = pair(self.reader, node) {
                entries.add(entry, false);
            }
        }
        Some(MergedMap { entries: entries.all.into_iter().flatten().collect(), is_partial })
    }

    /// Merges the entries of this value, or of its items; false if there may be more.
    fn merge_into(self, entries: &mut Entries<'t>) -> bool {
        match self.kind() {
            Kind::Map => match self.with_merged() {
                Some(merged) => {
                    merged.entries.into_iter().for_each(|entry| entries.add(entry, true));
                    !merged.is_partial
                }
                None => {
                    self.entries().for_each(|entry| entries.add(entry, true));
                    !self.is_partial()
                }
            },
            Kind::Array => {
                let maps = self.items().map(|item| item.value);
                let maps = maps.filter(|map| matches!(map.kind(), Kind::Map | Kind::Unknown));
                maps.fold(!self.is_partial(), |known, map| map.merge_into(entries) && known)
            }
            Kind::Unknown => false,
            _ => true,
        }
    }
}
