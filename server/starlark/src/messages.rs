//! Turns failures of the interpreter into those of the interface, and locates them in the source files.

use lofting_eval::{CodeRange, EvalError, EvalErrorKind, Frame, LOADING};
use lofting_interpreter::{CodePlace, Failure, FailureKind};

use crate::failure::{LoadFailure, NodeFailure};
use crate::host::Sources;
use crate::rewrite::RewriteError;

/// Explains a failure of an evaluation.
pub(crate) fn explain(failure: &Failure, sources: &Sources) -> EvalError {
    let kind = match failure.kind() {
        FailureKind::Syntax => EvalErrorKind::Syntax,
        FailureKind::Name => EvalErrorKind::Name,
        FailureKind::Runtime => EvalErrorKind::Runtime,
        FailureKind::Unsupported => EvalErrorKind::Unsupported,
        FailureKind::Limit => EvalErrorKind::Limit,
        FailureKind::Interrupted => EvalErrorKind::Interrupted,
    };
    let mut frames = frames(failure, sources);
    let message = failure.message().to_owned();
    if let Some(NodeFailure { file, node }) = failure.cause() {
        let range = node_place(*file, *node, sources);
        frames.retain(|frame| frame.place.is_some());
        frames.insert(0, Frame { function: "<toplevel>".to_owned(), place: range });
        return EvalError { kind, message, hint: None, frames, also: Vec::new() };
    }
    if let Some(LoadFailure { inner, loading }) = failure.cause() {
        if *loading {
            frames.iter_mut().take(1).for_each(|frame| LOADING.clone_into(&mut frame.function));
        }
        frames.extend(inner.frames.iter().cloned());
        return EvalError { kind: inner.kind, message, hint: inner.hint.clone(), frames, also: Vec::new() };
    }
    EvalError { kind, message, hint: failure.hint().map(str::to_owned), frames, also: Vec::new() }
}

/// Explains why code cannot be compiled: the first failure, with the others of its kind.
pub(crate) fn explain_all(failures: &[Failure], sources: &Sources) -> EvalError {
    let mut explained = failures.iter().map(|failure| explain(failure, sources));
    let unknown = || EvalError::new(EvalErrorKind::Unsupported, "unknown failure");
    let mut first = explained.next().unwrap_or_else(unknown);
    let mut seen = vec![first.message.clone()];
    for other in explained.filter(|other| other.kind == first.kind) {
        // A name that is used several times is reported once.
        if first.also.len() < MAX_ALSO && !seen.contains(&other.message) {
            seen.push(other.message.clone());
            first.also.push(other);
        }
    }
    first
}

/// How many undefined names are reported after the first one.
const MAX_ALSO: usize = 20;

/// Whether the program may catch the failure: it must not catch our limits.
pub(crate) fn may_be_caught(failure: &Failure, sources: &Sources) -> bool {
    explain(failure, sources).kind.is_error()
}

/// Explains an error of the rewriting.
pub(crate) fn explain_rewrite(error: RewriteError, sources: &Sources) -> EvalError {
    let mut result = error.error;
    let place = error.origin.and_then(|(file, range)| sources.place(file, range));
    result.frames = vec![Frame { function: "<toplevel>".to_owned(), place }];
    result
}

fn frames(failure: &Failure, sources: &Sources) -> Vec<Frame> {
    let place = |place: Option<CodePlace>| place.and_then(|place| place_of(place, sources));
    let frames = failure.frames().iter();
    let mut frames: Vec<Frame> =
        frames.map(|frame| Frame { function: frame.function.to_string(), place: place(frame.place) }).collect();
    frames.push(Frame { function: "<toplevel>".to_owned(), place: place(failure.place()) });
    // Built-in functions have no place in the source, so the failure is located at the call.
    if let [first, second, ..] = frames.as_mut_slice()
        && first.place.is_none()
    {
        first.place = second.place.clone();
    }
    frames
}

/// The source of a node of a template.
pub(crate) fn node_place(file: u32, node: u32, sources: &Sources) -> Option<CodeRange> {
    let (start, end) = sources.get(file)?.program?.nodes.get(node as usize)?.range;
    sources.place(file, start..end)
}

/// The source of a part of generated text.
pub(crate) fn place_of(place: CodePlace, sources: &Sources) -> Option<CodeRange> {
    let entry = sources.get(place.file)?;
    let (file, range) = entry.mapped.origin(place.start as usize..place.end as usize)?;
    sources.place(file, range)
}
