//! Answers that are complete only where functions of evaluated code can be called.

use crate::state::State;
use std::sync::{Arc, OnceLock};

/// An answer as far as it is known without calling functions, and the complete one.
pub(crate) struct Complete<T> {
    complete: OnceLock<Arc<T>>,
    partial: OnceLock<Arc<T>>,
}

impl<T> Default for Complete<T> {
    fn default() -> Self {
        Complete { complete: OnceLock::new(), partial: OnceLock::new() }
    }
}

impl<T> Complete<T> {
    /// The answer. Who cannot call functions gets the complete one where somebody else made it.
    pub fn get(&self, state: &State, needs_code: bool, make: impl FnOnce() -> T) -> Arc<T> {
        if state.runner.is_some() || !needs_code {
            return self.complete.get_or_init(|| Arc::new(make())).clone();
        }
        self.known().unwrap_or_else(|| self.partial.get_or_init(|| Arc::new(make())).clone())
    }

    /// The complete answer, if somebody made it.
    pub fn known(&self) -> Option<Arc<T>> {
        self.complete.get().cloned()
    }
}
