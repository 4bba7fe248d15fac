//! Clients that pull diagnostics get those that need no code at once, or after a short wait: most findings from code
//! still hold after an edit, and should not vanish and return at every keystroke. If code takes longer, it runs after
//! the answer, and the client is asked to pull again if that makes a difference.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use lofting_check::Diagnostic;
use lofting_document::FileId;
use lofting_workspace::{Need, until_abandoned};

use crate::awaited::{Awaited, MOMENT};
use crate::pool::Lane;
use crate::session::Session;

/// Findings that were pulled before code had run.
#[derive(Default)]
pub(crate) struct Pulled {
    /// The findings that the client gets without code, and the request that waits for complete ones.
    waiting: HashMap<FileId, (Arc<[Diagnostic]>, Arc<Awaited>)>,
    /// Since when some are being completed.
    completing: Option<Instant>,
}

impl Session {
    /// Notes that a client is about to get incomplete findings of a file. They are completed, and the client is asked
    /// to pull again if that was too late for the answer.
    pub(crate) fn complete(&mut self, file: FileId, shown: Arc<[Diagnostic]>, awaited: Arc<Awaited>) {
        // While slow code is running, each of many documents would wait in vain.
        if self.pulled.completing.is_some_and(|since| since.elapsed() > MOMENT) {
            awaited.leave();
        }
        self.pulled.waiting.insert(file, (shown, awaited));
    }

    /// Notes that the findings of a file are complete, but not what hovers and hints tell of it.
    pub(crate) fn prepare(&mut self, file: FileId, shown: Arc<[Diagnostic]>) {
        self.pulled.waiting.entry(file).or_insert_with(|| {
            let nobody = Arc::<Awaited>::default();
            nobody.leave();
            (shown, nobody)
        });
    }

    /// Runs the code for findings that were pulled without it.
    pub(crate) fn complete_pulled(&mut self) {
        if self.pulled.waiting.is_empty() || self.pulled.completing.is_some() {
            return;
        }
        self.pulled.completing = Some(Instant::now());
        let (pulled, snapshot) = (std::mem::take(&mut self.pulled.waiting), self.workspace.snapshot());
        let (code, events) = (self.workers.code.clone(), self.workers.events.clone());
        let complete = move || {
            let mut snapshot = snapshot;
            let mut is_new = pulled.keys().any(|file| snapshot.waits_for_merged(*file));
            let mut is_other = false;
            for (file, (shown, awaited)) in pulled {
                let complete = until_abandoned(|| {
                    let snapshot = code.evaluate(&snapshot, file, Need::Findings).0;
                    let found = lofting_ide::diagnostics(&snapshot, file, &lofting_workspace::CancelFlag::new());
                    let (prepared, any) = code.prepare(&snapshot, file);
                    (prepared, found, any)
                });
                // The client asks again for what depends on a text that has changed.
                let Ok((prepared, found, any)) = complete else {
                    is_other = true;
                    continue;
                };
                is_other |= !awaited.give(&found) && found != shown;
                snapshot = prepared;
                is_new |= any;
            }
            if is_other {
                events.change("completed otherwise", |session| session.refresh_diagnostics());
            }
            if is_new {
                events.change("values are known", |session| session.refresh_shown());
            }
        };
        let over = |session: &mut Session| session.pulled.completing = None;
        self.workers.submit_until(Lane::Code, "complete", over, complete);
    }
}
