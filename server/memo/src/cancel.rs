//! Tells a computation that its result is no longer wanted.

use parking_lot::Mutex;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that can be raised once. Clones are the same flag.
#[derive(Debug, Clone, Default)]
pub struct CancelFlag(Arc<Flag>);

#[derive(Debug, Default)]
struct Flag {
    raised: AtomicBool,
    /// The flags of all requests that share a computation. It is cancelled only when every one of them is raised.
    waiting: Option<Mutex<Vec<CancelFlag>>>,
    watch: Option<Watch>,
}

/// Called whenever a flag is looked at.
struct Watch(Box<dyn Fn() -> bool + Send + Sync>);

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watch")
    }
}

impl CancelFlag {
    /// A flag that is not raised.
    pub fn new() -> Self {
        CancelFlag::default()
    }

    /// A flag that is looked at by calling `look`, and raised once that says so. Tests count with it how often work asks.
    pub fn watched(look: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        CancelFlag(Arc::new(Flag { watch: Some(Watch(Box::new(look))), ..Flag::default() }))
    }

    /// Raises it.
    pub fn cancel(&self) {
        self.0.raised.store(true, Ordering::Relaxed);
    }

    /// Whether it is raised. The result of a cancelled computation is incomplete.
    pub fn is_cancelled(&self) -> bool {
        if self.was_raised() {
            return true;
        }
        if self.0.watch.as_ref().is_some_and(|watch| watch.0()) {
            self.cancel();
            return true;
        }
        let Some(waiting) = &self.0.waiting else { return false };
        let given_up = waiting.lock().iter().all(CancelFlag::is_cancelled);
        if given_up {
            self.cancel();
        }
        given_up
    }

    /// The flag of a computation that several requests may share; `first` is the flag of the first one.
    pub(crate) fn shared_by(first: &CancelFlag) -> CancelFlag {
        let waiting = Some(Mutex::new(vec![first.clone()]));
        CancelFlag(Arc::new(Flag { waiting, ..Flag::default() }))
    }

    /// Adds another request that waits for the computation.
    pub(crate) fn join(&self, other: &CancelFlag) {
        if let Some(waiting) = &self.0.waiting {
            waiting.lock().push(other.clone());
        }
    }

    /// Whether the flag was ever observed as raised. A computation that observed it has ended early.
    pub(crate) fn was_raised(&self) -> bool {
        self.0.raised.load(Ordering::Relaxed)
    }
}
