//! Rules of schemas asked through the evaluator.

use crate::answers::Question;
use crate::evaluate::Runner;
use lofting_check::{Answer, AssertionCall, Assertions};
use lofting_document::Fingerprints;
use lofting_eval::{Call, Data, EvalError, EvaluationId};
use lofting_template::{Shared, node_data};
use rustc_hash::FxHashMap;

impl Assertions for Runner {
    fn call(&self, calls: &[AssertionCall<'_>]) -> Vec<Answer> {
        let mut answers = vec![Answer::Unknown; calls.len()];
        let mut runs: Vec<EvaluationId> = calls.iter().map(|call| call.function.evaluation).collect();
        runs.sort_by_key(|id| id.0);
        runs.dedup();
        for run in runs {
            let own = calls.iter().enumerate().filter(|(_, call)| call.function.evaluation == run);
            self.call_run(run, own, &mut answers);
        }
        answers
    }
}

impl Runner {
    /// Calls functions of one run: what is remembered is not asked again, and equal calls are asked once.
    fn call_run<'c>(
        &self,
        run: EvaluationId,
        calls: impl Iterator<Item = (usize, &'c AssertionCall<'c>)>,
        answers: &mut [Answer],
    ) {
        let mut batch: Vec<Call> = Vec::new();
        let mut asked: Vec<(Option<Question>, Vec<usize>)> = Vec::new();
        let mut batched: FxHashMap<Question, usize> = FxHashMap::default();
        // Many conditions look at one document.
        let mut shared = Shared::default();
        let mut fingerprints = Fingerprints::default();
        {
            let known = self.answers();
            for (place, call) in calls {
                // What looks at the whole document is asked again whenever anything changes.
                let question = call.context.is_none().then(|| Question {
                    handle: call.function.handle,
                    check: call.function.has_check,
                    value: fingerprints.of(call.value),
                });
                let remembered = question.and_then(|question| known.get(run, question));
                if let (Some(answer), Some(slot)) = (remembered, answers.get_mut(place)) {
                    *slot = answer;
                    continue;
                }
                let same = question.and_then(|question| batched.get(&question));
                if let Some((_, places)) = same.and_then(|index| asked.get_mut(*index)) {
                    places.push(place);
                    continue;
                }
                if let Some(question) = question {
                    batched.insert(question, batch.len());
                }
                asked.push((question, vec![place]));
                batch.push(wire(call, &mut shared));
            }
        }
        if batch.is_empty() {
            return;
        }
        let given = self.evaluator.call_sharing(run, shared.values(), &batch);
        let mut known = self.answers();
        for ((question, places), answer) in asked.into_iter().zip(given) {
            let answer = read(answer);
            for place in places {
                if let Some(slot) = answers.get_mut(place) {
                    slot.clone_from(&answer);
                }
            }
            if let Some(question) = question {
                known.put(run, question, answer);
            }
        }
    }
}

fn wire<'a>(call: &AssertionCall<'a>, shared: &mut Shared<'a>) -> Call {
    let mut arguments = vec![node_data(call.value)];
    if let Some(context) = call.context {
        let parent = context.parent.map_or(Data::None, |parent| shared.node(parent));
        let fields = vec![("parent".to_owned(), parent), ("root".to_owned(), shared.node(context.root))];
        arguments.push(Data::Struct(fields));
    }
    let attribute = call.function.has_check.then(|| "check".to_owned());
    Call { handle: call.function.handle, attribute, arguments }
}

fn read(answer: Result<Data, EvalError>) -> Answer {
    match answer {
        Ok(Data::Bool(true)) => Answer::True,
        Ok(Data::Bool(false)) => Answer::False,
        Ok(other) => Answer::Other(other.type_name().to_owned()),
        Err(error) if error.kind.is_error() => Answer::Failed(error.message),
        Err(_) => Answer::Unknown,
    }
}
