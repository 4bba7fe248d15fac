//! Whose turn it is to speak with the worker: one conversation at a time, and another inside it only for
//! the thread that has the turn. While a template waits for a private library, the library's own files
//! are evaluated.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

/// The turn, which threads take and give back.
#[derive(Default)]
pub(crate) struct Turn {
    holder: Mutex<Option<Holder>>,
    free: Condvar,
}

struct Holder {
    thread: ThreadId,
    /// Conversations of this thread inside each other.
    depth: usize,
}

/// Gives the turn back when dropped.
pub(crate) struct Taken<'t> {
    turn: &'t Turn,
    /// How many conversations of this thread this one is inside of.
    pub(crate) outer: usize,
}

impl Turn {
    fn holder(&self) -> MutexGuard<'_, Option<Holder>> {
        self.holder.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The turn, if no thread has it, not even this one.
    pub(crate) fn take_if_free(&self) -> Option<Taken<'_>> {
        let mut holder = self.holder();
        let is_free = holder.is_none();
        is_free.then(|| {
            *holder = Some(Holder { thread: thread::current().id(), depth: 1 });
            Taken { turn: self, outer: 0 }
        })
    }

    /// Waits until no other thread has the turn.
    pub(crate) fn take(&self) -> Taken<'_> {
        let me = thread::current().id();
        let mut holder = self.holder();
        loop {
            match &mut *holder {
                None => {
                    *holder = Some(Holder { thread: me, depth: 1 });
                    return Taken { turn: self, outer: 0 };
                }
                Some(holder) if holder.thread == me => {
                    let outer = holder.depth;
                    holder.depth += 1;
                    return Taken { turn: self, outer };
                }
                Some(_) => holder = self.free.wait(holder).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        let mut holder = self.turn.holder();
        match &mut *holder {
            Some(mine) if mine.depth > 1 => mine.depth -= 1,
            _ => {
                *holder = None;
                self.turn.free.notify_one();
            }
        }
    }
}
