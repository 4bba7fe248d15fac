//! Whose turn it is to talk to the worker. One conversation runs at a time; only the thread that has the turn may start
//! another one inside it, because files of a private library are evaluated while a template waits for the library.

use parking_lot::{Condvar, Mutex, MutexGuard};
use std::thread::{self, ThreadId};

/// The turn, which one thread has at a time.
#[derive(Default)]
pub(crate) struct Turn {
    holder: Mutex<Option<Holder>>,
    free: Condvar,
}

struct Holder {
    thread: ThreadId,
    /// How many conversations of this thread are nested.
    depth: usize,
}

/// Gives the turn back when dropped.
pub(crate) struct Taken<'t> {
    turn: &'t Turn,
    /// How many conversations of this thread wait for this one.
    pub(crate) outer: usize,
}

impl Turn {
    fn holder(&self) -> MutexGuard<'_, Option<Holder>> {
        self.holder.lock()
    }

    /// Takes the turn if no thread has it, including this one.
    pub(crate) fn take_if_free(&self) -> Option<Taken<'_>> {
        let mut holder = self.holder();
        let is_free = holder.is_none();
        is_free.then(|| {
            *holder = Some(Holder { thread: thread::current().id(), depth: 1 });
            Taken { turn: self, outer: 0 }
        })
    }

    /// Takes the turn, waiting until no other thread has it.
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
                Some(_) => self.free.wait(&mut holder),
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
