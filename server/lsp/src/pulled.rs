//! Clients that pull diagnostics get those that need no code at once, or after a short wait: most findings from code
//! still hold after an edit, and should not vanish and return at every key. If code takes longer, it runs after the
//! answer, and the client is asked to pull again if that makes a difference.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use lofting_check::Diagnostic;
use lofting_document::FileId;
use lofting_workspace::Need;

use crate::cancel::CancelFlag;
use crate::event::OnDrop;
use crate::pool::{Job, Lane};
use crate::session::Session;

/// How long an answer waits for findings from code.
const MOMENT: Duration = Duration::from_millis(100);

/// How often to check whether the answer is still wanted.
const STEP: Duration = Duration::from_millis(5);

/// Findings that a request waits for, but only for a moment.
#[derive(Default)]
pub(crate) struct Awaited {
    state: Mutex<Await>,
    changed: Condvar,
}

#[derive(Default)]
enum Await {
    #[default]
    Waiting,
    Given(Arc<[Diagnostic]>),
    /// The request no longer waits: it was answered without them.
    Left,
}

impl Awaited {
    fn state(&self) -> MutexGuard<'_, Await> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The findings, if they arrive in time.
    pub(crate) fn wait(&self, cancel: &CancelFlag) -> Option<Arc<[Diagnostic]>> {
        let until = Instant::now() + MOMENT;
        let mut state = self.state();
        loop {
            if let Await::Given(found) = &*state {
                return Some(found.clone());
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() || cancel.is_set() || matches!(*state, Await::Left) {
                *state = Await::Left;
                return None;
            }
            (state, _) = self.changed.wait_timeout(state, left.min(STEP)).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Notes that they will not arrive in time.
    fn leave(&self) {
        *self.state() = Await::Left;
        self.changed.notify_all();
    }

    /// Sets the findings; returns whether a request has waited for them.
    fn give(&self, found: &Arc<[Diagnostic]>) -> bool {
        let mut state = self.state();
        if matches!(*state, Await::Left) {
            return false;
        }
        *state = Await::Given(found.clone());
        self.changed.notify_all();
        true
    }
}

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
        let over = OnDrop::new(self.events.clone(), "completed", |session| session.pulled.completing = None);
        let (code, events) = (self.code.clone(), self.events.clone());
        let complete = move || {
            let _over = over;
            let mut snapshot = snapshot;
            let mut is_new = pulled.keys().any(|file| snapshot.waits_for_merged(*file));
            let mut is_other = false;
            for (file, (shown, awaited)) in pulled {
                snapshot = code.evaluate(&snapshot, file, Need::Findings).0;
                let found = lofting_ide::diagnostics(&snapshot, file, &lofting_workspace::CancelFlag::new());
                is_other |= !awaited.give(&found) && found != shown;
                let (prepared, any) = code.prepare(&snapshot, file);
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
        self.pool.submit(Lane::Code, Job { name: "complete", run: Box::new(complete) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_in_time_is_answered_and_what_comes_late_is_told_to_be_late() {
        let (awaited, found) = (Awaited::default(), Arc::from([]));
        assert!(awaited.give(&found));
        assert!(awaited.wait(&CancelFlag::default()).is_some());
        // A request that no longer waits gets nothing.
        let (awaited, cancel) = (Awaited::default(), CancelFlag::default());
        cancel.make_stale();
        assert!(awaited.wait(&cancel).is_none());
        assert!(!awaited.give(&found));
        // Nor does a request wait for findings that will not come.
        let awaited = Awaited::default();
        awaited.leave();
        let asked = Instant::now();
        assert!(awaited.wait(&CancelFlag::default()).is_none());
        assert!(asked.elapsed() < MOMENT);
    }
}
