//! Answers that need code for a part of them.

use crate::caches::Remembers;
use lofting_memo::{Budget, CancelFlag, Cancelled, Forgetful, Inputs, Memo, Weigh};
use std::hash::Hash;
use std::sync::Arc;

/// Answers that are complete only if functions of evaluated code can be called: as far as they are known without that,
/// and the complete ones.
pub(crate) struct Coded<K, V> {
    complete: Memo<K, V>,
    partial: Memo<K, V>,
}

impl<K: Hash + Eq + Clone, V: Weigh> Coded<K, V> {
    /// The answer. A caller that cannot call functions gets the complete one if it was already made. `needs_code`: the
    /// complete one calls functions, and `has_runner`: the caller can do so.
    pub fn get(&self, has_runner: bool, needs_code: bool, key: K, inputs: &Inputs, make: impl Fn() -> V) -> Arc<V> {
        if has_runner || !needs_code {
            return self.complete.get(key, inputs, make);
        }
        self.known(&key, inputs).unwrap_or_else(|| self.partial.get(key, inputs, make))
    }

    /// Like [`Coded::get`], for callers that can be cancelled. `partial`: functions would have to be called, but cannot be.
    pub fn get_unless(
        &self,
        cancel: &CancelFlag,
        partial: bool,
        key: K,
        inputs: &Inputs,
        make: impl FnOnce(&CancelFlag) -> V,
    ) -> Result<Arc<V>, Cancelled> {
        if !partial {
            return self.complete.get_unless(cancel, key, inputs, make);
        }
        self.known(&key, inputs).map_or_else(|| self.partial.get_unless(cancel, key, inputs, make), Ok)
    }

    /// The complete answer that was made for the newest state, whatever its inputs.
    pub fn newest(&self, key: &K) -> Option<Arc<V>> {
        self.complete.newest(key)
    }

    /// The complete answer, if it was already made.
    pub fn known(&self, key: &K, inputs: &Inputs) -> Option<Arc<V>> {
        self.complete.peek(key, inputs)
    }

    pub fn forget(&self, which: impl Fn(&K) -> bool) {
        self.complete.forget(&which);
        self.partial.forget(&which);
    }
}

impl<K: Hash + Eq, V: Weigh> Remembers for Coded<K, V> {
    fn new(budget: &Budget) -> Self {
        Coded { complete: Memo::new(budget), partial: Memo::new(budget) }
    }

    fn memos(&self) -> Vec<&dyn Forgetful> {
        vec![&self.complete, &self.partial]
    }
}
