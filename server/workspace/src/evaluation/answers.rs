//! Remembers the answers of rule functions, so that after a keystroke only rules for changed values are called again.
//!
//! A function of a frozen module always gives the same answer for the same arguments (ytt's language has neither clock
//! nor randomness), so an answer holds as long as the evaluation that the function belongs to.

use lofting_check::Answer;
use lofting_document::Fingerprint;
use lofting_eval::EvaluationId;
use rustc_hash::FxHashMap;

/// When an evaluation has more answers than this, all are forgotten.
const MOST: usize = 200_000;

/// A call with one argument, within its evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Question {
    /// The function or object.
    pub handle: u32,
    /// Whether the attribute `check` of the object is called.
    pub check: bool,
    /// The argument.
    pub value: Fingerprint,
}

/// Remembered answers, by evaluation.
#[derive(Default)]
pub(crate) struct Answers(FxHashMap<EvaluationId, FxHashMap<Question, Answer>>);

impl Answers {
    /// The answer of an earlier call.
    pub(crate) fn get(&self, run: EvaluationId, question: Question) -> Option<Answer> {
        self.0.get(&run)?.get(&question).cloned()
    }

    /// Remembers an answer.
    pub(crate) fn put(&mut self, run: EvaluationId, question: Question, answer: Answer) {
        // The reason why there is no answer may pass.
        if matches!(answer, Answer::Unknown | Answer::Interrupted(_)) {
            return;
        }
        let known = self.0.entry(run).or_default();
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(question, answer);
    }

    /// Forgets an evaluation whose functions can no longer be called.
    pub(crate) fn forget(&mut self, run: EvaluationId) {
        self.0.remove(&run);
    }
}
