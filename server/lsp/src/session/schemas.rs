//! Long searches for schemas run on a thread of their own, whenever other schemas are named than before.

use lofting_workspace::{SearchFound, Taken};

use super::background::PIECE;
use crate::session::Session;
use crate::session::consequences::Changed;

impl Session {
    /// Starts a search that the workspace has left to its caller, if there is one.
    pub(crate) fn search_schemas(&mut self) {
        let Some(job) = self.workspace.take_schema_search() else { return };
        self.elsewhere(
            "schemas",
            move || job.run(),
            |session, found| match found {
                Some(found) => session.take_schemas(found),
                None => session.workspace.give_up_schema_search(),
            },
        );
    }

    /// Applies a part of the result, and queues an event for the rest.
    fn take_schemas(&mut self, mut found: SearchFound) {
        self.before_change();
        match self.workspace.take_schemas_found(&mut found, PIECE) {
            Taken::More => self.workers.events.change("schemas", |session| session.take_schemas(found)),
            Taken::Other => self.changed(Changed::Surroundings),
            Taken::Same => {}
        }
    }
}
