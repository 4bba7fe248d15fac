//! What the aliases of a document stand for, so that it can be read in its tree.
//!
//! A document is read there if each of its aliases can only mean one value: one anchor has its name, which is written before
//! all these aliases and around none of them. Other documents are lowered.

#[cfg(test)]
mod tests;

use crate::memo::{CheckMemo, Meaning, Size, address};
use lofting_syntax::{Document, Gathers, Kind, Node, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// How many anchored values may be in each other by aliases.
const MOST_LEVELS: usize = 64;

/// The names of a document.
#[derive(Debug, Default)]
pub struct DocumentNames<'t> {
    /// The values that aliases refer to.
    values: FxHashMap<Arc<str>, Value<'t>>,
    /// The addresses of long maps into which others are merged.
    merging: FxHashSet<usize>,
    /// Stands for these values: documents with the same ones have the same number.
    stamp: u64,
    copies: usize,
}

/// How much an alias stands for.
#[derive(Clone, Copy, Default)]
struct Extent {
    /// How many values, with their keys.
    values: usize,
    /// How many aliases lead to the last one.
    levels: usize,
}

impl<'t> DocumentNames<'t> {
    /// The names of a document; None if it has to be lowered.
    pub fn of(document: &Document<'t>, memo: &mut CheckMemo) -> Option<Self> {
        // What is written with a tag may mean something else.
        if document.directives().any(|directive| directive.text().starts_with("%TAG")) {
            return None;
        }
        let node = document.node();
        if !node.has_names() {
            return Some(DocumentNames::default());
        }
        let start = node.range().start;
        let all = node.names();
        let mut used: FxHashMap<&Arc<str>, Option<usize>> = all.aliases.keys().map(|name| (name, None)).collect();
        for (name, at) in &all.anchors {
            let Some(known) = used.get_mut(name) else { continue };
            if known.replace(start + *at as usize).is_some() {
                return None;
            }
        }
        let mut anchors: Vec<(usize, &Arc<str>)> = Vec::new();
        let mut names =
            DocumentNames { merging: all.merging.iter().map(address).collect(), ..DocumentNames::default() };
        let mut meanings: Vec<(Arc<str>, Meaning)> = Vec::new();
        for (name, anchor) in used {
            match anchor {
                Some(anchor) if all.aliases.get(name).is_some_and(|uses| start + uses.first as usize > anchor) => {
                    anchors.push((anchor, name));
                }
                Some(_) => return None,
                None => meanings.push((name.clone(), Meaning::Unknown)),
            }
        }
        anchors.sort_unstable();
        let mut extents: FxHashMap<Arc<str>, Extent> = FxHashMap::default();
        for (anchor, name) in anchors {
            // An alias may be in its place.
            let value = node.tree().anchored_value(anchor).filter(|value| value.alias().is_none())?;
            let extent = extent(value, name, &extents, memo)?;
            meanings.push((name.clone(), memo.names.meaning(value)));
            extents.insert(name.clone(), extent);
            names.values.insert(name.clone(), value);
        }
        for (name, uses) in &all.aliases {
            let extent = extents.get(name).copied().unwrap_or_default();
            names.copies = names.copies.saturating_add(uses.count.saturating_mul(extent.values.saturating_add(1)));
        }
        meanings.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        names.stamp = memo.names.stamp(meanings);
        Some(names)
    }

    /// How many copies of values and keys the aliases make, as lowering counts them.
    pub fn copies(&self) -> usize {
        self.copies
    }

    /// The value with this anchor.
    pub(crate) fn value(&self, name: &str) -> Option<Value<'t>> {
        self.values.get(name).copied()
    }

    pub(crate) fn stamp(&self) -> u64 {
        self.stamp
    }

    /// Whether other maps are merged into a map.
    pub(crate) fn merges(&self, map: Node<'t>) -> bool {
        if !map.has_names() {
            return false;
        }
        match map.green().filter(|_| map.is_long()) {
            Some(green) => self.merging.contains(&address(green)),
            None => map.nodes().any(|entry| entry.is_merge()),
        }
    }
}

/// How much a value is with what its aliases stand for. None if it contains itself, or too many levels of aliases.
fn extent(
    value: Value<'_>,
    name: &Arc<str>,
    known: &FxHashMap<Arc<str>, Extent>,
    memo: &mut CheckMemo,
) -> Option<Extent> {
    let Some(node) = value.node() else { return Some(Extent { values: 1, levels: 1 }) };
    let mut extent = Extent { values: 1 + memo.names.size(node), levels: 1 };
    if !node.has_names() {
        return Some(extent);
    }
    let inside = node.names();
    for (inner, uses) in &inside.aliases {
        if inner == name {
            return None;
        }
        let Extent { values, levels } = known.get(inner).copied().unwrap_or_default();
        extent.values = extent.values.saturating_add(uses.count.saturating_mul(values.saturating_add(1)));
        extent.levels = extent.levels.max(levels + 1);
    }
    (extent.levels <= MOST_LEVELS).then_some(extent)
}

impl Gathers for Size {
    fn enters(_: Node<'_>) -> bool {
        true
    }

    fn read(&mut self, node: Node<'_>) {
        self.values = match node.kind() {
            Kind::MapEntry => 2,
            Kind::SeqEntry => 1,
            _ => 0,
        };
    }

    fn join(&mut self, _: Node<'_>, _: Node<'_>, inside: &Self) {
        self.values += inside.values;
    }
}
