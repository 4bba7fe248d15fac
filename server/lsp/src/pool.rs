//! Four worker threads, one of them reserved for what the user waits on, others for code of users and for what looks at
//! all files.
//!
//! Diagnostics of a large file must never delay a completion, so background jobs may take only one thread. Code of
//! users may run for seconds, so nothing that needs no code waits for it.

use parking_lot::{Condvar, Mutex};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;

use lofting_eval::STACK;

/// Who waits for a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    /// The user, who is typing.
    Waiting,
    /// No user.
    Background,
    /// No user, for work that looks at all files.
    Whole,
    /// No user, for work that may run code.
    Code,
}

/// A piece of work that reports its own result.
pub(crate) struct Job {
    /// What it is, for the log.
    pub(crate) name: &'static str,
    /// The work.
    pub(crate) run: Box<dyn FnOnce() + Send>,
}

#[derive(Default)]
struct Queues {
    waiting: VecDeque<Job>,
    background: VecDeque<Job>,
    whole: VecDeque<Job>,
    code: VecDeque<Job>,
    closed: bool,
}

#[derive(Default)]
struct Shared {
    queues: Mutex<Queues>,
    changed: Condvar,
}

/// The worker threads. Dropping it lets them finish the job at hand, discard the rest and end.
pub(crate) struct Pool {
    shared: Arc<Shared>,
}

impl Pool {
    /// Starts the threads.
    pub(crate) fn start() -> std::io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let threads: [(&str, &[Lane]); 4] = [
            ("waiting", &[Lane::Waiting]),
            ("any", &[Lane::Waiting, Lane::Background]),
            ("whole", &[Lane::Whole]),
            ("code", &[Lane::Code]),
        ];
        for (name, lanes) in threads {
            let shared = shared.clone();
            thread::Builder::new()
                .name(format!("worker-{name}"))
                .stack_size(STACK)
                .spawn(move || work(&shared, lanes))?;
        }
        Ok(Self { shared })
    }

    /// Puts a job at the end of its lane.
    pub(crate) fn submit(&self, lane: Lane, job: Job) {
        let mut queues = self.shared.queues.lock();
        match lane {
            Lane::Waiting => queues.waiting.push_back(job),
            Lane::Background => queues.background.push_back(job),
            Lane::Whole => queues.whole.push_back(job),
            Lane::Code => queues.code.push_back(job),
        }
        drop(queues);
        // All threads are woken, because the one that wakes first may not be allowed to take this lane.
        self.shared.changed.notify_all();
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.queues.lock().closed = true;
        self.shared.changed.notify_all();
    }
}

fn work(shared: &Shared, lanes: &[Lane]) {
    while let Some(job) = next(shared, lanes) {
        // Requests catch their own panics to answer them; this keeps the thread alive in all other cases.
        if catch_unwind(AssertUnwindSafe(job.run)).is_err() {
            tracing::error!(job = job.name, "a job panicked");
        }
    }
}

fn next(shared: &Shared, lanes: &[Lane]) -> Option<Job> {
    let mut queues = shared.queues.lock();
    loop {
        if queues.closed {
            return None;
        }
        let found = lanes.iter().find_map(|lane| match lane {
            Lane::Waiting => queues.waiting.pop_front(),
            Lane::Background => queues.background.pop_front(),
            Lane::Whole => queues.whole.pop_front(),
            Lane::Code => queues.code.pop_front(),
        });
        if found.is_some() {
            return found;
        }
        shared.changed.wait(&mut queues);
    }
}
