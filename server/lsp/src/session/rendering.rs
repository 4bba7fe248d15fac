//! Renders the input sets of open documents to find errors: in the lane for code when the user stops typing, cancelled
//! by the next keystroke.

use lofting_document::FileId;

use crate::pool::Lane;
use crate::session::Session;
use crate::session::consequences::Changed;

impl Session {
    /// Renders the sets of the open documents.
    pub(crate) fn render_open_sets(&mut self) {
        let cancel = self.rendering.begin();
        let snapshot = self.view().snapshot;
        let files: Vec<FileId> = self.documents.values().map(|document| document.file).collect();
        let (events, code) = (self.workers.events.clone(), self.workers.code.clone());
        let render = move || {
            let (found, ran) = code.render_findings(&snapshot, &files, &cancel);
            if ran {
                events.change("code was run", |session| session.changed(Changed::Code));
            }
            if let Some(found) = found {
                events.change("rendered", move |session| {
                    if !cancel.is_set() {
                        session.rendered(found);
                    }
                });
            }
        };
        let over = |session: &mut Session| session.rendering.over();
        self.workers.submit_until(Lane::Code, "rendering", over, render);
    }
}
