//! What a client asked last about all files.

use parking_lot::{Mutex, MutexGuard};
use std::sync::Arc;

/// The last question that had nothing to report: the state, and what the client knew of it. An answer with reports may be
/// lost, when the client cancels it or is started again: who then asks the same gets the same.
#[derive(Clone, Default)]
pub(crate) struct LastPull(Arc<Mutex<Option<(u64, u64)>>>);

impl LastPull {
    fn last(&self) -> MutexGuard<'_, Option<(u64, u64)>> {
        self.0.lock()
    }

    /// Whether there was nothing to report at that time.
    pub(crate) fn had_no_news(&self, asked: (u64, u64)) -> bool {
        *self.last() == Some(asked)
    }

    /// Notes a question that had nothing to report.
    pub(crate) fn note(&self, asked: (u64, u64)) {
        *self.last() = Some(asked);
    }
}
