//! Answers that hold for one state.

use parking_lot::{Mutex, MutexGuard};
use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::path::{Path, PathBuf};

/// Answers by key. The lock is held only for reading and writing the table, never while an answer is computed.
pub(crate) struct Table<K, V>(Mutex<FxHashMap<K, V>>);

impl<K, V> Default for Table<K, V> {
    fn default() -> Self {
        Table(Mutex::default())
    }
}

impl<K: Hash + Eq, V: Clone> Table<K, V> {
    fn entries(&self) -> MutexGuard<'_, FxHashMap<K, V>> {
        self.0.lock()
    }

    /// The answer, if it is known.
    pub fn known(&self, key: &K) -> Option<V> {
        self.entries().get(key).cloned()
    }

    /// All answers that are known, in no particular order.
    pub fn values(&self) -> Vec<V> {
        self.entries().values().cloned().collect()
    }

    /// The answer, computed if it is not known.
    pub fn get(&self, key: K, make: impl FnOnce(&K) -> V) -> V {
        if let Some(known) = self.entries().get(&key) {
            return known.clone();
        }
        let made = make(&key);
        self.entries().insert(key, made.clone());
        made
    }
}

impl<V: Clone> Table<PathBuf, V> {
    /// The answer for the nearest directory that has one, going up from `directory` as far as `root`; stored for all
    /// directories on the way. `none` is the answer of the others.
    pub fn going_up(&self, directory: &Path, root: &Path, none: V, look: impl Fn(&Path) -> Option<V>) -> V {
        let mut passed: Vec<&Path> = Vec::new();
        let mut found = none;
        for above in directory.ancestors().take_while(|above| above.starts_with(root)) {
            let known = self.entries().get(above).cloned();
            let answer = known.or_else(|| {
                passed.push(above);
                look(above)
            });
            if let Some(answer) = answer {
                found = answer;
                break;
            }
        }
        let mut entries = self.entries();
        passed.into_iter().for_each(|above| drop(entries.insert(above.to_owned(), found.clone())));
        found
    }
}
