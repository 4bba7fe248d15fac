//! The one thread that owns all state.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use crate::event::{Event, EventReceiver};
use crate::session::Session;

/// Handling one event should not take longer: everything queued after it waits, even a cancellation.
const SLOW: Duration = Duration::from_millis(5);

/// While events keep coming, their consequences (diagnostics) are started at least this often.
const BURST: Duration = Duration::from_millis(50);

/// Takes events one by one, in the order of the client's messages.
pub(crate) struct MainLoop {
    session: Session,
    incoming: EventReceiver<Session>,
}

impl MainLoop {
    /// A loop over `incoming` that changes `session`.
    pub(crate) fn new(session: Session, incoming: EventReceiver<Session>) -> Self {
        Self { session, incoming }
    }

    /// Runs until all senders are gone.
    pub(crate) fn run(mut self) {
        while let Some(event) = self.wait() {
            let burst = Instant::now();
            self.handle(event);
            // Queued edits are all applied before diagnostics are computed: only the newest text matters.
            while burst.elapsed() < BURST {
                match self.incoming.channel.try_recv() {
                    Ok(event) => self.handle(event),
                    Err(_) => break,
                }
            }
            self.guarded("settle", Session::settle);
        }
    }

    /// The next event; runs the session's timer while waiting for it.
    fn wait(&mut self) -> Option<Event<Session>> {
        loop {
            let received = match self.session.next_deadline() {
                None => self.incoming.channel.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(at) => self.incoming.channel.recv_timeout(at.saturating_duration_since(Instant::now())),
            };
            match received {
                Ok(event) => return Some(event),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => self.guarded("settle", Session::settle),
            }
        }
    }

    fn handle(&mut self, event: Event<Session>) {
        let queued = self.incoming.note_received();
        let started = Instant::now();
        let Event { name, apply } = event;
        self.guarded(name, apply);
        let took = started.elapsed();
        tracing::trace!(name, queued, micros = took.as_micros(), "handled");
        if took > SLOW {
            tracing::info!(name, queued, millis = took.as_millis(), "slow in the session loop");
        }
    }

    /// Handles an event so that a panic loses one message instead of the server.
    fn guarded(&mut self, name: &'static str, act: impl FnOnce(&mut Session)) {
        if catch_unwind(AssertUnwindSafe(|| act(&mut self.session))).is_err() {
            tracing::error!(name, "a message could not be handled");
        }
    }
}
