//! Names that are there several times.

use rustc_hash::FxHashMap;
use std::hash::Hash;

/// The names, each with the number of equal ones before it: the first one of one schema is compared with the first one of
/// the other, so that a schema is equal to itself even if a name is repeated by mistake.
pub(super) fn numbered<N: Hash + Eq + Clone>(names: impl Iterator<Item = N>) -> Vec<(N, usize)> {
    let mut known: FxHashMap<N, usize> = FxHashMap::default();
    let numbered = names.map(|name| {
        let count = known.entry(name.clone()).or_default();
        *count += 1;
        (name, *count - 1)
    });
    numbered.collect()
}
