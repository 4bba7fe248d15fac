//! What functions of rules answered before: after a keystroke only rules of values that changed are asked again.
//!
//! A function of a frozen module always answers the same for the same arguments (ytt's language has neither
//! clock nor chance), so an answer holds as long as the run that the function belongs to.

use lofting_check::Answer;
use lofting_document::Fingerprint;
use lofting_eval::EvaluationId;
use rustc_hash::FxHashMap;

/// Answers of one run beyond which all are forgotten.
const MOST: usize = 200_000;

/// A call of one argument, among those of its run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Question {
    /// The function or object.
    pub handle: u32,
    /// Whether its `check` is called.
    pub check: bool,
    /// The argument.
    pub value: Fingerprint,
}

/// Remembered answers by run.
#[derive(Default)]
pub(crate) struct Answers(FxHashMap<EvaluationId, FxHashMap<Question, Answer>>);

impl Answers {
    /// The answer to a call that was made before.
    pub(crate) fn get(&self, run: EvaluationId, question: Question) -> Option<Answer> {
        self.0.get(&run)?.get(&question).cloned()
    }

    /// Remembers an answer.
    pub(crate) fn put(&mut self, run: EvaluationId, question: Question, answer: Answer) {
        // Why it could not be asked may pass.
        if matches!(answer, Answer::Unknown | Answer::Interrupted(_)) {
            return;
        }
        let known = self.0.entry(run).or_default();
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(question, answer);
    }

    /// Forgets a run whose functions can no longer be called.
    pub(crate) fn forget(&mut self, run: EvaluationId) {
        self.0.remove(&run);
    }
}
