//! Clients that pull diagnostics get at once what needs no code. What code says is found out behind it, and they are
//! asked to pull again if it makes a difference.

use std::collections::HashMap;
use std::sync::Arc;

use lofting_check::Diagnostic;
use lofting_document::FileId;
use lofting_workspace::Need;

use crate::event::OnDrop;
use crate::pool::{Job, Lane};
use crate::session::Session;

/// What was pulled before code has said the rest.
#[derive(Default)]
pub(crate) struct Pulled {
    /// The findings that the client got.
    waiting: HashMap<FileId, Arc<[Diagnostic]>>,
    /// Some are being completed.
    completing: bool,
}

impl Session {
    /// A client got findings of a file without what code says: that is found out, and the client asked to pull again.
    pub(crate) fn complete(&mut self, file: FileId, shown: Arc<[Diagnostic]>) {
        self.pulled.waiting.insert(file, shown);
    }

    /// Runs the code behind findings that were pulled without it.
    pub(crate) fn complete_pulled(&mut self) {
        if self.pulled.waiting.is_empty() || self.pulled.completing {
            return;
        }
        self.pulled.completing = true;
        let (pulled, snapshot) = (std::mem::take(&mut self.pulled.waiting), self.workspace.snapshot());
        let over = OnDrop::new(self.events.clone(), "completed", |session| session.pulled.completing = false);
        let (code, events) = (self.code.clone(), self.events.clone());
        let complete = move || {
            let _over = over;
            let mut snapshot = snapshot;
            let mut is_other = false;
            for (file, shown) in pulled {
                snapshot = code.evaluate(&snapshot, file, Need::Findings).0;
                let found = lofting_ide::diagnostics(&snapshot, file, &lofting_workspace::CancelFlag::new());
                is_other |= found != shown;
                if lofting_ide::reads_data_values(&snapshot, file) {
                    snapshot = code.evaluate(&snapshot, file, Need::Values).0;
                }
            }
            if is_other {
                events.change("completed otherwise", |session| session.refresh_diagnostics());
            }
        };
        self.pool.submit(Lane::Code, Job { name: "complete", run: Box::new(complete) });
    }
}
