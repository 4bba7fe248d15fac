//! The left side of an array or of a set of documents, indexed by what matchers compare.

use crate::annotations::By;
use crate::engine::make_unknown;
use crate::order::Order;
use crate::sequence::Member;
use lofting_document::{Key, Node, NodeValue};
use rustc_hash::FxHashMap;

/// How many indexes are kept; a matcher that compares anything else looks at all members.
const INDEXES: usize = 16;

/// Members of a sequence. A member keeps its slot until it is removed.
pub(crate) struct Members<M> {
    slots: Vec<Option<M>>,
    order: Order,
    indexes: Vec<Index>,
    /// Slots of members that became unknown and did not change since.
    unknown: Vec<bool>,
    /// Whether no part of a member is unknown; None if nothing asked since it changed.
    known: Vec<Option<bool>>,
    /// How many members are known.
    open: usize,
}

/// Which members have which leaf at one path. After a change a slot may be listed too often, but never too seldom.
struct Index {
    path: Vec<Key>,
    by_leaf: FxHashMap<Key, Vec<usize>>,
    /// Members without a leaf at the path.
    without: Vec<usize>,
    /// Members that are partly unknown.
    unknown: Vec<usize>,
    /// What was noted for each slot.
    noted: Vec<Option<There>>,
}

/// What a member has at the path of an index.
#[derive(Clone, PartialEq)]
enum There {
    Leaf(Key),
    NoLeaf,
    Unknown,
}

impl Index {
    /// Notes what a member has; `is_known` if no part of it is unknown, which takes reading all of it.
    fn note(&mut self, slot: usize, value: &Node, is_known: bool) {
        let there = if is_known {
            let at_path = self.path.iter().try_fold(value, |node, key| node.get(key));
            at_path.and_then(leaf).map_or(There::NoLeaf, There::Leaf)
        } else {
            There::Unknown
        };
        if self.noted.len() <= slot {
            self.noted.resize(slot + 1, None);
        }
        let Some(noted) = self.noted.get_mut(slot) else { return };
        if noted.as_ref() == Some(&there) {
            return;
        }
        *noted = Some(there.clone());
        match there {
            There::Leaf(leaf) => self.by_leaf.entry(leaf).or_default().push(slot),
            There::NoLeaf => self.without.push(slot),
            There::Unknown => self.unknown.push(slot),
        }
    }

    /// All members that may have this leaf at the path.
    fn found(&self, leaf: &Key) -> impl Iterator<Item = usize> {
        self.by_leaf.get(leaf).into_iter().flatten().chain(&self.unknown).copied()
    }

    fn count(&self, leaf: &Key) -> usize {
        self.by_leaf.get(leaf).map_or(0, Vec::len)
    }
}

impl<M: Member> Members<M> {
    pub fn new(members: Vec<M>) -> Self {
        let (order, unknown, open) = (Order::of(members.len()), vec![false; members.len()], members.len());
        let known = vec![None; members.len()];
        Members { slots: members.into_iter().map(Some).collect(), order, indexes: Vec::new(), unknown, known, open }
    }

    pub fn into_vec(mut self) -> Vec<M> {
        let order = std::mem::take(&mut self.order);
        order.iter().filter_map(|slot| self.slots.get_mut(slot)?.take()).collect()
    }

    pub fn get(&self, slot: usize) -> Option<&M> {
        self.slots.get(slot)?.as_ref()
    }

    /// Changes a member, if it still exists.
    pub fn change(&mut self, slot: usize, change: impl FnOnce(&mut M)) {
        let Some(member) = self.slots.get_mut(slot).and_then(Option::as_mut) else { return };
        if let Some(unknown) = self.unknown.get_mut(slot) {
            self.open += usize::from(std::mem::take(unknown));
        }
        change(member);
        if let Some(known) = self.known.get_mut(slot) {
            *known = None;
        }
        self.note(slot);
    }

    /// Changes all members in a way that does not affect matching.
    pub fn change_all(&mut self, change: impl Fn(&mut M)) {
        self.slots.iter_mut().flatten().for_each(change);
    }

    /// Makes all members unknown, because any of them may have changed.
    pub fn make_unknown(&mut self) {
        if self.open == 0 {
            return;
        }
        for slot in 0..self.slots.len() {
            if self.unknown.get(slot) == Some(&false) && self.get(slot).is_some() {
                self.change(slot, |member| make_unknown(member.value_mut()));
                if let Some(unknown) = self.unknown.get_mut(slot) {
                    *unknown = true;
                }
            }
        }
        self.open = 0;
    }

    /// Whether there are members and all of them are unknown.
    pub fn are_unknown(&self) -> bool {
        self.open == 0 && self.unknown.contains(&true)
    }

    pub fn push(&mut self, member: M) {
        let slot = self.add(member);
        self.order.push(slot);
    }

    /// Inserts a member directly before or after another.
    pub fn insert(&mut self, member: M, beside: usize, after: bool) {
        let slot = self.add(member);
        self.order.insert(slot, beside, after);
    }

    pub fn remove(&mut self, slot: usize) {
        self.order.remove(slot);
        let removed = self.slots.get_mut(slot).and_then(Option::take);
        if let (Some(_), Some(unknown)) = (removed, self.unknown.get_mut(slot)) {
            self.open -= usize::from(!std::mem::take(unknown));
        }
    }

    /// Removes all members; whether there were any.
    pub fn clear(&mut self) -> bool {
        let slots: Vec<usize> = self.order.iter().collect();
        slots.iter().for_each(|slot| self.remove(*slot));
        !slots.is_empty()
    }

    fn add(&mut self, member: M) -> usize {
        let slot = self.slots.len();
        self.slots.push(Some(member));
        self.unknown.push(false);
        self.known.push(None);
        self.open += 1;
        self.note(slot);
        slot
    }

    /// Notes in all indexes what a member has.
    fn note(&mut self, slot: usize) {
        if self.indexes.is_empty() {
            return;
        }
        let is_known = self.is_known(slot);
        let Some(value) = self.slots.get(slot).and_then(Option::as_ref).map(Member::value) else { return };
        for index in &mut self.indexes {
            index.note(slot, value, is_known);
        }
    }

    /// Whether no part of a member is unknown. All of it is read, once after each change.
    fn is_known(&mut self, slot: usize) -> bool {
        let Some(known) = self.known.get_mut(slot) else { return false };
        let read = || self.slots.get(slot).and_then(Option::as_ref).is_some_and(|member| member.value().is_known());
        *known.get_or_insert_with(read)
    }

    /// The slots of all members that `by` may match with `right`, in order, each with its index.
    pub fn candidates(&mut self, by: &By, right: &Node) -> Vec<(usize, usize)> {
        let Some(mut slots) = self.found(by, right) else {
            return self.order.iter().enumerate().map(|(at, slot)| (slot, at)).collect();
        };
        slots.sort_unstable();
        slots.dedup();
        let mut placed: Vec<(usize, usize)> =
            slots.into_iter().filter_map(|slot| Some((slot, self.order.index(slot)?))).collect();
        placed.sort_unstable_by_key(|(_, at)| *at);
        placed
    }

    /// The members that an index does not exclude; None if there is no suitable index.
    fn found(&mut self, by: &By, right: &Node) -> Option<Vec<usize>> {
        match by {
            By::Index(index) => {
                let index = usize::try_from(*index).ok();
                Some(index.and_then(|index| self.order.nth(index)).into_iter().collect())
            }
            By::MapKey(key) if right.is_known() => {
                let leaf = leaf(right.get(key)?)?;
                let index = self.index(vec![key.clone()])?;
                // A member without the key is a problem that has to be reported.
                Some(index.found(&leaf).chain(index.without.iter().copied()).collect())
            }
            By::Subset(expected) => {
                let mut best: Option<(usize, Vec<Key>, Key)> = None;
                for (path, leaf) in leaves(expected) {
                    let Some(index) = self.index(path.clone()) else { continue };
                    let count = index.count(&leaf);
                    if best.as_ref().is_none_or(|(least, ..)| count < *least) {
                        best = Some((count, path, leaf));
                    }
                }
                let (_, path, leaf) = best?;
                Some(self.index(path)?.found(&leaf).collect())
            }
            // Members that the first part rejects are not passed to the others.
            By::And(parts) => self.found(parts.first()?, right),
            By::Or(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    all.extend(self.found(part, right)?);
                }
                Some(all)
            }
            By::MapKey(_) | By::All | By::Not(_) | By::Function(_) | By::Unknown => None,
        }
    }

    fn index(&mut self, path: Vec<Key>) -> Option<&Index> {
        let known = self.indexes.iter().position(|index| index.path == path);
        let at = match known {
            Some(at) => at,
            None if self.indexes.len() >= INDEXES => return None,
            None => {
                let mut index = Index {
                    path,
                    by_leaf: FxHashMap::default(),
                    without: Vec::new(),
                    unknown: Vec::new(),
                    noted: Vec::new(),
                };
                for slot in 0..self.slots.len() {
                    let is_known = self.is_known(slot);
                    if let Some(Some(member)) = self.slots.get(slot) {
                        index.note(slot, member.value(), is_known);
                    }
                }
                self.indexes.push(index);
                self.indexes.len() - 1
            }
        };
        self.indexes.get(at)
    }
}

/// A leaf in the form in which it is compared: equal leaves have the same form.
fn leaf(node: &Node) -> Option<Key> {
    Some(match &node.value {
        NodeValue::Null => Key::Null,
        NodeValue::Bool(value) => Key::Bool(*value),
        NodeValue::Int(value) => Key::Int(*value),
        // Positive and negative zero are equal.
        NodeValue::Float(value) => Key::Float((*value + 0.0).to_bits()),
        NodeValue::String(text) => Key::String(text.clone()),
        NodeValue::Map(_) | NodeValue::Array(_) | NodeValue::Unknown => return None,
    })
}

/// How many leaves of a subset are considered to find the most selective one.
const LEAVES: usize = 8;

/// The leaves below the maps of a value, each with its path.
fn leaves(node: &Node) -> Vec<(Vec<Key>, Key)> {
    let mut found = Vec::new();
    let mut open = vec![(Vec::new(), node)];
    while let Some((path, node)) = open.pop() {
        if found.len() >= LEAVES {
            break;
        }
        match &node.value {
            NodeValue::Map(items) => {
                for item in items.iter().take(LEAVES) {
                    let mut path: Vec<Key> = path.clone();
                    path.push(item.key.clone());
                    open.push((path, &item.value));
                }
            }
            _ => found.extend(leaf(node).filter(|_| !path.is_empty()).map(|leaf| (path, leaf))),
        }
    }
    found
}
