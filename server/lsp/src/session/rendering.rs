//! Renders the input sets of open documents to find errors: in the lane for code when the user stops typing, cancelled by the
//! next key.

use std::time::Instant;

use lofting_document::FileId;

use crate::pool::Lane;
use crate::session::consequences::Changed;
use crate::session::debounced::Debounced;
use crate::session::{Session, Workers};
use crate::view::View;

/// When sets are rendered to find errors.
#[derive(Default)]
pub(crate) struct Rendering(Debounced);

impl Rendering {
    /// Notes a change that may affect the output.
    pub(crate) fn invalidate(&mut self) {
        self.0.invalidate(true);
    }

    /// When [`Rendering::start`] has something to do, even without an event.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.0.deadline()
    }

    /// Whether nothing has changed for long enough.
    pub(crate) fn is_due(&self) -> bool {
        self.0.is_due()
    }

    /// Renders the sets of `files`.
    pub(crate) fn start(&mut self, view: &View, files: Vec<FileId>, workers: &Workers) {
        let cancel = self.0.begin();
        let (snapshot, events, code) = (view.snapshot.clone(), workers.events.clone(), workers.code.clone());
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
        let over = |session: &mut Session| session.rendering.0.over();
        workers.submit_until(Lane::Code, "rendering", over, render);
    }
}
