//! What is known of long collections whatever their schema, part by part: each clause about a collection asks, and most of it
//! is not what a key has changed.

use super::score::Scorer;
use super::{Visit, Walk};
use crate::memo::{KnownCollection, address};
use crate::view::{Piece, View};
use lofting_document::Key;
use lofting_syntax::{Green, Kind};
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;
use std::sync::Arc;

/// Shorter collections are looked at again, and the keys of shorter maps are compared one by one: for one key, that costs as much
/// as it does to look it up by parts.
const LONG: usize = 64;
/// Of parts with more entries, the keys of the parts in them are known.
const PARTED: usize = 8_192;

impl<V: View> Scorer<'_, '_, V> {
    /// What is known of a long collection, or of a part of one.
    fn known(&mut self, value: V) -> Option<&mut KnownCollection> {
        let is_worth = |green: &Green| green.kind() == Kind::Group || green.count() > LONG;
        let (green, _) = value.shared().filter(|(green, _)| is_worth(green))?;
        let (part, collections) = match self.memo.as_deref_mut() {
            Some(memo) => (memo.part, &mut memo.known),
            None => (0, &mut self.scores.collections),
        };
        let known = collections.entry((address(green), part, value.names()));
        Some(&mut known.or_insert_with(|| (KnownCollection::default(), green.clone())).0)
    }

    /// Like [`View::is_partial`], which is remembered of long collections and their parts.
    pub fn is_partial(&mut self, value: V) -> bool {
        match self.known(value) {
            None => return value.is_partial(),
            Some(KnownCollection { is_partial: Some(known), .. }) => return *known,
            Some(_) => {}
        }
        lofting_memo::step();
        let parts = value.maybe_partial();
        let is_partial = parts.is_none_or(|parts| parts.into_iter().any(|part| self.is_partial(part)));
        if let Some(known) = self.known(value) {
            known.is_partial = Some(is_partial);
        }
        is_partial
    }

    /// Whether a map has a key.
    pub fn has(&mut self, value: V, key: &Key) -> bool {
        if let Some(index) = self.indexes.of(value) {
            return index.contains_key(key);
        }
        if !is_longer(value, LONG) {
            return self.check.entries(value).any(|entry| entry.key == *key);
        }
        self.has_among(value, key, hash(key))
    }

    fn has_among(&mut self, value: V, key: &Key, hash: u32) -> bool {
        value.entry_pieces().any(|piece| match piece {
            Piece::One(entry) => self.check.named(entry).key == *key,
            Piece::Part(part, _) => {
                let is_here = |keys: Arc<[u32]>| keys.binary_search(&hash).is_ok();
                self.key_hashes(part).is_none_or(is_here) && self.has_among(part, key, hash)
            }
        })
    }

    /// The hashes of the keys of a part of a map, in order; None if it is so long that its parts are asked, or so short that
    /// its keys are.
    fn key_hashes(&mut self, value: V) -> Option<Arc<[u32]>> {
        if value.shared().is_none_or(|(green, _)| green.count() > PARTED) {
            return None;
        }
        if let Some(known) = &self.known(value)?.keys {
            return Some(Arc::clone(known));
        }
        lofting_memo::step();
        let mut keys: Vec<u32> = Vec::new();
        for piece in value.entry_pieces() {
            match piece {
                Piece::One(entry) => keys.push(hash(&self.check.named(entry).key)),
                Piece::Part(part, _) => match self.key_hashes(part) {
                    Some(known) => keys.extend(&*known),
                    None => keys.extend(self.check.entries(part).map(|entry| hash(&entry.key))),
                },
            }
        }
        // Those of parts are in order, which this sort notices.
        keys.sort();
        let keys: Arc<[u32]> = keys.into();
        self.known(value)?.keys = Some(Arc::clone(&keys));
        Some(keys)
    }
}

impl<'a, V: View> Walk<'_, 'a, V> {
    /// Whether the map that is visited has a key. If its node asks for many, all are collected, once.
    pub(super) fn has_key(&mut self, visit: &Visit<'a, V>, key: &Key) -> bool {
        let node = self.schema.node(visit.id);
        let asked = node.clauses.len() + node.map.as_deref().map_or(0, |map| map.required.len());
        if is_longer(visit.value, LONG * asked.max(1)) || self.indexes.of(visit.value).is_some() {
            self.scorer().has(visit.value, key)
        } else {
            self.written_keys(visit).contains(key)
        }
    }
}

/// Whether a map is in parts whose keys can be known by their hashes, and has more entries.
fn is_longer<V: View>(value: V, entries: usize) -> bool {
    value.shared().is_some_and(|(green, _)| green.count() > entries)
}

/// The hash of a key; of the number that is made of it, the upper half is the better one.
fn hash(key: &Key) -> u32 {
    (FxBuildHasher.hash_one(key) >> 32) as u32
}
