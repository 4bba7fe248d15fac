//! Running code of users, which only the lane for code can do.

use lofting_document::FileId;
use lofting_workspace::{Evaluation, Need, RenderFindings, Runner, Snapshot};

use crate::cancel::CancelFlag;
use crate::event::EventSender;
use crate::outputs::Outputs;
use crate::view::View;

/// Runs code, and reports the results to the loop, which makes the next state of them.
#[derive(Clone)]
pub(crate) struct CodeRunner {
    runner: Runner,
    events: EventSender,
    /// The rendered outputs as clients see them.
    pub(crate) outputs: Outputs,
}

impl CodeRunner {
    /// A code runner with the workspace's evaluator.
    pub(crate) fn new(runner: Runner, events: EventSender) -> Self {
        Self { runner, events, outputs: Outputs::default() }
    }

    /// A later state in which all code that `file` needs has run, and whether any had to.
    pub(crate) fn evaluate(&self, snapshot: &Snapshot, file: FileId, need: Need) -> (Snapshot, bool) {
        let mut ran = false;
        let evaluated = snapshot.with_code(&[file], need, &self.runner, 1, &mut |evaluation| {
            ran = true;
            self.tell(evaluation);
        });
        (evaluated, ran)
    }

    /// The findings from rendering the input sets of files, and whether other code had to run first; None if cancelled.
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

/// A view for work that may run code.
pub(crate) struct CodeView<'a> {
    /// The state.
    pub(crate) view: &'a View,
    /// Runs code.
    pub(crate) code: &'a CodeRunner,
}
