//! Threads for the work that the loop hands out: no answer about one document waits for work about another one.
//!
//! Jobs have a lane, which says who waits, and a subject. What is about the same subject takes turns; what is about
//! another one gets another thread. Code of users may run for seconds, and what looks at all files takes a long time,
//! so each of these lanes has one thread only.

use parking_lot::{Condvar, Mutex};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
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

impl Lane {
    /// All lanes, the most urgent first.
    const ALL: [Lane; 4] = [Lane::Waiting, Lane::Background, Lane::Whole, Lane::Code];

    /// How many jobs about the same subject run at once. A completion does not wait for a search for references.
    fn for_each_subject(self) -> usize {
        if self == Lane::Waiting { 2 } else { 1 }
    }

    /// How many jobs run at once. Lanes without a number of subjects have one thread.
    fn at_once(self) -> usize {
        match self {
            Lane::Waiting | Lane::Background => 8,
            Lane::Whole | Lane::Code => 1,
        }
    }
}

/// What a job is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// A document.
    Document(PathBuf),
    /// The state.
    State,
}

/// A piece of work that reports its own result.
pub(crate) struct Job {
    /// What it is, for the log.
    pub(crate) name: &'static str,
    /// What it is about.
    pub(crate) subject: Subject,
    /// The work.
    pub(crate) run: Box<dyn FnOnce() + Send>,
}

/// Threads that wait for further jobs; those beyond it end when there is none.
const KEPT: usize = 4;

#[derive(Default)]
struct Jobs {
    /// Jobs that wait, in the order in which they came.
    queued: VecDeque<(Lane, Job)>,
    /// What runs, in no order.
    running: Vec<(Lane, Subject)>,
    /// Threads, and how many of them wait for a job.
    threads: usize,
    idle: usize,
    closed: bool,
}

impl Jobs {
    /// Takes the next job that may run.
    fn next(&mut self) -> Option<(Lane, Job)> {
        let index = Lane::ALL.into_iter().find_map(|lane| self.next_of(lane))?;
        let (lane, job) = self.queued.remove(index)?;
        self.running.push((lane, job.subject.clone()));
        Some((lane, job))
    }

    /// Whether a job may run.
    fn has_next(&self) -> bool {
        Lane::ALL.into_iter().any(|lane| self.next_of(lane).is_some())
    }

    /// Where the next job of a lane is that may run.
    fn next_of(&self, lane: Lane) -> Option<usize> {
        let running = || self.running.iter().filter(|(other, _)| *other == lane);
        if running().count() >= lane.at_once() {
            return None;
        }
        self.queued.iter().position(|(other, job)| {
            let same = || running().filter(|(_, subject)| *subject == job.subject).count();
            *other == lane && same() < lane.for_each_subject()
        })
    }

    fn is_over(&mut self, lane: Lane, subject: &Subject) {
        if let Some(index) = self.running.iter().position(|(other, running)| *other == lane && running == subject) {
            self.running.swap_remove(index);
        }
    }
}

#[derive(Default)]
struct Shared {
    jobs: Mutex<Jobs>,
    changed: Condvar,
}

/// The worker threads. Dropping it lets them finish the jobs at hand, discard the rest and end.
pub(crate) struct Pool {
    shared: Arc<Shared>,
}

impl Pool {
    /// Starts the threads.
    pub(crate) fn start() -> std::io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let mut jobs = shared.jobs.lock();
        for _ in 0..KEPT {
            start(&shared, &mut jobs)?;
        }
        drop(jobs);
        Ok(Self { shared })
    }

    /// Puts a job at the end of its lane.
    pub(crate) fn submit(&self, lane: Lane, job: Job) {
        let mut jobs = self.shared.jobs.lock();
        jobs.queued.push_back((lane, job));
        find_thread(&self.shared, &mut jobs);
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.jobs.lock().closed = true;
        self.shared.changed.notify_all();
    }
}

fn start(shared: &Arc<Shared>, jobs: &mut Jobs) -> std::io::Result<()> {
    let own = shared.clone();
    let thread = thread::Builder::new().name("worker".to_owned()).stack_size(STACK);
    thread.spawn(move || work(&own))?;
    jobs.threads += 1;
    Ok(())
}

/// Wakes or starts a thread if a job may run. A thread that takes a job does the same for the next one.
fn find_thread(shared: &Arc<Shared>, jobs: &mut Jobs) {
    if !jobs.has_next() {
        return;
    }
    if jobs.idle > 0 {
        shared.changed.notify_one();
    } else if let Err(error) = start(shared, jobs) {
        // Those that there are take the job when they are done.
        tracing::warn!(%error, "no further thread");
    }
}

fn work(shared: &Arc<Shared>) {
    let mut jobs = shared.jobs.lock();
    while !jobs.closed {
        let Some((lane, job)) = jobs.next() else {
            if jobs.threads > KEPT {
                break;
            }
            jobs.idle += 1;
            shared.changed.wait(&mut jobs);
            jobs.idle -= 1;
            continue;
        };
        find_thread(shared, &mut jobs);
        drop(jobs);
        let Job { name, subject, run } = job;
        // Requests catch their own panics to answer them; this keeps the thread alive in all other cases.
        if catch_unwind(AssertUnwindSafe(run)).is_err() {
            tracing::error!(job = name, "a job panicked");
        }
        jobs = shared.jobs.lock();
        jobs.is_over(lane, &subject);
    }
    jobs.threads -= 1;
}

#[cfg(test)]
mod tests;
