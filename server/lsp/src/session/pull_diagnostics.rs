//! Clients that pull diagnostics get those that need no code at once, or after a short wait: most findings from code
//! still hold after an edit, and should not vanish and return at every keystroke. If code takes longer, it runs after
//! the answer, and the client is asked to pull again if that makes a difference. A hover waits for code as briefly, and
//! only for its first results.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use lofting_check::Diagnostic;
use lofting_document::FileId;
use lofting_workspace::{Need, Snapshot, until_abandoned};

use crate::awaited::{Awaited, AwaitedFindings, Lacked};
use crate::pool::Lane;
use crate::session::Session;

/// Answers that were given before code had run.
#[derive(Default)]
pub(crate) struct Pulled {
    waiting: HashMap<FileId, Waiting>,
    /// Since when some are being completed.
    completing: Option<Instant>,
}

/// What answers about a file lacked.
#[derive(Default)]
struct Waiting {
    /// The findings that the client gets without code.
    shown: Option<Arc<[Diagnostic]>>,
    /// The request that waits for complete ones.
    findings: Option<Arc<AwaitedFindings>>,
    /// Requests that wait for the state after the code.
    readers: Vec<Arc<Awaited<Snapshot>>>,
}

impl Waiting {
    /// Hands out what code gave; returns whether the client was shown something else.
    fn is_shown_otherwise(&self, found: &Arc<[Diagnostic]>, prepared: &Snapshot) -> bool {
        for reader in &self.readers {
            reader.give(prepared);
        }
        let in_time = self.findings.as_ref().is_some_and(|awaited| awaited.give(found));
        !in_time && self.shown.as_ref().is_some_and(|shown| found != shown)
    }
}

impl Session {
    /// Notes that an answer about a file lacks something. It is completed, and the client is asked to pull again if that
    /// was too late for the answer.
    pub(crate) fn complete(&mut self, file: FileId, lacked: Lacked) {
        // While slow code is running, each of many documents would wait in vain.
        let running = self.pulled.completing.map(|since| since.elapsed());
        let waiting = self.pulled.waiting.entry(file).or_default();
        match lacked {
            Lacked::Findings(shown, awaited) => {
                awaited.leave_after(running);
                (waiting.shown, waiting.findings) = (Some(shown), Some(awaited));
            }
            Lacked::Values(shown) => drop(waiting.shown.get_or_insert(shown)),
            Lacked::State(awaited) => {
                awaited.leave_after(running);
                waiting.readers.push(awaited);
            }
        }
    }

    /// Runs the code that answers lacked.
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
            for (file, waiting) in pulled {
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
                is_other |= waiting.is_shown_otherwise(&found, &prepared);
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
