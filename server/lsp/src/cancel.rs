//! Tells running work that its result is no longer wanted.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// Why work should stop, or that it should not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Go on.
    Yes,
    /// The client cancelled the request.
    Cancelled,
    /// The text that the request was about has changed.
    Stale,
}

/// A flag shared between the requester and the work, which checks it at the start of every loop.
#[derive(Clone, Debug, Default)]
pub(crate) struct CancelFlag {
    reason: Arc<AtomicU8>,
    /// The flag for the crates below, which need no reason.
    work: lofting_workspace::CancelFlag,
}

const STALE: u8 = 1;
const CANCELLED: u8 = 2;

impl CancelFlag {
    /// The client cancelled the request. Takes precedence over [`CancelFlag::make_stale`].
    pub(crate) fn cancel(&self) {
        self.reason.fetch_max(CANCELLED, Ordering::Relaxed);
        self.work.cancel();
    }

    /// A newer text made the answer useless.
    pub(crate) fn make_stale(&self) {
        self.reason.fetch_max(STALE, Ordering::Relaxed);
        self.work.cancel();
    }

    /// Whether to continue, and if not, why.
    pub(crate) fn wanted(&self) -> Wanted {
        match self.reason.load(Ordering::Relaxed) {
            0 => Wanted::Yes,
            STALE => Wanted::Stale,
            _ => Wanted::Cancelled,
        }
    }

    /// Whether to stop, whatever the reason.
    pub(crate) fn is_set(&self) -> bool {
        self.wanted() != Wanted::Yes
    }

    /// The flag for computations below this crate.
    pub(crate) fn work(&self) -> &lofting_workspace::CancelFlag {
        &self.work
    }

    /// Whether no other copy of the flag exists, which means that the work is over.
    pub(crate) fn is_abandoned(&self) -> bool {
        Arc::strong_count(&self.reason) == 1
    }
}

/// Sets the flag when dropped. The transport drops a request's future on `$/cancelRequest`.
#[derive(Debug)]
pub(crate) struct CancelOnDrop(pub(crate) CancelFlag);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}
