//! Running code of users, which only the lane for code can do.

use std::sync::Arc;

use lofting_document::FileId;
use lofting_workspace::{Evaluation, Need, RenderFindings, Runner, Snapshot};

use crate::cancel::CancelFlag;

/// Runs code, and reports the results to the loop, which makes the next state from them.
#[derive(Clone)]
pub(crate) struct CodeRunner {
    runner: Runner,
    /// Runs code of input sets that are only assumed, apart from all others.
    assuming: Runner,
    /// Takes each result.
    take: Arc<dyn Fn(Evaluation) + Send + Sync>,
}

impl CodeRunner {
    /// A code runner with the workspace's evaluator, which hands each result to `take`.
    pub(crate) fn new(runner: Runner, take: impl Fn(Evaluation) + Send + Sync + 'static) -> Self {
        Self { assuming: runner.apart(), runner, take: Arc::new(take) }
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

    /// A later state in which all code has run that the calls of `file` need. `assumed`: they are those of an assumed
    /// set.
    pub(crate) fn evaluate_calls(&self, snapshot: &Snapshot, file: FileId, assumed: bool) -> Snapshot {
        let files = snapshot.output_inputs(file);
        if assumed {
            snapshot.with_code(&files, Need::Values, &self.assuming, 1, &mut |_| ())
        } else {
            snapshot.with_code(&files, Need::Values, &self.runner, 1, &mut |done| self.tell(done))
        }
    }

    /// A later state for hovers and hints about a file, so that these need not wait for code: its data values that it
    /// reads, and final values that it contributes to. Also whether any of it was unknown before.
    pub(crate) fn prepare(&self, snapshot: &Snapshot, file: FileId) -> (Snapshot, bool) {
        let (mut snapshot, mut is_new) = (snapshot.clone(), false);
        if lofting_ide::reads_data_values(&snapshot, file) {
            (snapshot, is_new) = self.evaluate(&snapshot, file, Need::Values);
        }
        if snapshot.waits_for_merged(file) {
            (snapshot, _) = self.evaluate(&snapshot, file, Need::Findings);
            snapshot.merged(file);
            is_new = true;
        }
        (snapshot, is_new)
    }

    /// The findings from rendering the input sets of files, and whether other code had to run first; None if cancelled.
    pub(crate) fn render_findings(
        &self,
        snapshot: &Snapshot,
        files: &[FileId],
        cancel: &CancelFlag,
    ) -> (Option<RenderFindings>, bool) {
        let mut ran = false;
        let mut reported = |evaluation| {
            ran = true;
            self.tell(evaluation);
        };
        let found = snapshot.render_findings(files, &self.runner, &mut reported, cancel.work());
        (found, ran)
    }

    fn tell(&self, evaluation: Evaluation) {
        (self.take)(evaluation);
    }
}
