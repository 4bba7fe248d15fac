//! Telling running work that nobody wants its result any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// Why work should stop, or that it should not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Go on.
    Yes,
    /// The client cancelled the request.
    Cancelled,
    /// The text the request was about has changed.
    Stale,
}

/// A flag shared between the one who started work and the work itself, which looks at it at loop heads.
#[derive(Clone, Debug, Default)]
pub(crate) struct CancelFlag {
    reason: Arc<AtomicU8>,
    /// What the crates below look at; they do not ask for reasons.
    work: lofting_workspace::CancelFlag,
}

const STALE: u8 = 1;
const CANCELLED: u8 = 2;

impl CancelFlag {
    /// The client does not want an answer. Wins over [`CancelFlag::make_stale`].
    pub(crate) fn cancel(&self) {
        self.reason.fetch_max(CANCELLED, Ordering::Relaxed);
        self.work.cancel();
    }

    /// A newer text made the answer worthless.
    pub(crate) fn make_stale(&self) {
        self.reason.fetch_max(STALE, Ordering::Relaxed);
        self.work.cancel();
    }

    /// Whether to go on, and why not.
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

    /// Whether nobody else holds this flag, that is: the work it belongs to is over.
    pub(crate) fn is_abandoned(&self) -> bool {
        Arc::strong_count(&self.reason) == 1
    }
}

/// Sets the flag when dropped. The framework drops a request's future on `$/cancelRequest`.
#[derive(Debug)]
pub(crate) struct CancelOnDrop(pub(crate) CancelFlag);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}
