//! Telling a computation that nobody waits for its result any more.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A flag that is raised once. Clones are the same flag.
#[derive(Debug, Clone, Default)]
pub struct CancelFlag(Arc<Flag>);

#[derive(Debug, Default)]
struct Flag {
    raised: AtomicBool,
    /// The flags of those who share a computation: it goes on as long as one of them is not raised.
    waiting: Option<Mutex<Vec<CancelFlag>>>,
}

impl CancelFlag {
    /// A flag that is not raised.
    pub fn new() -> Self {
        CancelFlag::default()
    }

    /// Raises it.
    pub fn cancel(&self) {
        self.0.raised.store(true, Ordering::Relaxed);
    }

    /// Whether it is raised. What a cancelled computation returns is incomplete.
    pub fn is_cancelled(&self) -> bool {
        if self.was_raised() {
            return true;
        }
        let Some(waiting) = &self.0.waiting else { return false };
        let given_up = waiting.lock().unwrap_or_else(PoisonError::into_inner).iter().all(CancelFlag::is_cancelled);
        if given_up {
            self.cancel();
        }
        given_up
    }

    /// The flag of a computation that several may wait for, first of all one with this flag.
    pub(crate) fn shared_by(first: &CancelFlag) -> CancelFlag {
        let waiting = Some(Mutex::new(vec![first.clone()]));
        CancelFlag(Arc::new(Flag { raised: AtomicBool::new(false), waiting }))
    }

    /// Somebody else waits as well.
    pub(crate) fn join(&self, other: &CancelFlag) {
        if let Some(waiting) = &self.0.waiting {
            waiting.lock().unwrap_or_else(PoisonError::into_inner).push(other.clone());
        }
    }

    /// Whether it was raised, or seen as raised, before. A computation that saw it has ended early.
    pub(crate) fn was_raised(&self) -> bool {
        self.0.raised.load(Ordering::Relaxed)
    }
}
