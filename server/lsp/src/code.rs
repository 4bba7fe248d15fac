//! Running code of users: what only the lane for it has.

use lofting_document::FileId;
use lofting_workspace::{Need, Runner, Snapshot};

use crate::event::EventSender;
use crate::outputs::Outputs;
use crate::view::View;

/// Runs code, and tells the loop what came out: it makes the next state of it.
#[derive(Clone)]
pub(crate) struct CodeRunner {
    runner: Runner,
    events: EventSender,
    /// What clients see of what templates render.
    pub(crate) outputs: Outputs,
}

impl CodeRunner {
    /// One for the workspace's evaluator.
    pub(crate) fn new(runner: Runner, events: EventSender) -> Self {
        Self { runner, events, outputs: Outputs::default() }
    }

    /// A later state in which all code has run that is needed for `file`, and whether any had to.
    pub(crate) fn evaluate(&self, snapshot: &Snapshot, file: FileId, need: Need) -> (Snapshot, bool) {
        let mut ran = false;
        let evaluated = snapshot.with_code(&[file], need, &self.runner, 1, &mut |evaluation| {
            ran = true;
            self.events.change("evaluated", move |session| {
                session.workspace.take_evaluation(evaluation);
            });
        });
        (evaluated, ran)
    }
}

/// A view for who may run code.
pub(crate) struct CodeView<'a> {
    /// The state.
    pub(crate) view: &'a View,
    /// Runs code.
    pub(crate) code: &'a CodeRunner,
}
