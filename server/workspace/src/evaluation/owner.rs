//! What the owner of a workspace does with evaluations: takes them over, and forgets those that do not hold any more.

use super::{Evaluation, Failure, Need, Runner};
use crate::render::RenderFindings;
use crate::snapshot::Snapshot;
use crate::workspace::Workspace;
use lofting_document::FileId;
use lofting_memo::Stamp;
use std::path::Path;
use std::sync::Arc;

impl Workspace {
    /// Runs code of templates with this evaluator from now on; without one, code is unknown.
    pub fn set_evaluator(&mut self, evaluator: Arc<dyn lofting_eval::Evaluator>) {
        self.runner = Runner::new(evaluator);
        // Nobody answers any more for functions of earlier runs.
        self.forget_evaluations(|_| true);
        self.change().attempt = Stamp::next();
    }

    /// What runs code, for those who may wait for it.
    pub fn runner(&self) -> Runner {
        self.runner.clone()
    }

    /// Takes over what running code gave; whether it still holds: what was read may have changed meanwhile, and then
    /// who looks at the new state runs it again.
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

    /// Takes over what rendering found; whether it is something else than was known.
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

    /// A state with all code run that `files` need, whose functions can be called, for who has no loop: what was
    /// evaluated is taken over at once.
    pub fn evaluate(&mut self, files: &[FileId], need: Need, threads: usize) -> Snapshot {
        let mut told = Vec::new();
        let snapshot = self.snapshot().with_code(files, need, &self.runner, threads, &mut |one| told.push(one));
        for evaluation in told {
            self.take_evaluation(evaluation);
        }
        snapshot
    }

    /// True once after running code was interrupted: by the clock or by the end of what ran it, not by what it does.
    /// Then [`Workspace::run_interrupted_again`] may help, after a while.
    pub fn take_interrupted(&self) -> bool {
        self.runner.take_interrupted()
    }

    /// Forgets what was interrupted, so that it runs again when it is looked at.
    pub fn run_interrupted_again(&mut self) {
        self.forget_evaluations(|failure| {
            failure.is_some_and(|failure| failure.error.kind == lofting_eval::EvalErrorKind::Interrupted)
        });
        self.change().attempt = Stamp::next();
    }

    /// Forgets the runs that ended in such a way.
    fn forget_evaluations(&mut self, ended: impl Fn(Option<&Failure>) -> bool) {
        let ended = self.state.evaluations.iter().filter(|(_, evaluated)| ended(evaluated.error.as_ref()));
        let files: Vec<FileId> = ended.map(|(file, _)| file).collect();
        for file in files {
            self.forget_evaluation(file);
        }
    }

    /// Forgets what running code gave in files whose code read `path`. Returns those files.
    pub(crate) fn run_again(&mut self, path: &Path) -> Vec<FileId> {
        let mut readers = self.readers.take(path);
        readers.retain(|reader| self.forget_evaluation(*reader));
        readers
    }

    /// Forgets what running the code of a file gave; whether it was run.
    pub(crate) fn forget_evaluation(&mut self, file: FileId) -> bool {
        self.runner.forget(file);
        // At each key there is mostly none, and what is known of the state holds on.
        self.state.evaluations.has(file) && self.change().evaluations.remove(file)
    }
}
