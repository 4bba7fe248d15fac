//! The runner: runs code, and keeps what the functions of evaluations need.

use super::Evaluated;
use super::LastRuns;
use super::answers::Answers;
use super::evaluate::Executed;
use super::{FilesOfCode, Underway};
use lofting_document::{FileId, Notes, Span};
use lofting_eval::{Batch, Call, CodeRange, Data, EvalError, EvalErrorKind, EvaluationId, Evaluator, NoEvaluator};
use lofting_template::{Compiled, FromLibraries, NodePlace, Places};
use parking_lot::{Mutex, MutexGuard};
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

/// Runs the code of users. A caller without a runner cannot wait for code.
#[derive(Clone)]
pub struct Runner {
    /// Runs code.
    pub(super) evaluator: Arc<dyn Evaluator>,
    /// The programs of evaluations whose functions may still be called.
    programs: Arc<Mutex<FxHashMap<EvaluationId, Arc<Programs>>>>,
    /// The answers of their functions.
    answers: Arc<Mutex<Answers>>,
    /// Something was interrupted since the last query.
    interrupted: Arc<AtomicBool>,
    /// The last result for each file, as long as a state has it or will have it.
    latest: Arc<Mutex<FxHashMap<FileId, Weak<Evaluated>>>>,
    /// What templates gave when they were last rendered.
    pub(crate) last_runs: LastRuns,
    /// What is evaluated now.
    pub(crate) underway: Underway,
}

impl Default for Runner {
    fn default() -> Self {
        Runner::new(Arc::new(NoEvaluator))
    }
}

impl Runner {
    pub(crate) fn new(evaluator: Arc<dyn Evaluator>) -> Runner {
        Runner {
            evaluator,
            programs: Arc::default(),
            answers: Arc::default(),
            interrupted: Arc::default(),
            latest: Arc::default(),
            last_runs: LastRuns::default(),
            underway: Underway::default(),
        }
    }

    /// A new runner with the same evaluator that shares no results: for states in which files belong to other input
    /// sets.
    #[must_use]
    pub fn apart(&self) -> Runner {
        Runner { underway: self.underway.clone(), ..Runner::new(self.evaluator.clone()) }
    }

    /// Notes an error that may not occur again.
    pub(crate) fn note(&self, error: &EvalError) {
        if error.kind == EvalErrorKind::Interrupted {
            self.interrupted.store(true, Ordering::Relaxed);
        }
    }

    /// Whether something was interrupted since the last query.
    pub(crate) fn take_interrupted(&self) -> bool {
        self.interrupted.swap(false, Ordering::Relaxed)
    }

    /// The answers of functions whose evaluations still exist.
    pub(super) fn answers(&self) -> MutexGuard<'_, Answers> {
        self.answers.lock()
    }

    /// The programs of an evaluation, for the places in results of its functions.
    pub(super) fn programs(&self, id: EvaluationId) -> Option<Arc<Programs>> {
        self.programs.lock().get(&id).cloned()
    }

    /// Calls functions of an evaluation. Ends the work that asks if their code got another text meanwhile.
    pub(super) fn call_functions(
        &self,
        run: EvaluationId,
        shared: &[Data],
        calls: &[Call],
    ) -> Vec<Result<Data, EvalError>> {
        let files = self.programs(run).map(|programs| programs.files.clone());
        let going = self.underway.begin(files.unwrap_or_default());
        let answers = self.evaluator.call_batch(run, &Batch { shared, calls, is_wanted: &|| going.is_wanted() });
        if !going.is_wanted() {
            lofting_memo::abandon();
        }
        answers
    }

    /// Keeps the functions of an evaluation callable until the lease is dropped.
    pub(super) fn lease(&self, id: EvaluationId, programs: Programs) -> Lease {
        self.programs.lock().insert(id, Arc::new(programs));
        Lease { runner: self.clone(), id }
    }

    /// The last result for a file. It may not be part of any state yet.
    pub(crate) fn latest(&self, file: FileId) -> Option<Arc<Evaluated>> {
        self.latest.lock().get(&file)?.upgrade()
    }

    pub(crate) fn set_latest(&self, file: FileId, evaluated: &Arc<Evaluated>) {
        self.latest.lock().insert(file, Arc::downgrade(evaluated));
    }

    /// Forgets the result for a file, so that it runs again.
    pub(crate) fn forget(&self, file: FileId) {
        self.latest.lock().remove(&file);
    }
}

/// Tells the evaluator when the functions of an evaluation are no longer needed.
pub(crate) struct Lease {
    runner: Runner,
    id: EvaluationId,
}

impl Drop for Lease {
    fn drop(&mut self) {
        // With them go the runs of libraries, and their leases.
        let programs = self.runner.programs.lock().remove(&self.id);
        drop(programs);
        self.runner.answers().forget(self.id);
        self.runner.evaluator.release(self.id);
    }
}

/// The programs of an evaluation: of the file and of the files it loaded, by their paths inside ytt.
pub(crate) struct Programs {
    pub(super) main: Compiled,
    pub(super) loaded: FxHashMap<String, Compiled>,
    /// The files that it loaded, of whatever kind, by their paths inside ytt.
    pub(super) files_loaded: FxHashMap<String, FileId>,
    /// What private libraries made for it.
    pub(super) from_libraries: FromLibraries,
    /// Runs of these libraries' templates, whose functions may be called.
    pub(super) of_libraries: Vec<Arc<Executed>>,
    /// The files of the code: an edit of one makes answers of its functions stale.
    pub(super) files: FilesOfCode,
}

impl Programs {
    /// A position of the evaluator as one of the workspace.
    pub(super) fn span_of(&self, place: &CodeRange) -> Option<Span> {
        let main = self.main.compiled(&place.path).map(|main| main.file);
        let file = main.or_else(|| self.files_loaded.get(&place.path).copied())?;
        Some(Span::new(file, place.start as usize..place.end as usize))
    }
}

impl Places for Programs {
    fn compiled(&self, path: &str) -> Option<&Compiled> {
        self.main.compiled(path).or_else(|| self.loaded.get(path))
    }

    fn library_item(&self, item: u32) -> Option<(NodePlace, Notes)> {
        self.from_libraries.item_of(item)
    }
}
