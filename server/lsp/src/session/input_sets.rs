//! Input sets with many files are resolved on another thread whenever something has changed that they may depend on.

use lofting_workspace::{SetsFound, Taken};

use super::background::PIECE;
use crate::session::Session;
use crate::session::consequences::Changed;

impl Session {
    /// Starts to resolve the sets that the workspace did not resolve itself.
    pub(crate) fn resolve_input_sets(&mut self) {
        let Some(job) = self.workspace.take_sets_job() else { return };
        self.elsewhere(
            "input sets",
            move || job.run(),
            |session, found| match found {
                Some(found) => session.take_input_sets(found),
                None => session.workspace.give_up_sets(),
            },
        );
    }

    /// Applies a part of the result, and queues the rest after other events.
    fn take_input_sets(&mut self, mut found: SetsFound) {
        // The replaced data may be large.
        self.before_change();
        match self.workspace.take_sets(&mut found, PIECE) {
            Taken::More => self.workers.events.change("input sets", |session| session.take_input_sets(found)),
            Taken::Other => self.changed(Changed::Surroundings),
            Taken::Same => {}
        }
    }
}
