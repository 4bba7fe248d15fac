//! Calls the rules of schemas through the evaluator.

use super::answers::Question;
use super::typed::typed_data;
use super::{Callbacks, Runner};
use lofting_check::{Answer, AssertionCall, Assertions, CallValue};
use lofting_document::Fingerprints;
use lofting_eval::{Call, Data, EvalError, EvalErrorKind, EvaluationId};
use lofting_template::{Shared, node_data};
use rustc_hash::{FxHashMap, FxHashSet};

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

/// How many calls are made together, if nothing is shared between them: this bounds the memory that the calls for a long file
/// take, and what is lost if one of them is interrupted.
const PORTION: usize = 100_000;

/// Calls of one evaluation that are made together.
#[derive(Default)]
struct Portion<'c> {
    calls: Vec<Call>,
    /// What each of them answers, and the places of its answer.
    asked: Vec<(Option<Question>, &'c AssertionCall<'c>, Vec<usize>)>,
    /// The numbers of the calls.
    numbers: FxHashMap<Question, usize>,
    /// Many conditions use the same document.
    shared: Shared<'c>,
}

impl Runner {
    /// Calls functions of one evaluation. Remembered calls are not repeated, and equal calls are made once.
    fn call_run<'c>(
        &self,
        run: EvaluationId,
        calls: impl Iterator<Item = (usize, &'c AssertionCall<'c>)>,
        answers: &mut [Answer],
    ) {
        let mut fingerprints = Fingerprints::default();
        let mut portion = Portion::default();
        // What the functions said that were stopped in an earlier portion: each call takes all the time that it may.
        let mut stopped: FxHashMap<u32, Answer> = FxHashMap::default();
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
            let known = question.and_then(|question| self.answers().get(run, question));
            let known = known.or_else(|| stopped.get(&call.function.handle).cloned());
            if let (Some(answer), Some(slot)) = (known, answers.get_mut(place)) {
                *slot = answer;
                continue;
            }
            portion.add(question, call, place);
            if portion.calls.len() >= PORTION && portion.shared.values().is_empty() {
                self.call_portion(run, std::mem::take(&mut portion), answers, &mut stopped);
            }
        }
        self.call_portion(run, portion, answers, &mut stopped);
    }

    /// Calls a portion. Notes what functions say of which all calls were stopped.
    fn call_portion(
        &self,
        run: EvaluationId,
        portion: Portion<'_>,
        answers: &mut [Answer],
        stopped: &mut FxHashMap<u32, Answer>,
    ) {
        if portion.calls.is_empty() {
            return;
        }
        let given = self.ask(run, portion.shared.values(), &portion.calls);
        given.iter().filter_map(|answer| answer.as_ref().err()).for_each(|error| self.note(error));
        let mut known = self.answers();
        let mut answered = FxHashSet::default();
        for ((question, call, places), answer) in portion.asked.into_iter().zip(given) {
            let answer = read(answer, call);
            match answer {
                Answer::Stopped(_) | Answer::Interrupted(_) => {
                    stopped.entry(call.function.handle).or_insert_with(|| answer.clone());
                }
                _ => {
                    answered.insert(call.function.handle);
                }
            }
            for place in places {
                if let Some(slot) = answers.get_mut(place) {
                    slot.clone_from(&answer);
                }
            }
            if let Some(question) = question {
                known.put(run, question, answer);
            }
        }
        stopped.retain(|handle, _| !answered.contains(handle));
    }
}

impl<'c> Portion<'c> {
    fn add(&mut self, question: Option<Question>, call: &'c AssertionCall<'c>, place: usize) {
        let same = question.and_then(|question| self.numbers.get(&question));
        if let Some((.., places)) = same.and_then(|number| self.asked.get_mut(*number)) {
            places.push(place);
            return;
        }
        if let Some(question) = question {
            self.numbers.insert(question, self.calls.len());
        }
        self.asked.push((question, call, vec![place]));
        self.calls.push(wire(call, &mut self.shared));
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

#[cfg(test)]
mod tests {
    use super::PORTION;
    use crate::evaluation::Runner;
    use lofting_check::{Answer, AssertionCall, Assertions, CallValue};
    use lofting_document::{FileId, Node, NodeValue, Span};
    use lofting_eval::{
        Batch, Callable, Data, EvalError, EvalErrorKind, Evaluated, Evaluation, EvaluationId, Evaluator, LibraryFiles,
    };
    use parking_lot::Mutex;
    use std::sync::Arc;

    /// A function that stops the batch it is called in.
    const ENDLESS: u32 = 7;

    /// Notes the sizes of batches.
    #[derive(Default)]
    struct Counting(Mutex<Vec<usize>>);

    impl Evaluator for Counting {
        fn evaluate(&self, _: &Evaluation, _: &dyn LibraryFiles) -> Evaluated {
            Evaluated { result: Err(EvalError::new(EvalErrorKind::Unavailable, "none")), id: None, printed: Vec::new() }
        }

        fn call_batch(&self, _: EvaluationId, batch: &Batch<'_>) -> Vec<Result<Data, EvalError>> {
            self.0.lock().push(batch.calls.len());
            let is_stopped = batch.calls.iter().any(|call| call.handle == ENDLESS);
            let answer = || {
                let error = || EvalError::new(EvalErrorKind::Limit, "it took too long");
                (!is_stopped).then_some(Data::Bool(true)).ok_or_else(error)
            };
            batch.calls.iter().map(|_| answer()).collect()
        }

        fn release(&self, _: EvaluationId) {}
    }

    /// The answers to a call for each of some values, and how many calls each batch had.
    fn asked(handle: u32, values: usize) -> (Vec<Answer>, Vec<usize>) {
        let counting = Arc::new(Counting::default());
        let runner = Runner::new(counting.clone());
        let function = Callable {
            evaluation: EvaluationId(1),
            handle,
            type_name: "function".to_owned(),
            text: "<function f>".to_owned(),
            has_check: false,
            parameters: Some(1),
            made_with: Vec::new(),
        };
        let span = Span::new(FileId(0), 0..0);
        let nodes: Vec<Node> = (0..values).map(|number| Node::new(NodeValue::int(number as i64), span)).collect();
        let call =
            |node| AssertionCall { function: &function, value: CallValue::Node(node), context: None, typed: None };
        let answers = runner.call(&nodes.iter().map(call).collect::<Vec<_>>());
        let sizes = counting.0.lock().clone();
        (answers, sizes)
    }

    #[test]
    fn many_calls_are_made_in_portions() {
        let (answers, sizes) = asked(1, 2 * PORTION + 1);
        assert_eq!(sizes, [PORTION, PORTION, 1]);
        assert!(answers.iter().all(|answer| *answer == Answer::True));
    }

    #[test]
    fn what_was_stopped_is_not_called_in_further_portions() {
        let (answers, sizes) = asked(ENDLESS, 2 * PORTION + 1);
        assert_eq!(sizes, [PORTION]);
        assert!(answers.iter().all(|answer| *answer == Answer::Stopped("it took too long".to_owned())));
    }
}
