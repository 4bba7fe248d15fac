//! What all requests together may cost.
//!
//! A schema can refer to thousands of others, so limits on a single document bound nothing. The totals are those of one
//! command; a process that runs for longer starts counting again after [`Total::window`].

use parking_lot::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use crate::error::FetchError;

/// Limits on all documents together.
#[derive(Debug, Clone, Copy)]
pub struct Total {
    /// How many documents are requested.
    pub documents: usize,
    /// How many bytes are received.
    pub bytes: u64,
    /// How long all requests take, added up.
    pub time: Duration,
    /// After how long counting starts again.
    pub window: Duration,
}

impl Default for Total {
    fn default() -> Self {
        Total {
            documents: 2_000,
            bytes: 200 * 1024 * 1024,
            time: Duration::from_secs(5 * 60),
            window: Duration::from_secs(60 * 60),
        }
    }
}

/// What was spent.
#[derive(Debug)]
pub(crate) struct Budget {
    total: Total,
    spent: Mutex<Spent>,
}

#[derive(Debug)]
struct Spent {
    since: Instant,
    documents: usize,
    bytes: u64,
    time: Duration,
}

impl Spent {
    fn nothing() -> Spent {
        Spent { since: Instant::now(), documents: 0, bytes: 0, time: Duration::ZERO }
    }
}

impl Budget {
    pub fn new(total: Total) -> Budget {
        Budget { total, spent: Mutex::new(Spent::nothing()) }
    }

    /// Nothing is left half-changed when a thread panics with the lock.
    fn lock(&self) -> MutexGuard<'_, Spent> {
        let mut spent = self.spent.lock();
        if spent.since.elapsed() >= self.total.window {
            *spent = Spent::nothing();
        }
        spent
    }

    /// Begins a document, and returns how long it may take as far as the total goes.
    pub fn begin(&self) -> Result<Duration, FetchError> {
        let mut spent = self.lock();
        let left = self.total.time.saturating_sub(spent.time);
        if spent.documents >= self.total.documents {
            return Err(FetchError::Spent(format!("{} documents", self.total.documents)));
        }
        if spent.bytes >= self.total.bytes {
            return Err(self.no_bytes());
        }
        if left.is_zero() {
            return Err(FetchError::Spent(format!("{} s of requests", self.total.time.as_secs())));
        }
        spent.documents += 1;
        Ok(left)
    }

    /// Counts bytes that were received.
    pub fn receive(&self, bytes: usize) -> Result<(), FetchError> {
        let mut spent = self.lock();
        spent.bytes = spent.bytes.saturating_add(bytes as u64);
        if spent.bytes > self.total.bytes { Err(self.no_bytes()) } else { Ok(()) }
    }

    fn no_bytes(&self) -> FetchError {
        FetchError::Spent(format!("{} MB", self.total.bytes.div_ceil(1024 * 1024)))
    }

    /// Counts the time of a document.
    pub fn end(&self, took: Duration) {
        self.lock().time += took;
    }
}
