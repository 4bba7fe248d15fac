//! What is known about the places of a document, whatever its schema: collections without findings, and the keys of
//! long maps, remembered group by group: after an edit, only the keys of changed groups are read again to know whether
//! a map still has no key twice.

use super::address;
use lofting_syntax::resolve::Profile;
use lofting_syntax::{Element, Green, Kind, Node};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// So few groups may all be changed by one edit.
const FEW_GROUPS: usize = 2;

/// What is known about places and keys.
#[derive(Debug, Default)]
pub(crate) struct Clean {
    /// All collections count as clean.
    is_assumed: bool,
    /// How the document was read: its scalars, and whether as a template.
    read_as: Option<(Profile, bool)>,
    /// Collections, and groups of their entries, without findings inside, each with what stands for its aliases.
    pub(super) nodes: FxHashMap<(usize, u64), Arc<Green>>,
    /// The keys of long maps.
    pub(crate) keys: KeyIndexes,
    /// Documents of a stream without findings, by their nodes.
    pub(super) documents: FxHashMap<usize, (Quiet, Arc<Green>)>,
    /// Groups of such documents, all of which are plain.
    pub(super) groups: FxHashMap<usize, Arc<Green>>,
}

/// A document whose keys have no findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quiet {
    /// It was read in its tree; otherwise it had to be lowered.
    pub in_tree: bool,
    /// How many copies its aliases made, which all documents share.
    pub copies: usize,
}

impl Quiet {
    /// Whether it was read in its tree, and has no aliases.
    pub fn is_plain(self) -> bool {
        self.in_tree && self.copies == 0
    }
}

impl Clean {
    /// For as long as it is not known.
    pub(crate) fn assumed() -> Clean {
        Clean { is_assumed: true, ..Clean::default() }
    }

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

    /// What is known of documents as a whole.
    pub(super) fn of_documents(&self) -> Clean {
        let (documents, groups) = (self.documents.clone(), self.groups.clone());
        Clean { read_as: self.read_as, documents, groups, ..Clean::default() }
    }

    /// Adds what is known of other parts of the tree that have no aliases.
    pub(super) fn absorb(&mut self, other: Clean) {
        if self.read_as.is_none() {
            self.read_as = other.read_as;
        }
        if self.read_as == other.read_as {
            self.nodes.extend(other.nodes.into_iter().filter(|((_, names), _)| *names == 0));
            other.keys.maps.into_values().for_each(|map| self.keys.put(map));
            self.documents.extend(other.documents);
            self.groups.extend(other.groups);
        }
    }

    /// Whether it has no findings inside, if its aliases mean what this number stands for.
    pub(crate) fn contains(&self, green: &Arc<Green>, names: u64) -> bool {
        self.is_assumed || self.nodes.contains_key(&(address(green), names))
    }

    pub(crate) fn insert(&mut self, green: &Arc<Green>, names: u64) {
        self.nodes.insert((address(green), names), green.clone());
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
    hashes: GroupedHashes,
    /// How many more times a hash occurs after the first.
    again: FxHashMap<u32, usize>,
    /// All keys whose hashes occur again are different.
    differ: bool,
}

/// The hashes of what is in a long collection, group by group.
#[derive(Debug, Default)]
pub(super) struct GroupedHashes {
    /// In the order of the collection. The nodes are held, so that an address never refers to another one.
    groups: Vec<GroupKeys>,
    /// Those outside groups.
    loose: Vec<u32>,
}

/// A group of entries and the hashes of its keys.
#[derive(Debug)]
struct GroupKeys {
    group: Arc<Green>,
    /// The groups in it.
    inner: Vec<GroupKeys>,
    /// Those of the entries directly in it.
    hashes: Box<[u32]>,
}

impl GroupKeys {
    fn all<'k>(groups: &'k [GroupKeys]) -> impl Iterator<Item = u32> + 'k {
        let mut open: Vec<&GroupKeys> = groups.iter().collect();
        let all = std::iter::from_fn(move || {
            let group = open.pop()?;
            open.extend(&group.inner);
            Some(group.hashes.iter().copied())
        });
        all.flatten()
    }
}

impl GroupedHashes {
    /// Brings them to what the collection consists of now: its groups, and the hashes outside them. `read` hashes what is
    /// directly in a group; None if it cannot be read. Returns how much more often each hash occurs than before.
    pub(super) fn follow<'t>(
        &mut self,
        groups: &[Node<'t>],
        loose: Vec<u32>,
        mut read: impl FnMut(Node<'t>) -> Option<Vec<u32>>,
    ) -> Option<FxHashMap<u32, isize>> {
        let mut more: FxHashMap<u32, isize> = FxHashMap::default();
        let known = std::mem::take(&mut self.groups).into_iter();
        let mut known: GroupsByAddress = known.map(|known| (address(&known.group), known)).collect();
        self.groups = followed(&mut known, groups.to_vec(), &mut more, &mut read)?;
        let gone: Vec<GroupKeys> = known.into_values().collect();
        GroupKeys::all(&gone).for_each(|hash| *more.entry(hash).or_default() -= 1);
        loose.iter().for_each(|hash| *more.entry(*hash).or_default() += 1);
        self.loose.iter().for_each(|hash| *more.entry(*hash).or_default() -= 1);
        self.loose = loose;
        more.retain(|_, more| *more != 0);
        Some(more)
    }

    /// The groups by which the collection is known again after an edit, which may change one or two of them. If there are
    /// few, those in them count as well: brackets have commas between groups, so that all may be in one.
    fn named(&self) -> impl Iterator<Item = &GroupKeys> {
        let inner = if self.groups.len() <= FEW_GROUPS { self.groups.as_slice() } else { &[] };
        self.groups.iter().chain(inner.iter().flat_map(|group| &group.inner))
    }

    /// All hashes.
    fn all(&self) -> impl Iterator<Item = u32> {
        GroupKeys::all(&self.groups).chain(self.loose.iter().copied())
    }
}

impl KeyIndexes {
    /// Takes out what is known about a map that consists of these groups, or did before an edit.
    pub(crate) fn take(&mut self, groups: &[Node<'_>]) -> KeyIndex {
        let known = |group: &Node<'_>| self.of_group.get(&address(group.green()?)).copied();
        let inner = || groups.iter().flat_map(inner_groups).find_map(|group| known(&group));
        let map = groups.iter().find_map(known).or_else(inner);
        let Some(index) = map.and_then(|map| self.maps.remove(&map)) else { return KeyIndex::default() };
        for known in index.hashes.named() {
            self.of_group.remove(&address(&known.group));
        }
        index
    }

    /// Remembers the keys of a map.
    pub(crate) fn put(&mut self, index: KeyIndex) {
        self.last += 1;
        self.of_group.extend(index.hashes.named().map(|known| (address(&known.group), self.last)));
        self.maps.insert(self.last, index);
    }

    /// Whether the map to which a group belongs may have a key twice. It may if nothing is known about it.
    pub(crate) fn may_repeat(&self, group: &Arc<Green>) -> bool {
        let map = self.of_group.get(&address(group)).and_then(|map| self.maps.get(map));
        map.is_none_or(KeyIndex::may_repeat)
    }

    /// The addresses of all nodes that are held here.
    pub(crate) fn held(&self) -> impl Iterator<Item = usize> {
        self.of_group.keys().copied()
    }

    /// Forgets the maps whose groups are no longer in use.
    pub(crate) fn retain(&mut self, in_use: impl Fn(&Arc<Green>) -> bool) {
        self.maps.retain(|_, index| index.hashes.groups.iter().any(|known| in_use(&known.group)));
        self.of_group.retain(|_, map| self.maps.contains_key(map));
    }
}

impl KeyIndex {
    /// Brings the index to what a map consists of now: its groups, and the hashes of its keys outside them. `read`
    /// hashes the keys directly in a group; None if the map cannot be read.
    pub(crate) fn follow<'t>(
        &mut self,
        groups: &[Node<'t>],
        loose: Vec<u32>,
        read: impl FnMut(Node<'t>) -> Option<Vec<u32>>,
    ) -> Option<()> {
        let is_new = self.hashes.groups.is_empty();
        let more = self.hashes.follow(groups, loose, read)?;
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
        let all = self.hashes.all();
        all.filter(|hash| changed.contains(hash)).for_each(|hash| *counts.entry(hash).or_default() += 1);
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

/// What is known of groups, by their addresses.
type GroupsByAddress = FxHashMap<usize, GroupKeys>;

/// What is known of the groups `now`, taken from what is known of those before an edit and of the groups in these. Others are
/// read. `more` is how much more often each hash occurs in what was read than in what was taken apart.
fn followed<'t>(
    known: &mut GroupsByAddress,
    now: Vec<Node<'t>>,
    more: &mut FxHashMap<u32, isize>,
    read: &mut impl FnMut(Node<'t>) -> Option<Vec<u32>>,
) -> Option<Vec<GroupKeys>> {
    let take =
        |known: &mut GroupsByAddress, node: &Node<'_>| node.green().and_then(|green| known.remove(&address(green)));
    let mut kept: Vec<Option<GroupKeys>> = now.iter().map(|node| take(known, node)).collect();
    if kept.iter().all(Option::is_some) {
        return Some(kept.into_iter().flatten().collect());
    }
    take_apart(known, more);
    for (node, kept) in now.iter().zip(&mut kept).filter(|(_, kept)| kept.is_none()) {
        *kept = take(known, node);
    }
    let new = now.iter().zip(&kept).filter(|(_, kept)| kept.is_none());
    let new: Vec<Vec<Node<'t>>> = new.map(|(node, _)| inner_groups(node).collect()).collect();
    // Groups have few levels.
    let mut inside =
        if new.iter().all(Vec::is_empty) { Vec::new() } else { followed(known, new.concat(), more, read)? }.into_iter();
    let mut counts = new.iter().map(Vec::len);
    let mut groups = Vec::with_capacity(now.len());
    for (node, kept) in now.into_iter().zip(kept) {
        let (None, Some(green)) = (&kept, node.green()) else {
            groups.extend(kept);
            continue;
        };
        let hashes = read(node)?.into_boxed_slice();
        hashes.iter().for_each(|hash| *more.entry(*hash).or_default() += 1);
        let inner = inside.by_ref().take(counts.next().unwrap_or_default()).collect();
        groups.push(GroupKeys { group: Arc::clone(green), inner, hashes });
    }
    Some(groups)
}

/// The groups directly in a group.
fn inner_groups<'t>(group: &Node<'t>) -> impl Iterator<Item = Node<'t>> + use<'t> {
    group.parts().filter_map(Element::node).filter(|inner| inner.kind() == Kind::Group)
}

/// Replaces groups by those in them. Groups of entries stay: they may be in other groups now.
fn take_apart(known: &mut GroupsByAddress, more: &mut FxHashMap<u32, isize>) {
    let outer: Vec<usize> =
        known.iter().filter(|(_, group)| !group.inner.is_empty()).map(|(address, _)| *address).collect();
    for group in outer.iter().filter_map(|address| known.remove(address)).collect::<Vec<_>>() {
        group.hashes.iter().for_each(|hash| *more.entry(*hash).or_default() -= 1);
        known.extend(group.inner.into_iter().map(|inner| (address(&inner.group), inner)));
    }
}
