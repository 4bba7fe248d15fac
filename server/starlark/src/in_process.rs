//! The evaluator within the current process: for tests, never for untrusted workspaces.

use parking_lot::Mutex;
use std::collections::HashMap;

use lofting_eval::{
    Batch, Call, Data, EvalError, EvalErrorKind, Evaluated, Evaluation, EvaluationId, Evaluator, LibraryFiles,
};

use crate::{Bounds, KeptPortions, LoadedModules, Session, evaluate_with};

/// Evaluates in this process, with no limits but those inside the evaluator.
#[derive(Default)]
pub struct InProcess {
    sessions: Mutex<(u64, HashMap<u64, Session>)>,
    loaded: LoadedModules,
}

impl Evaluator for InProcess {
    fn evaluate(&self, evaluation: &Evaluation, files: &dyn LibraryFiles) -> Evaluated {
        let stop = || !files.is_wanted();
        let (mut evaluated, session) = evaluate_with(evaluation, files, &self.loaded, Bounds::default(), Some(&stop));
        if let Some(session) = session {
            let mut sessions = self.sessions.lock();
            sessions.0 += 1;
            let id = sessions.0;
            sessions.1.insert(id, session);
            evaluated.id = Some(EvaluationId(id));
        }
        evaluated
    }

    fn call_batch(&self, evaluation: EvaluationId, batch: &Batch<'_>) -> Vec<Result<Data, EvalError>> {
        let Batch { shared, calls, is_wanted } = *batch;
        let sessions = self.sessions.lock();
        match sessions.1.get(&evaluation.0) {
            Some(session) => {
                let shared: Vec<Data> = shared.iter().map(Data::unfolded).collect();
                let calls: Vec<Call> = calls.iter().map(Call::unfolded).collect();
                session.call(&KeptPortions::default(), &shared, &calls, Some(&|| !is_wanted()))
            }
            None => {
                let gone = EvalError::new(EvalErrorKind::Unavailable, "this evaluation is no longer kept");
                calls.iter().map(|_| Err(gone.clone())).collect()
            }
        }
    }

    fn release(&self, evaluation: EvaluationId) {
        self.sessions.lock().1.remove(&evaluation.0);
    }
}
