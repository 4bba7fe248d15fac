//! What runs code, and keeps what functions of runs need.

use super::Evaluated;
use super::answers::Answers;
use lofting_document::FileId;
use lofting_eval::{EvalError, EvalErrorKind, EvaluationId, Evaluator, NoEvaluator};
use lofting_template::{Compiled, FromLibraries, NodePlace, Places};
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// What runs code of users. Whoever has none cannot wait for code.
#[derive(Clone)]
pub struct Runner {
    /// Runs code.
    pub(super) evaluator: Arc<dyn Evaluator>,
    /// The programs of runs whose functions may still be called.
    programs: Arc<Mutex<FxHashMap<EvaluationId, Arc<Programs>>>>,
    /// What their functions answered.
    answers: Arc<Mutex<Answers>>,
    /// Something was interrupted since anybody looked.
    interrupted: Arc<AtomicBool>,
    /// What was evaluated last of each file, as long as a state has it or it is on the way to one.
    latest: Arc<Mutex<FxHashMap<FileId, Weak<Evaluated>>>>,
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
        }
    }

    /// Notes how something ended that may end otherwise when it is asked again.
    pub(crate) fn note(&self, error: &EvalError) {
        if error.kind == EvalErrorKind::Interrupted {
            self.interrupted.store(true, Ordering::Relaxed);
        }
    }

    /// Whether something was interrupted since this was asked last.
    pub(crate) fn take_interrupted(&self) -> bool {
        self.interrupted.swap(false, Ordering::Relaxed)
    }

    /// What functions of runs that still last answered.
    pub(super) fn answers(&self) -> MutexGuard<'_, Answers> {
        lock(&self.answers)
    }

    /// The programs that a run is made of, for the places of what its functions return.
    pub(super) fn programs(&self, id: EvaluationId) -> Option<Arc<Programs>> {
        lock(&self.programs).get(&id).cloned()
    }

    /// Keeps a run's functions callable as long as the lease lives.
    pub(super) fn lease(&self, id: EvaluationId, programs: Programs) -> Lease {
        lock(&self.programs).insert(id, Arc::new(programs));
        Lease { runner: self.clone(), id }
    }

    /// What was evaluated last of a file. Between its end and the state that has it, others may ask for the same.
    pub(super) fn latest(&self, file: FileId) -> Option<Arc<Evaluated>> {
        lock(&self.latest).get(&file)?.upgrade()
    }

    pub(super) fn set_latest(&self, file: FileId, evaluated: &Arc<Evaluated>) {
        lock(&self.latest).insert(file, Arc::downgrade(evaluated));
    }

    /// Forgets what was evaluated of a file: it is to run again.
    pub(crate) fn forget(&self, file: FileId) {
        lock(&self.latest).remove(&file);
    }
}

/// Who panicked with the lock left a whole map behind.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tells the evaluator when nobody needs a run's functions any more.
pub(crate) struct Lease {
    runner: Runner,
    id: EvaluationId,
}

impl Drop for Lease {
    fn drop(&mut self) {
        lock(&self.runner.programs).remove(&self.id);
        self.runner.answers().forget(self.id);
        self.runner.evaluator.release(self.id);
    }
}

/// The programs of a run: the file's own and those of the files it loaded, by their paths inside ytt.
pub(crate) struct Programs {
    pub(super) main: Compiled,
    pub(super) loaded: FxHashMap<String, Compiled>,
    /// What private libraries made for it.
    pub(super) from_libraries: FromLibraries,
}

impl Places for Programs {
    fn compiled(&self, path: &str) -> Option<&Compiled> {
        self.main.compiled(path).or_else(|| self.loaded.get(path))
    }

    fn library_item(&self, item: u32) -> Option<NodePlace> {
        self.from_libraries.place(item)
    }
}
