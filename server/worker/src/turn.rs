//! Whose turn it is to talk to which worker. Each worker has one conversation at a time; only the thread that has its
//! turn may start another one inside it, because files of a private library are evaluated while a template waits for
//! the library.

use parking_lot::{Condvar, Mutex, MutexGuard};
use std::sync::OnceLock;
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

/// How long code has to run for each worker before another one is started: longer than a start takes.
const WORTH_A_WORKER: Duration = Duration::from_millis(15);

/// The turns of all workers. A thread that has one never waits for another, so none waits for a thread that waits for
/// it.
pub(crate) struct Turns {
    state: Mutex<State>,
    free: Condvar,
    /// How many workers there may be, on however many processors.
    most: usize,
    processors: OnceLock<usize>,
}

#[derive(Default)]
struct State {
    /// Who has the turn of each worker that is in use.
    holders: Vec<Option<Holder>>,
    /// How long conversations took that have ended, all together.
    spent: Duration,
}

struct Holder {
    thread: ThreadId,
    /// How many conversations of this thread are nested.
    depth: usize,
    since: Instant,
}

/// Gives the turn back when dropped.
pub(crate) struct Taken<'t> {
    turns: &'t Turns,
    /// The number of the worker.
    pub(crate) seat: usize,
    /// How many conversations of this thread wait for this one.
    pub(crate) outer: usize,
}

impl State {
    /// How long conversations took so far.
    fn spent(&self) -> Duration {
        let going_on = self.holders.iter().flatten().map(|holder| holder.since.elapsed());
        self.spent + going_on.sum::<Duration>()
    }

    /// Gives the thread a free turn: that of the worker `wanted`, or of the first one that is free.
    fn sit(&mut self, thread: ThreadId, wanted: Option<usize>) -> Option<usize> {
        let seat = match wanted {
            Some(wanted) => wanted,
            None => self.holders.iter().position(Option::is_none)?,
        };
        let place = self.holders.get_mut(seat).filter(|place| place.is_none())?;
        *place = Some(Holder { thread, depth: 1, since: Instant::now() });
        Some(seat)
    }
}

impl Turns {
    /// Turns of up to `most` workers, and no more than there are processors.
    pub(crate) fn new(most: usize) -> Turns {
        let state = State { holders: vec![None], spent: Duration::ZERO };
        Turns { state: Mutex::new(state), free: Condvar::new(), most, processors: OnceLock::new() }
    }

    /// How many workers there may be. The system is asked how many processors there are only when it matters, because
    /// it may have to read several files.
    fn most(&self) -> usize {
        let processors = || std::thread::available_parallelism().map_or(1, usize::from);
        if self.most == 1 { 1 } else { self.most.min(*self.processors.get_or_init(processors)) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    /// Takes the turn of the worker if no thread has it, including this one.
    pub(crate) fn take_if_free(&self, seat: usize) -> Option<Taken<'_>> {
        let seat = self.state().sit(thread::current().id(), Some(seat))?;
        Some(Taken { turns: self, seat, outer: 0 })
    }

    /// Takes a turn: that of the worker this thread already talks to; else of the worker `wanted`, or of any. Waits
    /// until there is one.
    pub(crate) fn take(&self, wanted: Option<usize>) -> Taken<'_> {
        let me = thread::current().id();
        let mut state = self.state();
        let mine = state.holders.iter_mut().enumerate().find_map(|(seat, holder)| {
            let holder = holder.as_mut().filter(|holder| holder.thread == me)?;
            holder.depth += 1;
            Some((seat, holder.depth - 1))
        });
        if let Some((seat, outer)) = mine {
            return Taken { turns: self, seat, outer };
        }
        loop {
            let taken = state.sit(me, wanted);
            if let Some(seat) = taken {
                return Taken { turns: self, seat, outer: 0 };
            }
            let used = state.holders.len();
            if wanted.is_some() || used >= self.most() {
                self.free.wait(&mut state);
                continue;
            }
            let worth = WORTH_A_WORKER * u32::try_from(used).unwrap_or(u32::MAX);
            match worth.checked_sub(state.spent()) {
                None | Some(Duration::ZERO) => state.holders.push(None),
                // Conversations that go on count as well.
                Some(left) => drop(self.free.wait_for(&mut state, left)),
            }
        }
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        let mut state = self.turns.state();
        let Some(place) = state.holders.get_mut(self.seat) else { return };
        match place {
            Some(mine) if mine.depth > 1 => mine.depth -= 1,
            _ => {
                let took = place.take().map_or(Duration::ZERO, |holder| holder.since.elapsed());
                state.spent += took;
                // Those who wait may want different workers.
                self.turns.free.notify_all();
            }
        }
    }
}
