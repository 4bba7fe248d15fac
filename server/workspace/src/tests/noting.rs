//! An evaluator that reads one library for each file, makes nothing, and notes what ran.

use lofting_eval::{
    Batch, Data, EvalError, Evaluated, Evaluation, EvaluationId, Evaluator, Fragment, FragmentKind, LibraryFiles,
    Outcome,
};
use parking_lot::{Mutex, MutexGuard};

pub(super) struct Noting {
    /// The library that a file reads.
    library_of: fn(&str) -> String,
    ran: Mutex<Vec<String>>,
}

impl Noting {
    pub fn new(library_of: fn(&str) -> String) -> Noting {
        Noting { library_of, ran: Mutex::default() }
    }

    /// What ran, in order.
    pub fn ran(&self) -> MutexGuard<'_, Vec<String>> {
        self.ran.lock()
    }
}

impl Evaluator for Noting {
    fn evaluate(&self, evaluation: &Evaluation, files: &dyn LibraryFiles) -> Evaluated {
        let name = evaluation.program.path.clone();
        files.library(&(self.library_of)(&name));
        self.ran().push(name);
        let documents = Fragment { kind: FragmentKind::DocumentSet, items: Vec::new() };
        Evaluated {
            result: Ok(Outcome { documents, text: None, names: Vec::new(), loaded: Vec::new() }),
            id: None,
            printed: Vec::new(),
        }
    }

    fn call_batch(&self, _: EvaluationId, batch: &Batch<'_>) -> Vec<Result<Data, EvalError>> {
        batch.calls.iter().map(|_| Ok(Data::None)).collect()
    }

    fn release(&self, _: EvaluationId) {}
}
