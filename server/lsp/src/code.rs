//! Running code of users: what only the lane for it has.

use lofting_document::FileId;
use lofting_workspace::{Evaluation, Need, RenderFindings, Runner, Snapshot};

use crate::cancel::CancelFlag;
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
            self.tell(evaluation);
        });
        (evaluated, ran)
    }

    /// What rendering the input sets of files finds, and whether other code had to run before; none if nobody wants to
    /// know it any more.
    pub(crate) fn render_findings(
        &self,
        snapshot: &Snapshot,
        files: &[FileId],
        cancel: &CancelFlag,
    ) -> (Option<RenderFindings>, bool) {
        let mut ran = false;
        let mut told = |evaluation| {
            ran = true;
            self.tell(evaluation);
        };
        let found = snapshot.render_findings(files, &self.runner, &mut told, cancel.work());
        (found, ran)
    }

    fn tell(&self, evaluation: Evaluation) {
        self.events.change("evaluated", move |session| {
            session.workspace.take_evaluation(evaluation);
        });
    }
}

/// A view for who may run code.
pub(crate) struct CodeView<'a> {
    /// The state.
    pub(crate) view: &'a View,
    /// Runs code.
    pub(crate) code: &'a CodeRunner,
}
