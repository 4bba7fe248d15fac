//! Input sets with many files are resolved elsewhere, whenever files or text have changed that they may depend on.

use lofting_workspace::{SetsFound, Taken};

use crate::elsewhere::PIECE;
use crate::session::Session;

impl Session {
    /// Resolves the sets that are left to others.
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

    /// Takes over a piece, and comes back for the next behind whatever else is to be done.
    fn take_input_sets(&mut self, mut found: SetsFound) {
        // What is replaced may be large.
        self.before_change();
        match self.workspace.take_sets(&mut found, PIECE) {
            Taken::More => self.events.change("input sets", |session| session.take_input_sets(found)),
            Taken::Other => self.surroundings_changed(),
            Taken::Same => {}
        }
    }
}
