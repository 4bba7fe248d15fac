//! Findings that a request waits for, but only for a moment.

use parking_lot::{Condvar, Mutex, MutexGuard};
use std::sync::Arc;
use std::time::{Duration, Instant};

use lofting_check::Diagnostic;
use lofting_document::FileId;

use crate::cancel::CancelFlag;

/// How long an answer waits for findings from code.
pub(crate) const MOMENT: Duration = Duration::from_millis(100);

/// How often to check whether the answer is still wanted.
const STEP: Duration = Duration::from_millis(5);

/// Findings that a request waits for, but only for a moment.
#[derive(Default)]
pub(crate) struct Awaited {
    state: Mutex<Await>,
    changed: Condvar,
}

#[derive(Default)]
enum Await {
    #[default]
    Waiting,
    Given(Arc<[Diagnostic]>),
    /// The request no longer waits: it was answered without them.
    Left,
}

impl Awaited {
    fn state(&self) -> MutexGuard<'_, Await> {
        self.state.lock()
    }

    /// The findings, if they arrive in time.
    pub(crate) fn wait(&self, cancel: &CancelFlag) -> Option<Arc<[Diagnostic]>> {
        let until = Instant::now() + MOMENT;
        let mut state = self.state();
        loop {
            if let Await::Given(found) = &*state {
                return Some(found.clone());
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || cancel.is_set() || matches!(*state, Await::Left) {
                *state = Await::Left;
                return None;
            }
            self.changed.wait_for(&mut state, left.min(STEP));
        }
    }

    /// Notes that they will not arrive in time.
    pub(crate) fn leave(&self) {
        *self.state() = Await::Left;
        self.changed.notify_all();
    }

    /// Sets the findings; returns whether a request has waited for them.
    pub(crate) fn give(&self, found: &Arc<[Diagnostic]>) -> bool {
        let mut state = self.state();
        if matches!(*state, Await::Left) {
            return false;
        }
        *state = Await::Given(found.clone());
        self.changed.notify_all();
        true
    }
}

/// Completes findings that a client pulled before code had run.
#[derive(Clone)]
pub(crate) struct Completions(Arc<Complete>);

type Complete = dyn Fn(FileId, Arc<[Diagnostic]>, Option<Arc<Awaited>>) + Send + Sync;

impl Completions {
    /// Hands what has to be completed to `complete`: a file, its findings without code, and the request that waits.
    pub(crate) fn new(
        complete: impl Fn(FileId, Arc<[Diagnostic]>, Option<Arc<Awaited>>) + Send + Sync + 'static,
    ) -> Completions {
        Completions(Arc::new(complete))
    }

    /// Notes that a client is about to get incomplete findings of a file. They are completed, and the client is asked
    /// to pull again if that was too late for the answer.
    pub(crate) fn complete(&self, file: FileId, shown: Arc<[Diagnostic]>, awaited: Arc<Awaited>) {
        (self.0)(file, shown, Some(awaited));
    }

    /// Notes that the findings of a file are complete, but not what hovers and hints tell of it.
    pub(crate) fn prepare(&self, file: FileId, shown: Arc<[Diagnostic]>) {
        (self.0)(file, shown, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_in_time_is_answered_and_what_comes_late_is_reported_to_be_late() {
        let (awaited, found) = (Awaited::default(), Arc::from([]));
        assert!(awaited.give(&found));
        assert!(awaited.wait(&CancelFlag::default()).is_some());
        // A request that no longer waits gets nothing.
        let (awaited, cancel) = (Awaited::default(), CancelFlag::default());
        cancel.make_stale();
        assert!(awaited.wait(&cancel).is_none());
        assert!(!awaited.give(&found));
        // Nor does a request wait for findings that will not come.
        let awaited = Awaited::default();
        awaited.leave();
        let asked = Instant::now();
        assert!(awaited.wait(&CancelFlag::default()).is_none());
        assert!(asked.elapsed() < MOMENT);
    }
}
