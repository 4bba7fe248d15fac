//! The keys of long maps, remembered group by group: after an edit, only the keys of changed groups are read again to
//! know whether a map still has no key twice.

use crate::memo::address;
use lofting_syntax::Green;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The keys of the long maps of a file.
#[derive(Debug, Default)]
pub(crate) struct KeyIndexes {
    maps: FxHashMap<usize, KeyIndex>,
    /// The map to which a group belongs.
    of_group: FxHashMap<usize, usize>,
    last: usize,
}

/// The keys of one map, by their hashes.
#[derive(Debug, Default)]
pub(crate) struct KeyIndex {
    /// In the order of the map. The nodes are held, so that an address never refers to another one.
    groups: Vec<(Arc<Green>, Box<[u64]>)>,
    /// Hashes of keys outside of groups.
    loose: Vec<u64>,
    once: FxHashSet<u64>,
    /// How many more times a hash occurs.
    again: FxHashMap<u64, usize>,
}

impl KeyIndexes {
    /// Takes out what is known of a map that consists of these groups, or did before an edit.
    pub(super) fn take(&mut self, groups: &[&Arc<Green>]) -> KeyIndex {
        let known = groups.iter().find_map(|group| self.of_group.get(&address(group)));
        let Some(index) = known.copied().and_then(|map| self.maps.remove(&map)) else { return KeyIndex::default() };
        for (group, _) in &index.groups {
            self.of_group.remove(&address(group));
        }
        index
    }

    /// Remembers the keys of a map.
    pub(super) fn put(&mut self, index: KeyIndex) {
        self.last += 1;
        self.of_group.extend(index.groups.iter().map(|(group, _)| (address(group), self.last)));
        self.maps.insert(self.last, index);
    }

    /// The addresses of all nodes that are held here.
    pub(crate) fn held(&self) -> impl Iterator<Item = usize> {
        self.of_group.keys().copied()
    }

    /// Forgets the maps of which no group is in use any more.
    pub(crate) fn retain(&mut self, in_use: impl Fn(&Arc<Green>) -> bool) {
        self.maps.retain(|_, index| index.groups.iter().any(|(group, _)| in_use(group)));
        self.of_group.retain(|_, map| self.maps.contains_key(map));
    }
}

impl KeyIndex {
    /// Brings the index to what a map consists of now: its groups, and the hashes of its keys outside of them. `read`
    /// hashes the keys of a group; None if the map cannot be read.
    pub(super) fn follow(
        &mut self,
        groups: &[&Arc<Green>],
        loose: Vec<u64>,
        mut read: impl FnMut(usize) -> Option<Vec<u64>>,
    ) -> Option<()> {
        let same = |(known, now): &(&(Arc<Green>, Box<[u64]>), &&Arc<Green>)| Arc::ptr_eq(&known.0, now);
        let before = self.groups.iter().zip(groups).take_while(same).count();
        let most = self.groups.len().min(groups.len()) - before;
        let after = self.groups.iter().rev().zip(groups.iter().rev()).take(most).take_while(same).count();
        for hash in std::mem::replace(&mut self.loose, loose.clone()) {
            self.remove(hash);
        }
        loose.into_iter().for_each(|hash| self.add(hash));
        let mut new = Vec::new();
        for (at, group) in groups.iter().enumerate().take(groups.len() - after).skip(before) {
            new.push((Arc::clone(group), read(at)?.into_boxed_slice()));
        }
        for hash in new.iter().flat_map(|(_, hashes)| hashes) {
            self.add(*hash);
        }
        let gone: Vec<_> = self.groups.splice(before..self.groups.len() - after, new).collect();
        for hash in gone.iter().flat_map(|(_, hashes)| hashes) {
            self.remove(*hash);
        }
        Some(())
    }

    /// Whether two keys may be the same.
    pub(super) fn has_repeated(&self) -> bool {
        !self.again.is_empty()
    }

    fn add(&mut self, hash: u64) {
        if !self.once.insert(hash) {
            *self.again.entry(hash).or_default() += 1;
        }
    }

    fn remove(&mut self, hash: u64) {
        match self.again.get_mut(&hash) {
            Some(1) => drop(self.again.remove(&hash)),
            Some(more) => *more -= 1,
            None => drop(self.once.remove(&hash)),
        }
    }
}
