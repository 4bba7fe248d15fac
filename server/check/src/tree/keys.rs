//! The keys of a values file.

use crate::bound::Bound;
use crate::memo::{CheckMemo, Clean};
use crate::place::Content;
use crate::syntax::TreeSource;
use crate::view::{EntryParts, Item, Kind as ValueKind, TreeReader, TreeView, View};
use crate::visit::{Ground, Inside, Recalled, Value, Visit};
use lofting_diagnostic::Diagnostic;
use lofting_document::{Issue, Key, Span};
use lofting_syntax::{Element, Green, Kind, Node};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;
use std::sync::Arc;

/// The keys of maps with more entries are remembered group by group.
const MANY: usize = 256;

/// How a document is read in its tree.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reading<'t> {
    pub reader: TreeReader<'t>,
    /// It has annotations or code of ytt.
    pub is_template: bool,
    /// Its head is that of a design proposal.
    pub in_proposal: bool,
}

/// The findings that lowering would make for the keys below a value, and those of the rules that look at places there.
/// None if the file has to be lowered.
pub(crate) fn check_keys<'t>(reading: Reading<'t>, root: TreeView<'t>, clean: &mut Clean) -> Option<Vec<Diagnostic>> {
    let TreeReader { file, tree, .. } = reading.reader;
    clean.begin(file.profile, reading.is_template);
    let source = TreeSource { file: file.id, tree };
    let mut found = Vec::new();
    let mut keys = Keys { reading, source, clean, seen: Seen::default(), bound: Bound::of(&found), bounded: false };
    let root = keys.value(root, &mut found);
    Visit::of(reading.is_template, &source).values(&mut keys, root, reading.in_proposal, &mut found)?;
    Some(found)
}

/// The keys of a document in its tree, read as lowering would.
struct Keys<'k, 't> {
    reading: Reading<'t>,
    source: TreeSource<'k>,
    clean: &'k mut Clean,
    seen: Seen,
    bound: Bound,
    /// Findings are only counted by now, so that their number does not tell whether there was one.
    bounded: bool,
}

impl<'t> Ground<'t> for Keys<'_, 't> {
    type Node = Node<'t>;
    type Mark = (&'t Arc<Green>, u64);

    fn recall(&self, node: &Node<'t>) -> Recalled<(&'t Arc<Green>, u64)> {
        let names = self.reading.reader.names_in(*node);
        match node.green().filter(|green| CheckMemo::is_worth(green)) {
            Some(green) if self.clean.contains(green, names) => Recalled::Clean,
            green => Recalled::Open(green.map(|green| (green, names))),
        }
    }

    fn remember(&mut self, (green, names): (&'t Arc<Green>, u64)) {
        if self.bounded {
            return;
        }
        self.clean.insert(green, names);
    }

    fn open(
        &mut self,
        node: Node<'t>,
        inside: &mut Vec<Inside<'t, Node<'t>>>,
        found: &mut Vec<Diagnostic>,
    ) -> Option<()> {
        self.seen.clear();
        // A key is compared with all others of its map; items are independent, so groups of an array's items can be
        // skipped.
        let is_map = matches!(node.kind(), Kind::BlockMap | Kind::FlowMap);
        if is_map && self.reading.reader.merges_twice(node) {
            return None;
        }
        if is_map && node.green().is_some_and(|green| green.count() > MANY) {
            return self.long_map(node, inside, found);
        }
        let entries = is_map.then(|| node.children()).into_iter().flatten();
        let parts = (!is_map).then(|| node.parts()).into_iter().flatten();
        for child in entries.chain(parts) {
            let Element::Node(child) = child else { continue };
            match child.kind() {
                Kind::Group => inside.push(Inside::Part(child)),
                // What a group repeats was found for the whole map.
                Kind::MapEntry => self.entry(child, node.kind() != Kind::Group, inside, found)?,
                Kind::SeqEntry => {
                    let (span, item) = self.reading.reader.item(child)?;
                    let value = self.value(item, found);
                    inside.push(Inside::Item { span, notes: None, value });
                }
                // Broken text.
                _ => {}
            }
        }
        Some(())
    }
}

impl<'t> Keys<'_, 't> {
    /// A value as it is written: what an alias stands for is found where it is. Reports what reading it notices.
    fn value(&mut self, view: TreeView<'t>, found: &mut Vec<Diagnostic>) -> Value<'t, Node<'t>> {
        if let Some(name) = view.unknown_alias() {
            self.issue(&Issue::UnknownAlias { span: view.span(), name }, found);
        }
        if let Some(Err(error)) = view.tagged() {
            self.issue(&Issue::Tag { span: view.span(), message: error.message }, found);
        }
        match view.written_collection() {
            Some(node) => Value::Collection(node),
            None if view.is_missing() => Value::Missing,
            None if view.is_unknown() => Value::Unknown,
            None => Value::Scalar(view.span(), Content::Tree(view)),
        }
    }

    /// Reports what is merged although it is not a map.
    fn merge(&mut self, written: TreeView<'t>, found: &mut Vec<Diagnostic>) {
        let is_map = |value: &TreeView<'_>| matches!(value.kind(), ValueKind::Map | ValueKind::Unknown);
        let value = written.meant();
        let mut wrong: Vec<Span> = match value.kind() {
            ValueKind::Array => {
                let others = value.items().filter(|item| !is_map(&item.value));
                // What an alias among the items stands for is elsewhere.
                let is_here = |item: &Item<TreeView<'_>>| item.value.copy() == value.copy();
                others.map(|item| if is_here(&item) { content_span(item.value) } else { item.span }).collect()
            }
            _ => Some(value).filter(|value| !is_map(value)).map(content_span).into_iter().collect(),
        };
        // Of a list that is written elsewhere, the alias is wrong.
        if written.is_alias() {
            wrong.truncate(1);
            wrong.iter_mut().for_each(|span| *span = written.span());
        }
        for span in wrong {
            self.issue(&Issue::MergeValue { span, lists: true }, found);
        }
    }

    fn issue(&mut self, issue: &Issue, found: &mut Vec<Diagnostic>) {
        Visit::of(self.reading.is_template, &self.source).issues([issue], found);
        self.bounded |= self.bound.look(found);
    }

    /// Reads a long map: what is repeated in all of it, and groups of entries that are not known to be clean.
    fn long_map(
        &mut self,
        map: Node<'t>,
        inside: &mut Vec<Inside<'t, Node<'t>>>,
        found: &mut Vec<Diagnostic>,
    ) -> Option<()> {
        let (groups, loose): (Vec<Node<'t>>, Vec<Node<'t>>) =
            map.parts().filter_map(Element::node).partition(|node| node.kind() == Kind::Group);
        let hashes = self.hashes(loose.iter().copied())?;
        let mut index = self.clean.keys.take(&groups);
        index.follow(&groups, hashes, |group| self.hashes(group.parts().filter_map(Element::node)))?;
        if index.may_repeat() {
            let mut repeats = false;
            for entry in map.nodes().filter(|entry| entry.kind() == Kind::MapEntry) {
                if let EntryParts::Pair(written, _) = self.reading.reader.entry(entry)
                    && !written.is_merge()
                {
                    repeats |= self.compared(written.key(), written.span(), found);
                }
            }
            if !repeats {
                index.all_differ();
            }
        }
        self.clean.keys.put(index);
        for entry in loose {
            self.entry(entry, false, inside, found)?;
        }
        inside.extend(groups.into_iter().map(Inside::Part));
        Some(())
    }

    /// The hashes of the keys of entries; None if one of them cannot be read here.
    fn hashes(&self, entries: impl Iterator<Item = Node<'t>>) -> Option<Vec<u32>> {
        let mut hashes = Vec::new();
        for entry in entries.filter(|entry| entry.kind() == Kind::MapEntry) {
            match self.reading.reader.entry(entry) {
                EntryParts::Pair(written, _) if written.is_merge() => self.may_merge(entry)?,
                // The upper half of a hash is the better one.
                EntryParts::Pair(written, _) => hashes.push((FxBuildHasher.hash_one(written.key()) >> 32) as u32),
                EntryParts::Incomplete => {}
                EntryParts::Odd => return None,
            }
        }
        Some(hashes)
    }

    /// Reads an entry and, if it `compares`, whether an entry of its map before it has the same key.
    fn entry(
        &mut self,
        entry: Node<'t>,
        compares: bool,
        inside: &mut Vec<Inside<'t, Node<'t>>>,
        found: &mut Vec<Diagnostic>,
    ) -> Option<()> {
        // Loose parts of a long map may be broken text.
        if entry.kind() != Kind::MapEntry {
            return Some(());
        }
        let (written, view) = match self.reading.reader.entry(entry) {
            EntryParts::Pair(written, view) => (written, view),
            EntryParts::Incomplete => return Some(()),
            EntryParts::Odd => return None,
        };
        let (key, span) = (written.key(), written.span());
        if written.is_merge() {
            self.may_merge(entry)?;
            self.merge(view, found);
        } else if compares {
            self.compared(key.clone(), span, found);
        }
        let value = self.value(view, found);
        inside.push(Inside::Entry { key, span, notes: None, merged: false, value });
        Some(())
    }

    /// None if only lowering reads an entry with the merge key.
    fn may_merge(&self, entry: Node<'_>) -> Option<()> {
        (self.reading.reader.names.is_some() && entry.has_names()).then_some(())
    }

    /// Whether the key was there before, which is a finding.
    fn compared(&mut self, key: Key, span: Span, found: &mut Vec<Diagnostic>) -> bool {
        if let Some((key, first)) = self.seen.insert(key, span) {
            let issue = if self.reading.is_template {
                Issue::DuplicateKey { span, first, key }
            } else {
                Issue::RepeatedKey { span, first, key }
            };
            self.issue(&issue, found);
            return true;
        }
        false
    }
}

/// Where a value is written, without what follows a collection.
fn content_span(value: TreeView<'_>) -> Span {
    let end = value.written_collection().map(|node| node.content_end());
    let end = end.and_then(|end| u32::try_from(end).ok());
    Span { end: end.unwrap_or(value.span().end), ..value.span() }
}

/// The keys of one map.
#[derive(Default)]
struct Seen {
    /// The last place of each key.
    keys: Vec<(Key, Span)>,
    /// The index of each key in the list, once there are too many for a linear search.
    index: FxHashMap<Key, usize>,
}

impl Seen {
    const FEW: usize = 16;

    fn clear(&mut self) {
        self.keys.clear();
        if !self.index.is_empty() {
            self.index.clear();
        }
    }

    /// Adds a key with its place; if it was there before, returns it with its last place.
    fn insert(&mut self, key: Key, span: Span) -> Option<(Key, Span)> {
        let found = if self.index.is_empty() {
            self.keys.iter().position(|(seen, _)| *seen == key)
        } else {
            self.index.get(&key).copied()
        };
        if let Some((_, place)) = found.and_then(|at| self.keys.get_mut(at)) {
            return Some((key, std::mem::replace(place, span)));
        }
        let at = self.keys.len();
        if at == Self::FEW {
            self.index.extend(self.keys.iter().enumerate().map(|(at, (key, _))| (key.clone(), at)));
        }
        if at >= Self::FEW {
            self.index.insert(key.clone(), at);
        }
        self.keys.push((key, span));
        None
    }
}

#[cfg(test)]
mod tests {
    use crate::memo::{KeyIndex, KeyIndexes};
    use lofting_syntax::{Element, Kind, Node, Tree, parse};

    /// The groups of the map that a text is.
    fn groups(tree: &Tree) -> Vec<Node<'_>> {
        let map = tree.documents().next().and_then(|document| document.root()?.node()).expect("a map");
        map.parts().filter_map(Element::node).filter(|node| node.kind() == Kind::Group).collect()
    }

    /// Brings the index up to date; returns how many groups were read.
    fn read_groups(indexes: &mut KeyIndexes, tree: &Tree) -> usize {
        let groups = groups(tree);
        let mut index = indexes.take(&groups);
        let mut count = 0;
        let read = |_: Node<'_>| {
            count += 1;
            Some(Vec::new())
        };
        index.follow(&groups, Vec::new(), read).expect("all can be read");
        indexes.put(index);
        count
    }

    /// Different keys may have one hash: what was compared once is compared again only when such a key comes or goes.
    #[test]
    fn keys_with_one_hash_are_compared_once() {
        let text: String = (0..1_000).map(|number| format!("key_{number}: {number}\n")).collect();
        let tree = parse(&text);
        let all = groups(&tree);
        let mut index = KeyIndex::default();
        let mut follow = |groups: &[Node<'_>], hashes: &dyn Fn(usize) -> Vec<u32>| {
            let at = |node: Node<'_>| all.iter().position(|group| *group == node).expect("a group");
            index.follow(groups, Vec::new(), |node| Some(hashes(at(node)))).expect("all can be read");
            let compares = index.may_repeat();
            index.all_differ();
            compares
        };
        assert!(!follow(&all[..3], &|at| vec![at as u32]));
        assert!(follow(&all[..4], &|_| vec![0, 7]));
        assert!(!follow(&all[..5], &|_| vec![8]));
        assert!(follow(&all[..6], &|_| vec![8]));
        assert!(!follow(&all[..5], &|_| vec![]));
        assert!(!follow(&all[1..5], &|_| vec![]));
        assert!(follow(&all[..5], &|_| vec![0]));
    }

    /// Whatever the height of the tree: of three levels of groups, the highest may be a single one.
    #[test]
    fn only_groups_around_an_edit_are_read() {
        const FEW: usize = 6;
        let block = |count: usize| (0..count).map(|number| format!("key_{number}: {number}\n")).collect::<String>();
        let flow = |count: usize| format!("{{\n{}}}\n", block(count).replace('\n', ",\n"));
        // In the longest of those in brackets an edit may divide a group of groups anew.
        for (count, most) in [(20_000, FEW), (40_000, FEW), (80_000, FEW), (120_000, 31)] {
            for (text, most) in [(block(count), FEW), (flow(count), most)] {
                let mut tree = parse(&text);
                let mut indexes = KeyIndexes::default();
                assert!(read_groups(&mut indexes, &tree) > 400);
                for line in [0, count * 7 / 20, count * 13 / 20, count - 1] {
                    let at = text.find(&format!("key_{line}:")).expect("a line");
                    tree = tree.edit(at..at, "x");
                    let read = read_groups(&mut indexes, &tree);
                    assert!(read <= most, "line {line} of {count}, {}: {read} groups", &text[..1]);
                }
            }
        }
    }
}
