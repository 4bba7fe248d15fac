//! The keys of a values file.

mod index;

pub(crate) use index::KeyIndexes;

use super::Task;
use crate::memo::{Clean, Memo};
use crate::rules;
use crate::view::{Parts, TreeFile, TreeView, backwards};
use lofting_diagnostic::Diagnostic;
use lofting_document::{Key, Span};
use lofting_syntax::{Element, Green, Kind, Node};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;
use std::sync::Arc;

/// Maps with more entries have a [`KeyIndexes`] entry.
const MANY: usize = 256;

/// The findings that lowering would make for the keys below a collection; None if the file has to be lowered.
pub(crate) fn check_keys(
    file: TreeFile,
    root: Option<Node<'_>>,
    is_template: bool,
    clean: &mut Clean,
) -> Option<Vec<Diagnostic>> {
    let mut keys = Keys { file, is_template, found: Vec::new() };
    if let Some(root) = root {
        keys.below(root, clean)?;
    }
    Some(keys.found)
}

struct Keys {
    file: TreeFile,
    is_template: bool,
    found: Vec<Diagnostic>,
}

impl Keys {
    /// Checks every key as lowering would; None if the file has to be lowered.
    fn below<'t>(&mut self, root: Node<'t>, clean: &mut Clean) -> Option<()> {
        let mut stack = vec![Task::Visit(root)];
        let mut seen = Seen::default();
        while let Some(task) = stack.pop() {
            let node = match task {
                Task::Visit(node) => node,
                Task::Leave(node, before) => {
                    if self.found.len() == before {
                        clean.insert(node);
                    }
                    continue;
                }
            };
            if let Some(green) = node.green().filter(|green| Memo::is_worth(green)) {
                if clean.contains(green) {
                    continue;
                }
                stack.push(Task::Leave(green, self.found.len()));
            }
            seen.clear();
            // A key is compared with all others of its map; items are independent, so groups of an array's items can be
            // skipped.
            let is_map = matches!(node.kind(), Kind::BlockMap | Kind::FlowMap);
            if is_map && node.green().is_some_and(|green| green.count() > MANY) {
                self.long_map(node, clean, &mut stack)?;
                continue;
            }
            let entries = is_map.then(|| node.children()).into_iter().flatten();
            let parts = (!is_map).then(|| node.parts()).into_iter().flatten();
            for child in entries.chain(parts) {
                let Element::Node(child) = child else { continue };
                match child.kind() {
                    Kind::Group => stack.push(Task::Visit(child)),
                    // What a group repeats was found for the whole map.
                    Kind::MapEntry if node.kind() == Kind::Group => self.entry(child, &mut None, &mut stack)?,
                    Kind::MapEntry => self.entry(child, &mut Some(&mut seen), &mut stack)?,
                    Kind::SeqEntry => {
                        let (_, value) = TreeView::item(self.file, child)?;
                        stack.extend(value.collection().map(Task::Visit));
                    }
                    // Broken text.
                    _ => {}
                }
            }
        }
        Some(())
    }

    /// Checks a long map: what is repeated in all of it, and groups of entries that are not known to be clean.
    fn long_map<'t>(&mut self, map: Node<'t>, clean: &mut Clean, stack: &mut Vec<Task<'t>>) -> Option<()> {
        let (groups, loose) = grouped(map);
        let shared: Vec<&Arc<Green>> = groups.iter().filter_map(Node::green).collect();
        let hashes = self.hashes(loose.iter().copied())?;
        let mut index = clean.keys.take(&shared);
        index.follow(&shared, hashes, |at| self.hashes(groups.get(at)?.nodes()))?;
        if index.may_repeat() {
            let (mut seen, before) = (Seen::default(), self.found.len());
            map.nodes().for_each(|entry| self.repeated(entry, &mut seen));
            if self.found.len() == before {
                index.all_differ();
            }
        }
        clean.keys.put(index);
        for entry in loose {
            self.entry(entry, &mut None, stack)?;
        }
        let is_known = |group: &Node<'t>| group.green().is_some_and(|green| clean.contains(green));
        stack.extend(groups.into_iter().filter(|group| !is_known(group)).map(Task::Visit));
        Some(())
    }

    /// The hashes of the keys of entries; None if one of them cannot be read here.
    fn hashes<'t>(&self, entries: impl Iterator<Item = Node<'t>>) -> Option<Vec<u32>> {
        let mut hashes = Vec::new();
        for entry in entries.filter(|entry| entry.kind() == Kind::MapEntry) {
            match TreeView::entry(self.file, entry) {
                Parts::Pair(written, _) if written.is_merge() => return None,
                // The upper half of a hash is the better one.
                Parts::Pair(written, _) => hashes.push((FxBuildHasher.hash_one(written.key()) >> 32) as u32),
                Parts::Incomplete => {}
                Parts::Odd => return None,
            }
        }
        Some(hashes)
    }

    /// Reports the key of an entry if an entry before it has the same.
    fn repeated(&mut self, entry: Node<'_>, seen: &mut Seen) {
        if entry.kind() == Kind::MapEntry
            && let Parts::Pair(written, _) = TreeView::entry(self.file, entry)
        {
            self.compared(written.key(), written.span(), seen);
        }
    }

    /// Checks an entry, and compares its key with those of its map that were `seen`.
    fn entry<'t>(&mut self, entry: Node<'t>, seen: &mut Option<&mut Seen>, stack: &mut Vec<Task<'t>>) -> Option<()> {
        let (written, value) = match TreeView::entry(self.file, entry) {
            Parts::Pair(written, value) => (written, value),
            Parts::Incomplete => return Some(()),
            Parts::Odd => return None,
        };
        if written.is_merge() {
            return None;
        }
        let (key, span) = (written.key(), written.span());
        if let (Key::Bool(truth), true) = (&key, self.is_template) {
            let text = entry.tree().text(span.range());
            self.found.extend(rules::ytt_ambiguous_key::unless_plain(span, &text, *truth));
        }
        if let Some(seen) = seen {
            self.compared(key, span, seen);
        }
        stack.extend(value.collection().map(Task::Visit));
        Some(())
    }

    fn compared(&mut self, key: Key, span: Span, seen: &mut Seen) {
        if let Some((key, first)) = seen.insert(key, span) {
            self.found.push(match self.is_template {
                true => rules::ytt_duplicate_key::finding(span, first, &key),
                false => rules::yaml_repeated_key::finding(span, first, &key),
            });
        }
    }
}

/// The innermost groups of a map, and its entries outside of them.
fn grouped(map: Node<'_>) -> (Vec<Node<'_>>, Vec<Node<'_>>) {
    let (mut groups, mut loose) = (Vec::new(), Vec::new());
    let mut open = backwards(map);
    while let Some(node) = open.pop() {
        if node.kind() != Kind::Group {
            loose.push(node);
            continue;
        }
        let inner = node.parts().find_map(Element::node);
        match inner {
            Some(inner) if inner.kind() == Kind::Group => open.extend(backwards(node)),
            Some(_) => groups.push(node),
            // Only comments.
            None => {}
        }
    }
    (groups, loose)
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
        let found = match self.index.is_empty() {
            true => self.keys.iter().position(|(seen, _)| *seen == key),
            false => self.index.get(&key).copied(),
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
