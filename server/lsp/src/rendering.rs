//! Renders the input sets of open documents to find errors: in the lane for code once nobody types, cancelled by the
//! next key.

use std::time::{Duration, Instant};

use lofting_document::FileId;

use crate::cancel::CancelFlag;
use crate::code::CodeRunner;
use crate::event::{EventSender, OnDrop};
use crate::pool::{Job, Lane, Pool};
use crate::view::View;

/// How long nothing may have changed before sets are rendered: longer than the time between two keys in normal typing,
/// short enough to see the result while looking at the line.
const PAUSE: Duration = Duration::from_millis(500);

/// When sets are rendered to find errors.
#[derive(Default)]
pub(crate) struct Rendering {
    due: Option<Instant>,
    under_way: Option<CancelFlag>,
}

impl Rendering {
    /// Notes a change that may affect the output.
    pub(crate) fn invalidate(&mut self) {
        self.due = Some(Instant::now() + PAUSE);
        if let Some(cancel) = &self.under_way {
            cancel.make_stale();
        }
    }

    /// When [`Rendering::start`] has something to do, even without an event.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.due.filter(|_| self.under_way.is_none())
    }

    /// Whether nothing has changed for long enough.
    pub(crate) fn is_due(&self) -> bool {
        self.deadline().is_some_and(|due| due <= Instant::now())
    }

    /// Renders the sets of `files`.
    pub(crate) fn start(
        &mut self,
        view: &View,
        files: Vec<FileId>,
        pool: &Pool,
        events: &EventSender,
        code: &CodeRunner,
    ) {
        self.due = None;
        let cancel = CancelFlag::default();
        self.under_way = Some(cancel.clone());
        let (snapshot, events, code) = (view.snapshot.clone(), events.clone(), code.clone());
        let over = OnDrop::new(events.clone(), "rendering over", |session| session.rendering.under_way = None);
        let render = move || {
            let _over = over;
            let (found, ran) = code.render_findings(&snapshot, &files, &cancel);
            if ran {
                events.change("code was run", |session| session.code_was_run());
            }
            if let Some(found) = found {
                events.change("rendered", move |session| {
                    if !cancel.is_set() {
                        session.rendered(found);
                    }
                });
            }
        };
        pool.submit(Lane::Code, Job { name: "rendering", run: Box::new(render) });
    }
}
