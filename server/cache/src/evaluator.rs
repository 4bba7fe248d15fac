//! An evaluator that looks into the folder before it runs code.

use std::sync::Arc;

use lofting_eval::{Batch, Data, EvalError, Evaluated, Evaluation, EvaluationId, Evaluator, LibraryFiles};

use crate::question::AskedOnce;
use crate::store::{KeptResult, Store};

/// Uses results that are kept, and keeps those of code that another evaluator runs.
///
/// What is kept are results without an error. Left out is code whose functions may be called afterwards, or that called
/// some of other code: a function lives in the process that runs it.
pub struct CachedEvaluator {
    inner: Arc<dyn Evaluator>,
    store: Arc<Store>,
}

impl CachedEvaluator {
    /// Code without a kept result is run by `inner`.
    pub fn new(inner: Arc<dyn Evaluator>, store: Arc<Store>) -> Self {
        CachedEvaluator { inner, store }
    }
}

impl Evaluator for CachedEvaluator {
    fn evaluate(&self, evaluation: &Evaluation, files: &dyn LibraryFiles) -> Evaluated {
        let Some(entry) = self.store.entry(evaluation) else { return self.inner.evaluate(evaluation, files) };
        let asked = AskedOnce::new(files);
        let holds = |kept: &KeptResult| kept.asked.iter().all(|(question, answer)| asked.has(question, answer));
        if let Some(kept) = entry.kept.iter().find(|kept| holds(kept)) {
            return Evaluated { result: Ok(kept.outcome.clone()), id: None, printed: kept.printed.clone() };
        }
        let evaluated = self.inner.evaluate(evaluation, &asked);
        if let (Ok(outcome), None, Some(asked)) = (&evaluated.result, evaluated.id, asked.into_order()) {
            entry.keep(KeptResult { asked, outcome: outcome.clone(), printed: evaluated.printed.clone() });
        }
        evaluated
    }

    fn call_batch(&self, evaluation: EvaluationId, batch: &Batch<'_>) -> Vec<Result<Data, EvalError>> {
        self.inner.call_batch(evaluation, batch)
    }

    fn prepare(&self) {
        // What is needed may be kept.
    }

    fn release(&self, evaluation: EvaluationId) {
        self.inner.release(evaluation);
    }
}
