//! The search for documents that depend on edited ones, for clients that pull.

use lofting_document::FileId;

use crate::outbox::Question;
use crate::pool::Lane;
use crate::session::Session;

/// What the search is about.
#[derive(Default)]
pub(crate) struct Dependants {
    /// Documents edited since the last search.
    pub(super) edited: Vec<FileId>,
    searching: bool,
}

impl Session {
    /// A client pulls diagnostics for the document it edits. If that is a schema, it has to pull those of other
    /// documents as well.
    pub(super) fn find_dependants(&mut self) {
        if self.dependants.edited.is_empty() || self.dependants.searching {
            return;
        }
        self.dependants.searching = true;
        let (edited, snapshot) = (std::mem::take(&mut self.dependants.edited), self.workspace.snapshot());
        let events = self.workers.events.clone();
        let find = move || {
            if edited.iter().any(|file| !snapshot.dependants(*file).is_empty()) {
                events.change("dependants found", |session| session.client.outbox.ask(Question::RefreshDiagnostics));
            }
        };
        let over = |session: &mut Session| session.dependants.searching = false;
        self.workers.submit_until(Lane::Background, "dependants", over, find);
    }
}
