//! Slow background work, such as reading directories and resolving input sets. It runs on a thread of its
//! own, and its result arrives as an event.

use std::thread;

use crate::session::{Events, Session};

/// How many files are applied between two other events: a few milliseconds.
pub(crate) const PIECE: usize = 128;

type Then<T> = Box<dyn FnOnce(&mut Session, Option<T>) + Send>;

impl Session {
    /// Runs `work` on a thread of its own and passes its result to `then`: None if it failed.
    pub(crate) fn elsewhere<T: Send + 'static>(
        &self,
        name: &'static str,
        work: impl FnOnce() -> T + Send + 'static,
        then: impl FnOnce(&mut Session, Option<T>) + Send + 'static,
    ) {
        let ending = Ending { name, events: self.workers.events.clone(), then: Some(Box::new(then)) };
        let run = move || ending.reached(work());
        if let Err(error) = thread::Builder::new().name(name.to_owned()).stack_size(lofting_eval::STACK).spawn(run) {
            tracing::error!(%error, name, "no thread");
        }
    }
}

/// What happens after a piece of work, whether it ends, panics, or never begins.
struct Ending<T: Send + 'static> {
    name: &'static str,
    events: Events,
    then: Option<Then<T>>,
}

impl<T: Send + 'static> Ending<T> {
    fn reached(mut self, brought: T) {
        self.send(Some(brought));
    }

    fn send(&mut self, brought: Option<T>) {
        if let Some(then) = self.then.take() {
            self.events.change(self.name, move |session| then(session, brought));
        }
    }
}

impl<T: Send + 'static> Drop for Ending<T> {
    fn drop(&mut self) {
        self.send(None);
    }
}
