//! Remembers the answers of rule functions, so that after a keystroke only rules for changed values are called again.
//!
//! A function of a frozen module always gives the same answer for the same arguments (ytt's language has neither clock
//! nor randomness), so an answer holds as long as the evaluation that the function belongs to.

use lofting_check::Answer;
use lofting_document::Fingerprint;
use lofting_eval::EvaluationId;
use rustc_hash::FxHashMap;

/// After so many new answers of an evaluation, those are forgotten that were not asked for since as many before.
const MOST: usize = 900_000;

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
pub(crate) struct Answers {
    known: FxHashMap<EvaluationId, OfEvaluation>,
    /// [`MOST`], or fewer in tests.
    most: usize,
}

impl Default for Answers {
    fn default() -> Answers {
        Answers { known: FxHashMap::default(), most: MOST }
    }
}

/// Two generations, so that one answer too many does not make all of a file's values be asked about again.
#[derive(Default)]
struct OfEvaluation {
    recent: FxHashMap<Question, Answer>,
    earlier: FxHashMap<Question, Answer>,
}

impl Answers {
    /// The answer of an earlier call.
    pub(crate) fn get(&mut self, run: EvaluationId, question: Question) -> Option<Answer> {
        let known = self.known.get_mut(&run)?;
        if let Some(answer) = known.recent.get(&question) {
            return Some(answer.clone());
        }
        let answer = known.earlier.remove(&question)?;
        known.put(question, answer.clone(), self.most);
        Some(answer)
    }

    /// Remembers an answer.
    pub(crate) fn put(&mut self, run: EvaluationId, question: Question, answer: Answer) {
        // The reason why there is no answer may pass.
        if !matches!(answer, Answer::Unknown | Answer::Interrupted(_)) {
            self.known.entry(run).or_default().put(question, answer, self.most);
        }
    }

    /// Forgets an evaluation whose functions can no longer be called.
    pub(crate) fn forget(&mut self, run: EvaluationId) {
        self.known.remove(&run);
    }
}

impl OfEvaluation {
    fn put(&mut self, question: Question, answer: Answer, most: usize) {
        if self.recent.len() >= most {
            self.earlier = std::mem::take(&mut self.recent);
        }
        self.recent.insert(question, answer);
    }
}

#[cfg(test)]
mod tests {
    use super::{Answers, Question};
    use lofting_check::Answer;
    use lofting_eval::EvaluationId;

    const RUN: EvaluationId = EvaluationId(1);

    fn question(number: u32) -> Question {
        Question { handle: number, check: false, value: 0 }
    }

    #[test]
    fn what_is_asked_for_again_outlives_what_is_not() {
        let mut answers = Answers { most: 3, ..Answers::default() };
        for number in 0..30 {
            answers.put(RUN, question(number), Answer::True);
            assert_eq!(answers.get(RUN, question(0)), Some(Answer::True), "after {number}");
        }
        assert_eq!(answers.get(RUN, question(29)), Some(Answer::True));
        assert_eq!(answers.get(RUN, question(1)), None);
        let of_run = &answers.known[&RUN];
        assert!(of_run.recent.len() + of_run.earlier.len() <= 6);
    }
}
