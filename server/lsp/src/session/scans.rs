//! Scans of the client's folders, at the start and when folders change.

use gen_lsp_types as lsp;
use lofting_workspace::{CancelFlag, ScanResult};

use super::background::PIECE;
use crate::outbox::Question;
use crate::session::Session;
use crate::session::consequences::Changed;

/// The scans that are under way.
#[derive(Debug, Default)]
pub(crate) struct Scans {
    /// Started and not finished.
    under_way: usize,
    /// The first one is shown as progress.
    shows_progress: bool,
}

impl Session {
    /// Scans the folders on another thread. The first scan may be shown as progress.
    pub(crate) fn scan(&mut self) {
        let is_first = !self.workspace.is_scanned() && self.scans.under_way == 0;
        if self.client.profile.progress && !self.scans.shows_progress && is_first {
            self.scans.shows_progress = true;
            let begin =
                lsp::WorkDoneProgressBegin { title: "Lofting: reading the workspace".to_owned(), ..Default::default() };
            self.client.outbox.ask(Question::ProgressBegin(begin));
        }
        self.scans.under_way += 1;
        let scanner = self.workspace.scanner();
        self.elsewhere("scan", move || scanner.run(&mut |_| {}, &CancelFlag::new()), Session::scanned);
    }

    /// Applies a part of the result, and queues the rest after other events.
    fn scanned(&mut self, result: Option<ScanResult>) {
        self.before_change();
        if let Some(mut result) = result
            && !self.workspace.take_scan(&mut result, PIECE)
        {
            return self.workers.events.change("scan", |session| session.scanned(Some(result)));
        }
        let snapshot = self.workspace.snapshot();
        self.elsewhere("names", move || snapshot.learn_names(), |session, _| session.scan_is_over());
    }

    /// Everything that was found is known, and can be looked up by its name.
    fn scan_is_over(&mut self) {
        self.before_change();
        self.scans.under_way -= 1;
        if self.scans.shows_progress && self.scans.under_way == 0 {
            self.scans.shows_progress = false;
            self.client.outbox.ask(Question::ProgressEnd(lsp::WorkDoneProgressEnd::default()));
        }
        self.changed(Changed::Surroundings);
    }
}
