//! Calls the functions of overlay annotations through the evaluator.

use super::{Programs, Runner};
use crate::source::TextSource;
use lofting_check::Source;
use lofting_document::{Notes, Span};
use lofting_eval::{Call, Callable, Data, EvalError, EvalErrorKind, Frame};
use lofting_overlay::{Argument, Called, Fault, Function, Functions, Returned};
use lofting_template::{Compiled, NodePlace, Passed, Places, key_data, value_node};
use std::borrow::Cow;

/// The functions in annotations of some files.
pub(crate) struct Callbacks<'a> {
    pub texts: TextSource<'a>,
    /// None where code must not be waited for.
    pub runner: Option<&'a Runner>,
}

impl Functions for Callbacks<'_> {
    fn call(&self, function: &Function, calls: &[Vec<Argument<'_>>]) -> Vec<Called> {
        // The file was not evaluated yet, or there is no evaluator.
        let (Some(callable), Some(runner)) = (&function.callable, self.runner) else {
            return vec![Called::Unknown; calls.len()];
        };
        let mut passed = Passed::new(callable.evaluation);
        let batch: Vec<Call> = calls.iter().map(|arguments| wire(callable, arguments, &mut passed)).collect();
        let answers = runner.call_functions(callable.evaluation, passed.shared(), &batch);
        let programs = runner.programs(callable.evaluation);
        let places = CallPlaces { programs: programs.as_deref(), passed: &passed };
        let read = |(arguments, answer): (&Vec<Argument<'_>>, Result<Data, EvalError>)| match answer {
            Ok(data) => {
                let span = span_of(arguments).unwrap_or(function.span);
                let node = value_node(&data, callable.evaluation, span, &places);
                Called::Value(Returned { node, type_name: data.type_name().to_owned() })
            }
            Err(error) if error.kind.is_error() => {
                let place = |frame: Frame| Some((programs.as_ref()?.span_of(frame.place.as_ref()?)?, frame.function));
                let calls = error.frames.into_iter().filter_map(place).collect();
                Called::Failed(Fault { message: error.message, hint: error.hint, calls })
            }
            Err(error) if error.kind == EvalErrorKind::Unavailable => Called::Unknown,
            Err(error) => {
                runner.note(&error);
                Called::Stopped(error.message)
            }
        };
        calls.iter().zip(answers).map(read).collect()
    }

    fn source(&self, span: Span) -> Option<String> {
        self.texts.text(span).map(Cow::into_owned)
    }
}

fn wire<'a>(callable: &Callable, arguments: &[Argument<'a>], passed: &mut Passed<'a>) -> Call {
    let arguments = arguments.iter().map(|argument| match argument {
        Argument::Node(node) => passed.node(node),
        Argument::Key(key) => key_data(key),
        Argument::Number(number) => Data::int(*number as i128),
        Argument::None => Data::None,
    });
    Call { handle: callable.handle, attribute: None, arguments: arguments.collect() }
}

/// The place for results without one: the last node passed, which has the annotation.
fn span_of(arguments: &[Argument<'_>]) -> Option<Span> {
    arguments.iter().rev().find_map(|argument| match argument {
        Argument::Node(node) => Some(node.span),
        _ => None,
    })
}

/// The places of the parts of a result.
struct CallPlaces<'a> {
    programs: Option<&'a Programs>,
    passed: &'a Passed<'a>,
}

impl Places for CallPlaces<'_> {
    fn compiled(&self, path: &str) -> Option<&Compiled> {
        self.programs?.compiled(path)
    }

    fn passed(&self, item: u32) -> Option<(NodePlace, Notes)> {
        self.passed.item(item)
    }
}
