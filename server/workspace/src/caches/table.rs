//! Answers that hold for one state.

use lofting_memo::recorder::Reads;
use parking_lot::{Mutex, MutexGuard};
use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Answers by key. The lock is held only for reading and writing the table, never while an answer is computed.
pub(crate) struct Table<K, V>(Mutex<FxHashMap<K, (V, Reads)>>);

impl<K, V> Default for Table<K, V> {
    fn default() -> Self {
        Table(Mutex::default())
    }
}

impl<K: Hash + Eq, V: Clone> Table<K, V> {
    fn entries(&self) -> MutexGuard<'_, FxHashMap<K, (V, Reads)>> {
        self.0.lock()
    }

    /// The answer, if it is known.
    pub fn known(&self, key: &K) -> Option<V> {
        self.entries().get(key).cloned().map(used)
    }

    /// All answers that are known, in no particular order.
    pub fn values(&self) -> Vec<V> {
        self.entries().values().cloned().map(used).collect()
    }

    /// The answer, computed if it is not known.
    pub fn get(&self, key: K, make: impl FnOnce(&K) -> V) -> V {
        if let Some(known) = self.entries().get(&key) {
            return used(known.clone());
        }
        let made = Reads::of(|| make(&key));
        // Of two threads that make it at the same time, both get what the first one made.
        let first = self.entries().entry(key).or_insert(made).clone();
        used(first)
    }
}

/// Says that an answer is used, with all that it was made from.
fn used<V>((answer, read): (V, Reads)) -> V {
    read.again();
    answer
}

/// One answer.
pub(crate) struct Once<V>(OnceLock<(V, Reads)>);

impl<V> Default for Once<V> {
    fn default() -> Self {
        Once(OnceLock::new())
    }
}

impl<V> Once<V> {
    /// The answer, computed if it is not known.
    pub fn get(&self, make: impl FnOnce() -> V) -> &V {
        let (answer, read) = self.0.get_or_init(|| Reads::of(make));
        read.again();
        answer
    }
}

impl<V: Clone> Table<PathBuf, V> {
    /// The answer for the nearest directory that has one, going up from `directory` as far as `root`; stored for all
    /// directories on the way. `none` is the answer of the others.
    pub fn going_up(&self, directory: &Path, root: &Path, none: V, look: impl Fn(&Path) -> Option<V>) -> V {
        let mut passed: Vec<&Path> = Vec::new();
        let mut found = (none, Reads::default());
        for above in directory.ancestors().take_while(|above| above.starts_with(root)) {
            let known = self.entries().get(above).cloned();
            let answer = known.or_else(|| {
                passed.push(above);
                let (found, read) = Reads::of(|| look(above));
                read.again();
                found.map(|found| (found, read))
            });
            if let Some(answer) = answer {
                found = answer;
                break;
            }
        }
        let mut entries = self.entries();
        passed.into_iter().for_each(|above| drop(entries.insert(above.to_owned(), found.clone())));
        drop(entries);
        used(found)
    }
}
