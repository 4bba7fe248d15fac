//! One answer: not made, being made, or made.

use crate::budget::Charge;
use crate::steps::{current_flag, to_the_end};
use crate::{Budget, CancelFlag, Weigh};
use parking_lot::{Condvar, Mutex, MutexGuard};
use std::sync::Arc;

/// The request was cancelled before there was an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cancelled;

/// An answer that several threads may ask for at the same time.
pub(crate) struct Answer<V> {
    progress: Mutex<Progress<V>>,
    /// Signalled when making the answer has ended, with or without success.
    settled: Condvar,
}

enum Progress<V> {
    /// No thread is making it: it was never requested, or the thread that made it was cancelled or panicked.
    Idle,
    /// A thread is making it, for all requests that share this flag.
    Running(CancelFlag),
    Made(Arc<V>, Charge),
}

impl<V> Default for Answer<V> {
    fn default() -> Self {
        Answer { progress: Mutex::new(Progress::Idle), settled: Condvar::new() }
    }
}

impl<V> Answer<V> {
    fn progress(&self) -> MutexGuard<'_, Progress<V>> {
        // The lock is held only to read or to note a state, never while user code runs.
        self.progress.lock()
    }

    /// The answer, if it is made.
    pub fn made(&self) -> Option<Arc<V>> {
        match &*self.progress() {
            Progress::Made(value, _) => Some(value.clone()),
            _ => None,
        }
    }

    /// Bytes that are freed when it is dropped from its memo.
    pub fn weight(&self) -> usize {
        match &*self.progress() {
            Progress::Made(_, charge) => charge.weight(),
            _ => 0,
        }
    }

    fn settle(&self, progress: Progress<V>) {
        *self.progress() = progress;
        self.settled.notify_all();
    }
}

impl<V: Weigh> Answer<V> {
    /// The answer. This thread makes it unless another one is doing so already.
    pub fn get(
        &self,
        budget: &Budget,
        request: &CancelFlag,
        make: impl FnOnce(&CancelFlag) -> V,
    ) -> Result<Arc<V>, Cancelled> {
        let everybody = loop {
            let mut progress = self.progress();
            match &*progress {
                Progress::Made(value, _) => return Ok(value.clone()),
                Progress::Idle => {
                    let everybody = CancelFlag::shared_by(request);
                    *progress = Progress::Running(everybody.clone());
                    break everybody;
                }
                Progress::Running(everybody) => {
                    everybody.join(request);
                    let running = |progress: &mut Progress<V>| matches!(progress, Progress::Running(_));
                    self.settled.wait_while(&mut progress, running);
                }
            }
            drop(progress);
            // The thread that made it may have stopped because every request that waited was cancelled.
            if self.made().is_none() && request.is_cancelled() {
                return Err(Cancelled);
            }
        };
        let unfinished = BackToIdle(self);
        let made = match current_flag() {
            Some(_) => everybody.until_cancelled(|| make(&everybody))?,
            None => make(&everybody),
        };
        if everybody.was_raised() {
            return Err(Cancelled);
        }
        let made = Arc::new(made);
        // What is made is kept. If weighing it could end here, all others would wait for ever.
        let charge = budget.charge(to_the_end(|| made.weight()));
        std::mem::forget(unfinished);
        self.settle(Progress::Made(made.clone(), charge));
        Ok(made)
    }
}

/// Sets the answer back to idle when making it was cancelled or panicked, so that the next request tries again.
struct BackToIdle<'a, V>(&'a Answer<V>);

impl<V> Drop for BackToIdle<'_, V> {
    fn drop(&mut self) {
        self.0.settle(Progress::Idle);
    }
}
