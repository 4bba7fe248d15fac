//! Results of code that a request waits for, but only for a moment.

use parking_lot::{Condvar, Mutex, MutexGuard};
use std::sync::Arc;
use std::time::{Duration, Instant};

use lofting_check::Diagnostic;
use lofting_document::FileId;
use lofting_workspace::Snapshot;

use crate::cancel::CancelFlag;

/// How long an answer waits for code.
const MOMENT: Duration = Duration::from_millis(100);

/// How long an answer waits for the first results of code, for which the evaluator may have to start.
const FIRST: Duration = Duration::from_millis(300);

/// How often to check whether the answer is still wanted.
const STEP: Duration = Duration::from_millis(5);

/// What a request waits for, but only for a moment.
pub(crate) struct Awaited<T> {
    state: Mutex<Await<T>>,
    changed: Condvar,
    /// How long.
    moment: Duration,
}

/// The findings of a file.
pub(crate) type AwaitedFindings = Awaited<Arc<[Diagnostic]>>;

enum Await<T> {
    Waiting,
    Given(T),
    /// The request no longer waits: it was answered without.
    Left,
}

impl<T> Default for Awaited<T> {
    fn default() -> Self {
        Awaited::within(MOMENT)
    }
}

impl<T> Awaited<T> {
    fn within(moment: Duration) -> Awaited<T> {
        Awaited { state: Mutex::new(Await::Waiting), changed: Condvar::new(), moment }
    }

    /// What depends on the first results of code.
    pub(crate) fn first() -> Awaited<T> {
        Awaited::within(FIRST)
    }
}

impl<T: Clone> Awaited<T> {
    fn state(&self) -> MutexGuard<'_, Await<T>> {
        self.state.lock()
    }

    /// The result, if it arrives in time.
    pub(crate) fn wait(&self, cancel: &CancelFlag) -> Option<T> {
        let until = Instant::now() + self.moment;
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

    /// Notes that it will not arrive in time if code has been running for so long.
    pub(crate) fn leave_after(&self, running: Option<Duration>) {
        if running.is_some_and(|running| running > self.moment) {
            self.leave();
        }
    }

    /// Notes that it will not arrive in time.
    pub(crate) fn leave(&self) {
        *self.state() = Await::Left;
        self.changed.notify_all();
    }

    /// Sets the result; returns whether a request has waited for it.
    pub(crate) fn give(&self, found: &T) -> bool {
        let mut state = self.state();
        if matches!(*state, Await::Left) {
            return false;
        }
        *state = Await::Given(found.clone());
        self.changed.notify_all();
        true
    }
}

/// Runs the code that an answer lacked.
#[derive(Clone)]
pub(crate) struct Completions(Arc<Complete>);

type Complete = dyn Fn(FileId, Lacked) + Send + Sync;

/// What an answer about a file lacked because code had not run.
pub(crate) enum Lacked {
    /// Findings: the client gets these without code unless the others arrive in time.
    Findings(Arc<[Diagnostic]>, Arc<AwaitedFindings>),
    /// Only what hovers and hints tell: these are the complete findings.
    Values(Arc<[Diagnostic]>),
    /// A state in which the code has run.
    State(Arc<Awaited<Snapshot>>),
}

impl Completions {
    /// Hands what has to be completed to `complete`: a file, and what an answer about it lacked.
    pub(crate) fn new(complete: impl Fn(FileId, Lacked) + Send + Sync + 'static) -> Completions {
        Completions(Arc::new(complete))
    }

    /// Notes that an answer about a file lacks something. It is completed, and the client is asked to pull again if that
    /// was too late for the answer.
    pub(crate) fn complete(&self, file: FileId, lacked: Lacked) {
        (self.0)(file, lacked);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_in_time_is_answered_and_what_comes_late_is_reported_to_be_late() {
        let (awaited, found) = (AwaitedFindings::default(), Arc::from([]));
        assert!(awaited.give(&found));
        assert!(awaited.wait(&CancelFlag::default()).is_some());
        // A request that no longer waits gets nothing.
        let (awaited, cancel) = (AwaitedFindings::default(), CancelFlag::default());
        cancel.make_stale();
        assert!(awaited.wait(&cancel).is_none());
        assert!(!awaited.give(&found));
        // Nor does a request wait for findings that will not come.
        let awaited = AwaitedFindings::default();
        awaited.leave();
        let asked = Instant::now();
        assert!(awaited.wait(&CancelFlag::default()).is_none());
        assert!(asked.elapsed() < MOMENT);
    }
}
