//! Rules of schemas asked through the evaluator.

use crate::evaluate::Runner;
use lofting_check::{Answer, AssertionCall, Assertions};
use lofting_eval::{Call, Data, EvalError, EvaluationId};
use lofting_template::node_data;

impl Assertions for Runner {
    fn call(&self, calls: &[AssertionCall<'_>]) -> Vec<Answer> {
        let mut answers = vec![Answer::Unknown; calls.len()];
        let mut evaluations: Vec<EvaluationId> = calls.iter().map(|call| call.function.evaluation).collect();
        evaluations.sort_by_key(|id| id.0);
        evaluations.dedup();
        for evaluation in evaluations {
            let (places, batch): (Vec<usize>, Vec<Call>) = calls
                .iter()
                .enumerate()
                .filter(|(_, call)| call.function.evaluation == evaluation)
                .map(|(place, call)| (place, wire(call)))
                .unzip();
            for (place, answer) in places.into_iter().zip(self.evaluator.call(evaluation, &batch)) {
                if let Some(slot) = answers.get_mut(place) {
                    *slot = read(answer);
                }
            }
        }
        answers
    }
}

fn wire(call: &AssertionCall<'_>) -> Call {
    let mut arguments = vec![node_data(call.value)];
    if let Some(context) = call.context {
        let parent = context.parent.map_or(Data::None, node_data);
        let fields = vec![("parent".to_owned(), parent), ("root".to_owned(), node_data(context.root))];
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
