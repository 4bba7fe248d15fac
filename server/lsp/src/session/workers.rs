//! The threads that do slow work, and how their results return to the loop.

use lofting_workspace::until_abandoned;

use crate::code::CodeRunner;
use crate::event::{EventSender, OnDrop};
use crate::pool::{Job, Lane, Pool, Subject};
use crate::session::Session;

/// The way into the loop that owns the session.
pub(crate) type Events = EventSender<Session>;

/// The threads of a session, and what they need.
pub(crate) struct Workers {
    pub(crate) pool: Pool,
    /// The way back into the loop.
    pub(crate) events: Events,
    /// Runs code of users.
    pub(crate) code: CodeRunner,
}

impl Workers {
    /// Has a job done in a lane.
    pub(crate) fn submit(&self, lane: Lane, name: &'static str, run: impl FnOnce() + Send + 'static) {
        self.submit_about(Subject::State, lane, name, run);
    }

    /// Like [`Workers::submit`], for a job that is about something other than the state as a whole.
    pub(crate) fn submit_about(
        &self,
        subject: Subject,
        lane: Lane,
        name: &'static str,
        run: impl FnOnce() + Send + 'static,
    ) {
        self.pool.submit(lane, Job { name, subject, run: Box::new(run) });
    }

    /// Like [`Workers::submit`]. When the job has ended, even if it panicked, the loop does `over`. Code that it waits for
    /// ends when its result is stale, and the job with it.
    pub(crate) fn submit_until(
        &self,
        lane: Lane,
        name: &'static str,
        over: impl FnOnce(&mut Session) + Send + 'static,
        run: impl FnOnce() + Send + 'static,
    ) {
        let over = OnDrop::new(self.events.clone(), name, over);
        self.submit(lane, name, move || {
            let _over = over;
            match lane {
                // What an edit ends is done again after it.
                Lane::Code => drop(until_abandoned(run)),
                _ => run(),
            }
        });
    }
}
