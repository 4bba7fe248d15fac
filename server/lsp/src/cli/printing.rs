//! What code prints.

use std::sync::Arc;

use lofting_eval::{Batch, Data, EvalError, Evaluated, Evaluation, EvaluationId, Evaluator, LibraryFiles};

use crate::terminal;

/// An evaluator that also writes what code prints to stderr, as ytt does. The lines of a template come together, before the
/// command's own messages.
pub(crate) struct Printing(pub(crate) Arc<dyn Evaluator>);

impl Evaluator for Printing {
    fn evaluate(&self, evaluation: &Evaluation, files: &dyn LibraryFiles) -> Evaluated {
        let evaluated = self.0.evaluate(evaluation, files);
        if !evaluated.printed.is_empty() {
            terminal::say(&terminal::lines(&evaluated.printed.join("\n")));
        }
        evaluated
    }

    fn call_batch(&self, evaluation: EvaluationId, batch: &Batch<'_>) -> Vec<Result<Data, EvalError>> {
        self.0.call_batch(evaluation, batch)
    }

    fn prepare(&self) {
        self.0.prepare();
    }

    fn release(&self, evaluation: EvaluationId) {
        self.0.release(evaluation);
    }
}
