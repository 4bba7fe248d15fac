//! Evaluations in the owner of the workspace: applies results, and forgets those that no longer hold.

use crate::evaluation::{Evaluation, Failure, Need, Runner};
use crate::findings::branch::BranchFindings;
use crate::findings::rendered::RenderFindings;
use crate::snapshot::Snapshot;
use crate::workspace::Workspace;
use lofting_document::FileId;
use lofting_memo::Stamp;
use std::path::Path;
use std::sync::Arc;

impl Workspace {
    /// Uses this evaluator from now on.
    pub fn set_evaluator(&mut self, evaluator: Arc<dyn lofting_eval::Evaluator>) {
        self.runner = Runner::new(evaluator);
        // Functions of earlier evaluations can no longer be called.
        self.forget_evaluations(|_| true);
        self.change().attempt = Stamp::next();
    }

    /// The runner, for callers that may wait for code.
    pub fn runner(&self) -> Runner {
        self.runner.clone()
    }

    /// Takes the result of running code over, if it still holds; returns whether it does. If what was read has changed,
    /// the code runs again when the new state is looked at.
    pub fn take_evaluation(&mut self, evaluation: Evaluation) -> bool {
        let Evaluation { file, sets, evaluated } = evaluation;
        let same_text = self.state.file(file).is_some_and(|known| evaluated.is_of(known));
        if !same_text || sets != self.state.sets.stamp || !evaluated.reads_hold_in(&self.state) {
            self.runner.forget(file);
            return false;
        }
        self.readers.add(file, evaluated.reads());
        self.change().evaluations.put(file, evaluated);
        true
    }

    /// Takes the findings of rendering over; returns whether they are new.
    pub fn take_render_findings(&mut self, found: RenderFindings) -> bool {
        for set in &found.too_large {
            let most = self.state.most_rendered;
            self.tell_once(format!(
                "The input set {set} has more files than an editor renders by itself (at most {most} in all open sets). What \
                 rendering finds is left to `lofting check --render`."
            ));
        }
        let is_other = !self.state.rendered.says_the_same(&found);
        if is_other {
            self.change().rendered = Arc::new(found);
        }
        is_other
    }

    /// Records what the current branch breaks in schemas; returns whether it is new.
    pub fn take_branch_findings(&mut self, found: BranchFindings) -> bool {
        let is_other = *self.state.branch != found;
        if is_other {
            self.change().branch = Arc::new(found);
        }
        is_other
    }

    /// A state in which all code that `files` need has run and whose functions can be called, for callers without an
    /// event loop: results are applied at once.
    pub fn evaluate(&mut self, files: &[FileId], need: Need, threads: usize) -> Snapshot {
        let mut reported = Vec::new();
        let snapshot = self.snapshot().with_code(files, need, &self.runner, threads, &mut |one| reported.push(one));
        for evaluation in reported {
            self.take_evaluation(evaluation);
        }
        snapshot
    }

    /// True once after running code was interrupted by the clock or by the end of its process. Then
    /// [`Workspace::run_interrupted_again`] may help after a while.
    pub fn take_interrupted(&self) -> bool {
        self.runner.take_interrupted()
    }

    /// Forgets interrupted evaluations, so that they run again when needed.
    pub fn run_interrupted_again(&mut self) {
        self.forget_evaluations(|failure| {
            failure.is_some_and(|failure| failure.error.kind == lofting_eval::EvalErrorKind::Interrupted)
        });
        self.change().attempt = Stamp::next();
    }

    /// Forgets the evaluations that ended in this way.
    fn forget_evaluations(&mut self, ended: impl Fn(Option<&Failure>) -> bool) {
        let ended = self.state.evaluations.iter().filter(|(_, evaluated)| ended(evaluated.error.as_ref()));
        let files: Vec<FileId> = ended.map(|(file, _)| file).collect();
        for file in files {
            self.forget_evaluation(file);
        }
    }

    /// Forgets the evaluations of files whose code read `path`, which has changed, and returns those files.
    pub(crate) fn run_again(&mut self, path: &Path) -> Vec<FileId> {
        self.runner.underway.changed(path);
        let mut readers = self.readers.take(path);
        readers.retain(|reader| self.forget_evaluation(*reader));
        readers
    }

    /// Forgets the evaluation of a file; returns whether there was one.
    pub(crate) fn forget_evaluation(&mut self, file: FileId) -> bool {
        self.runner.forget(file);
        // Usually there is none, and then the state need not change.
        self.state.evaluations.has(file) && self.change().evaluations.remove(file)
    }
}
