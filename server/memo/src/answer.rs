//! One answer: not made, being made, or made.

use crate::budget::Charge;
use crate::{Budget, CancelFlag, Weigh};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Who asked gave up before there was an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cancelled;

/// An answer that several may ask for at the same time.
pub(crate) struct Answer<V> {
    progress: Mutex<Progress<V>>,
    /// It is no longer being made.
    settled: Condvar,
}

enum Progress<V> {
    /// Nobody makes it: nobody asked, or whoever made it gave up or panicked.
    Idle,
    /// Somebody makes it, for all who share this flag.
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
        // The lock is held to look and to note only: what it guards is whole.
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The answer, if it is made.
    pub fn made(&self) -> Option<Arc<V>> {
        match &*self.progress() {
            Progress::Made(value, _) => Some(value.clone()),
            _ => None,
        }
    }

    /// Bytes that letting go of it frees.
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
    /// The answer; made here unless somebody makes it already.
    pub fn get(
        &self,
        budget: &Budget,
        asker: &CancelFlag,
        make: impl FnOnce(&CancelFlag) -> V,
    ) -> Result<Arc<V>, Cancelled> {
        let everybody = loop {
            let mut progress = self.progress();
            match &*progress {
                Progress::Made(value, _) => return Ok(value.clone()),
                Progress::Idle => {
                    let everybody = CancelFlag::shared_by(asker);
                    *progress = Progress::Running(everybody.clone());
                    break everybody;
                }
                Progress::Running(everybody) => {
                    everybody.join(asker);
                    let running = |progress: &mut Progress<V>| matches!(progress, Progress::Running(_));
                    drop(self.settled.wait_while(progress, running).unwrap_or_else(PoisonError::into_inner));
                }
            }
            // Whoever made it may have stopped because all who waited had given up.
            if self.made().is_none() && asker.is_cancelled() {
                return Err(Cancelled);
            }
        };
        let unfinished = BackToIdle(self);
        let made = make(&everybody);
        if everybody.was_raised() {
            return Err(Cancelled);
        }
        std::mem::forget(unfinished);
        let made = Arc::new(made);
        self.settle(Progress::Made(made.clone(), budget.charge(made.weight())));
        Ok(made)
    }
}

/// Lets the next one try when making it came to no end.
struct BackToIdle<'a, V>(&'a Answer<V>);

impl<V> Drop for BackToIdle<'_, V> {
    fn drop(&mut self) {
        self.0.settle(Progress::Idle);
    }
}
