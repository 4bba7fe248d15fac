//! Calls the rules of schemas through the evaluator.

use super::answers::Question;
use super::typed::typed_data;
use super::{Callbacks, Runner};
use lofting_check::{Answer, AssertionCall, Assertions, CallValue};
use lofting_document::Fingerprints;
use lofting_eval::{Call, Data, EvalError, EvalErrorKind, EvaluationId};
use lofting_template::{Shared, node_data};
use rustc_hash::FxHashMap;

/// Without a runner, every answer is unknown.
impl Assertions for Callbacks<'_> {
    fn call(&self, calls: &[AssertionCall<'_>]) -> Vec<Answer> {
        match self.runner {
            Some(runner) => runner.call(calls),
            None => vec![Answer::Unknown; calls.len()],
        }
    }
}

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
    /// Calls functions of one evaluation. Remembered calls are not repeated, and equal calls are made once.
    fn call_run<'c>(
        &self,
        run: EvaluationId,
        calls: impl Iterator<Item = (usize, &'c AssertionCall<'c>)>,
        answers: &mut [Answer],
    ) {
        let mut batch: Vec<Call> = Vec::new();
        let mut asked: Vec<(Option<Question>, &AssertionCall<'_>, Vec<usize>)> = Vec::new();
        let mut batched: FxHashMap<Question, usize> = FxHashMap::default();
        // Many conditions use the same document.
        let mut shared = Shared::default();
        let mut fingerprints = Fingerprints::default();
        {
            let known = self.answers();
            for (place, call) in calls {
                // A call that gets the whole document is repeated on every change.
                let question = call.context.is_none().then(|| Question {
                    handle: call.function.handle,
                    check: call.function.has_check,
                    value: match call.value {
                        CallValue::Node(value) => fingerprints.of(value),
                        CallValue::Long(value) => value.fingerprint,
                    },
                });
                let remembered = question.and_then(|question| known.get(run, question));
                if let (Some(answer), Some(slot)) = (remembered, answers.get_mut(place)) {
                    *slot = answer;
                    continue;
                }
                let same = question.and_then(|question| batched.get(&question));
                if let Some((.., places)) = same.and_then(|index| asked.get_mut(*index)) {
                    places.push(place);
                    continue;
                }
                if let Some(question) = question {
                    batched.insert(question, batch.len());
                }
                asked.push((question, call, vec![place]));
                batch.push(wire(call, &mut shared));
            }
        }
        if batch.is_empty() {
            return;
        }
        let given = self.ask(run, shared.values(), &batch);
        given.iter().filter_map(|answer| answer.as_ref().err()).for_each(|error| self.note(error));
        let mut known = self.answers();
        for ((question, call, places), answer) in asked.into_iter().zip(given) {
            let answer = read(answer, call);
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

impl Runner {
    /// Calls a batch of functions. If the worker died, nothing is known about any of the calls; then each function gets
    /// a batch of its own, so that one that needs too much does not affect the others.
    fn ask(&self, run: EvaluationId, shared: &[Data], batch: &[Call]) -> Vec<Result<Data, EvalError>> {
        let given = self.call_functions(run, shared, batch);
        let mut handles: Vec<u32> = batch.iter().map(|call| call.handle).collect();
        handles.sort_unstable();
        handles.dedup();
        if handles.len() < 2 || !is_stopped(&given) {
            return given;
        }
        let mut answers = given;
        let mut deaths = 0;
        for handle in handles {
            if deaths == MOST_DEATHS {
                break;
            }
            let places = || batch.iter().enumerate().filter(|(_, call)| call.handle == handle).map(|(place, _)| place);
            let own: Vec<Call> = places().filter_map(|place| batch.get(place)).cloned().collect();
            let given = self.call_functions(run, shared, &own);
            deaths += usize::from(is_stopped(&given));
            for (place, answer) in places().zip(given) {
                if let Some(slot) = answers.get_mut(place) {
                    *slot = answer;
                }
            }
        }
        answers
    }
}

/// How many workers may die for one batch before the rest of it stays open, because each takes its time.
const MOST_DEATHS: usize = 3;

/// Whether the calls ended together instead of separately.
fn is_stopped(answers: &[Result<Data, EvalError>]) -> bool {
    let stopped = |kind| matches!(kind, EvalErrorKind::Limit | EvalErrorKind::Interrupted);
    answers.iter().all(|answer| answer.as_ref().is_err_and(|error| stopped(error.kind)))
}

fn wire<'a>(call: &AssertionCall<'a>, shared: &mut Shared<'a>) -> Call {
    let argument = match (call.value, call.typed) {
        (CallValue::Node(value), Some((schema, id))) => typed_data(schema, id, value),
        (CallValue::Node(value), None) => node_data(value),
        (CallValue::Long(value), _) => value.data.clone(),
    };
    let mut arguments = vec![argument];
    if let Some(context) = call.context {
        let parent = context.parent.map_or(Data::None, |parent| shared.node(parent));
        let fields = vec![("parent".to_owned(), parent), ("root".to_owned(), shared.node(context.root))];
        arguments.push(Data::Struct(fields));
    }
    let attribute = call.function.has_check.then(|| "check".to_owned());
    Call { handle: call.function.handle, attribute, arguments }
}

/// Whether the same call may succeed later.
fn may_pass(kind: EvalErrorKind) -> bool {
    matches!(kind, EvalErrorKind::Interrupted | EvalErrorKind::Refused)
}

fn read(answer: Result<Data, EvalError>, call: &AssertionCall<'_>) -> Answer {
    match answer {
        Ok(result) => call.answer(&result),
        Err(error) if error.kind.is_error() => Answer::Failed(error.message),
        Err(error) if error.kind == EvalErrorKind::Unavailable => Answer::Unknown,
        Err(error) if may_pass(error.kind) => Answer::Interrupted(error.message),
        Err(error) => Answer::Stopped(error.message),
    }
}
