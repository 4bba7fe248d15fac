//! What is known about the places of a document, whatever its schema: collections without findings, and the keys of
//! long maps, remembered group by group: after an edit, only the keys of changed groups are read again to know whether
//! a map still has no key twice.

use super::address;
use lofting_syntax::Green;
use lofting_syntax::resolve::Profile;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// What is known about places and keys.
#[derive(Debug, Default)]
pub(crate) struct Clean {
    /// How the document was read: its scalars, and whether as a template.
    read_as: Option<(Profile, bool)>,
    /// Collections, and groups of their entries, without findings inside.
    pub(super) nodes: FxHashMap<usize, Arc<Green>>,
    /// The keys of long maps.
    pub(crate) keys: KeyIndexes,
    /// Documents of a stream without findings, by their nodes.
    pub(super) documents: FxHashMap<usize, (Quiet, Arc<Green>)>,
}

/// A document whose keys have no findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quiet {
    /// It was read in its tree; otherwise it had to be lowered.
    pub in_tree: bool,
    /// How many copies its aliases made, which all documents share.
    pub copies: usize,
}

impl Clean {
    /// Whether what is known is of documents that were read like this.
    pub(super) fn is_read_as(&self, profile: Profile, is_template: bool) -> bool {
        self.read_as == Some((profile, is_template))
    }

    /// Forgets what is known if the document was read differently.
    pub(crate) fn begin(&mut self, profile: Profile, is_template: bool) {
        if self.read_as != Some((profile, is_template)) {
            *self = Clean { read_as: Some((profile, is_template)), ..Clean::default() };
        }
    }

    pub(crate) fn contains(&self, green: &Arc<Green>) -> bool {
        self.nodes.contains_key(&address(green))
    }

    pub(crate) fn insert(&mut self, green: &Arc<Green>) {
        self.nodes.insert(address(green), green.clone());
    }
}

/// The keys of the long maps of a file.
#[derive(Debug, Default)]
pub(crate) struct KeyIndexes {
    maps: FxHashMap<usize, KeyIndex>,
    /// The map to which a group belongs.
    of_group: FxHashMap<usize, usize>,
    last: usize,
}

/// The keys of one map, by their hashes. A hash is small, as there is one for each line of a large file; so different
/// keys may have the same.
#[derive(Debug, Default)]
pub(crate) struct KeyIndex {
    /// In the order of the map. The nodes are held, so that an address never refers to another one.
    groups: Vec<GroupKeys>,
    /// Hashes of keys outside groups.
    loose: Vec<u32>,
    /// How many more times a hash occurs after the first.
    again: FxHashMap<u32, usize>,
    /// All keys whose hashes occur again are different.
    differ: bool,
}

/// A group of entries and the hashes of its keys.
#[derive(Debug)]
struct GroupKeys {
    group: Arc<Green>,
    hashes: Box<[u32]>,
}

impl KeyIndexes {
    /// Takes out what is known about a map that consists of these groups, or did before an edit.
    pub(crate) fn take(&mut self, groups: &[&Arc<Green>]) -> KeyIndex {
        let known = groups.iter().find_map(|group| self.of_group.get(&address(group)));
        let Some(index) = known.copied().and_then(|map| self.maps.remove(&map)) else { return KeyIndex::default() };
        for known in &index.groups {
            self.of_group.remove(&address(&known.group));
        }
        index
    }

    /// Remembers the keys of a map.
    pub(crate) fn put(&mut self, index: KeyIndex) {
        self.last += 1;
        self.of_group.extend(index.groups.iter().map(|known| (address(&known.group), self.last)));
        self.maps.insert(self.last, index);
    }

    /// The addresses of all nodes that are held here.
    pub(crate) fn held(&self) -> impl Iterator<Item = usize> {
        self.of_group.keys().copied()
    }

    /// Forgets the maps whose groups are no longer in use.
    pub(crate) fn retain(&mut self, in_use: impl Fn(&Arc<Green>) -> bool) {
        self.maps.retain(|_, index| index.groups.iter().any(|known| in_use(&known.group)));
        self.of_group.retain(|_, map| self.maps.contains_key(map));
    }
}

impl KeyIndex {
    /// Brings the index to what a map consists of now: its groups, and the hashes of its keys outside them. `read`
    /// hashes the keys of a group; None if the map cannot be read.
    pub(crate) fn follow(
        &mut self,
        groups: &[&Arc<Green>],
        loose: Vec<u32>,
        mut read: impl FnMut(usize) -> Option<Vec<u32>>,
    ) -> Option<()> {
        let is_new = self.groups.is_empty();
        let same = |(known, now): &(&GroupKeys, &&Arc<Green>)| Arc::ptr_eq(&known.group, now);
        let before = self.groups.iter().zip(groups).take_while(same).count();
        let most = self.groups.len().min(groups.len()) - before;
        let after = self.groups.iter().rev().zip(groups.iter().rev()).take(most).take_while(same).count();
        // Between them, most groups are the same as well: an edit may change what is far away, such as the last group.
        let middle = self.groups.splice(before..self.groups.len() - after, []);
        let mut old: FxHashMap<usize, GroupKeys> = middle.map(|known| (address(&known.group), known)).collect();
        // How much more often each hash occurs than before.
        let mut more: FxHashMap<u32, isize> = FxHashMap::default();
        let mut now = Vec::new();
        for (at, group) in groups.iter().enumerate().take(groups.len() - after).skip(before) {
            now.push(match old.remove(&address(group)) {
                Some(known) => known,
                None => {
                    let hashes = read(at)?.into_boxed_slice();
                    hashes.iter().for_each(|hash| *more.entry(*hash).or_default() += 1);
                    GroupKeys { group: Arc::clone(group), hashes }
                }
            });
        }
        self.groups.splice(before..before, now);
        loose.iter().for_each(|hash| *more.entry(*hash).or_default() += 1);
        let gone = old.values().flat_map(|gone| &gone.hashes);
        gone.chain(&self.loose).for_each(|hash| *more.entry(*hash).or_default() -= 1);
        self.loose = loose;
        more.retain(|_, more| *more != 0);
        // Of a map that was not known before, each hash that occurs once is new.
        let is_other = |more: isize| !is_new || more > 1;
        self.count_again(more.into_iter().filter(|(_, more)| is_other(*more)).map(|(hash, _)| hash));
        Some(())
    }

    /// Counts some hashes again.
    fn count_again(&mut self, hashes: impl Iterator<Item = u32>) {
        let changed: FxHashSet<u32> = hashes.collect();
        if changed.is_empty() {
            return;
        }
        let mut counts: FxHashMap<u32, usize> = FxHashMap::default();
        let all = self.groups.iter().flat_map(|group| &group.hashes).chain(&self.loose);
        all.filter(|hash| changed.contains(*hash)).for_each(|hash| *counts.entry(*hash).or_default() += 1);
        for hash in changed {
            let again = counts.get(&hash).copied().unwrap_or_default().saturating_sub(1);
            self.differ &= again == 0;
            match again {
                0 => drop(self.again.remove(&hash)),
                more => drop(self.again.insert(hash, more)),
            }
        }
    }

    /// Whether two keys may be the same.
    pub(crate) fn may_repeat(&self) -> bool {
        !self.again.is_empty() && !self.differ
    }

    /// Notes that no two keys are the same, although hashes are.
    pub(crate) fn all_differ(&mut self) {
        self.differ = true;
    }
}
