//! Translates errors of the Starlark crate into ytt's words, and locates them in the source files.

use lofting_eval::{CodeRange, EvalError, EvalErrorKind, Frame};
use starlark::{Error, ErrorKind};
use starlark_syntax::codemap::FileSpan;

use crate::failure::{Failure, Limit, LoadFailure, NodeFailure, Unsupported};
use crate::host::Sources;
use crate::rewrite::RewriteError;
use crate::words::{self, is_ours};

/// Explains an error of an evaluation.
pub(crate) fn explain(error: &Error, sources: &Sources) -> EvalError {
    let (kind, cause) = match error.kind() {
        ErrorKind::Fail(cause) => (EvalErrorKind::Runtime, cause),
        ErrorKind::StackOverflow(cause) => (EvalErrorKind::Limit, cause),
        ErrorKind::Scope(cause) => (EvalErrorKind::Name, cause),
        ErrorKind::Parser(cause) => (EvalErrorKind::Syntax, cause),
        ErrorKind::Internal(cause) => (EvalErrorKind::Unsupported, cause),
        ErrorKind::Value(cause)
        | ErrorKind::Function(cause)
        | ErrorKind::Freeze(cause)
        | ErrorKind::Native(cause)
        | ErrorKind::Other(cause) => (EvalErrorKind::Runtime, cause),
        _ => return EvalError::new(EvalErrorKind::Unsupported, "unknown failure"),
    };
    let mut frames = frames(error, sources);
    let text = cause.to_string();
    if let Some(failure) = cause.downcast_ref::<NodeFailure>() {
        let range = sources.get(failure.file).and_then(|file| file.program).and_then(|program| {
            let (start, end) = program.nodes.get(failure.node as usize)?.range;
            sources.place(failure.file, start..end)
        });
        frames.retain(|frame| frame.place.is_some());
        frames.insert(0, Frame { function: "<toplevel>".to_owned(), place: range });
        return EvalError { kind, message: text, hint: None, frames, also: Vec::new() };
    }
    if let Some(failure) = cause.downcast_ref::<LoadFailure>() {
        let inner = &failure.inner;
        frames.extend(inner.frames.iter().cloned());
        return EvalError {
            kind: inner.kind,
            message: failure.message.clone(),
            hint: inner.hint.clone(),
            frames,
            also: Vec::new(),
        };
    }
    if cause.downcast_ref::<Unsupported>().is_some() {
        return EvalError { kind: EvalErrorKind::Unsupported, message: text, hint: None, frames, also: Vec::new() };
    }
    if cause.downcast_ref::<Limit>().is_some() {
        return EvalError { kind: EvalErrorKind::Limit, message: text, hint: None, frames, also: Vec::new() };
    }
    if cause.downcast_ref::<Failure>().is_some() {
        return EvalError { kind, message: text, hint: None, frames, also: Vec::new() };
    }
    if let Some(limit) = limit(&text) {
        return EvalError {
            kind: EvalErrorKind::Limit,
            message: limit.to_owned(),
            hint: None,
            frames,
            also: Vec::new(),
        };
    }
    // Sizes are limited to 32 bits here, but not in ytt.
    if text.contains("fit in i32") || text.contains("for parameter") && has_large_number(&text) {
        let message = "numbers of this size cannot be evaluated here".to_owned();
        return EvalError { kind: EvalErrorKind::Unsupported, message, hint: None, frames, also: Vec::new() };
    }
    let code = error.span().map(|span| span.source_span().to_owned()).unwrap_or_default();
    let (message, hint) = words::translate(kind, &text, &code);
    EvalError { kind, message, hint, frames, also: Vec::new() }
}

/// The text of an error that the program catches (`assert.try_to`).
pub(crate) fn caught(error: &Error, sources: &Sources) -> String {
    explain(error, sources).message
}

/// Whether the program may catch the error: it must not catch our limits.
pub(crate) fn may_be_caught(error: &Error, sources: &Sources) -> bool {
    explain(error, sources).kind.is_error()
}

/// Explains an error of the rewriting.
pub(crate) fn explain_rewrite(error: RewriteError, sources: &Sources) -> EvalError {
    let mut result = error.error;
    let place = error.origin.and_then(|(file, range)| sources.place(file, range));
    result.frames = vec![Frame { function: "<toplevel>".to_owned(), place }];
    result
}

fn frames(error: &Error, sources: &Sources) -> Vec<Frame> {
    let stack = error.call_stack().clone().into_frames();
    let mut frames = Vec::new();
    let mut place = error.span().and_then(|span| place_of(span, sources));
    // The stack is outermost first; each frame has a function and the place of the call.
    for frame in stack.iter().rev() {
        if !is_ours(&frame.name) {
            frames.push(Frame { function: frame.name.clone(), place });
        } else if let Some(Frame { place: inner @ None, .. }) = frames.last_mut() {
            *inner = place;
        }
        place = frame.location.as_ref().and_then(|span| place_of(span, sources));
    }
    frames.push(Frame { function: "<toplevel>".to_owned(), place });
    // Built-in functions have no place in the source, so the error is located at the call.
    if frames.first().is_some_and(|frame| frame.place.is_none()) && frames.len() > 1 {
        let next = frames.get(1).and_then(|frame| frame.place.clone());
        if let Some(first) = frames.first_mut() {
            first.place = next;
        }
    }
    frames
}

/// The source of a span of generated text.
pub(crate) fn place_of(span: &FileSpan, sources: &Sources) -> Option<CodeRange> {
    let file: u32 = span.filename().parse().ok()?;
    let entry = sources.get(file)?;
    let range = span.span.begin().get() as usize..span.span.end().get() as usize;
    let (file, range) = entry.mapped.origin(range)?;
    sources.place(file, range)
}

fn limit(text: &str) -> Option<&'static str> {
    let cases = [
        ("xecution duration limit", "evaluation was stopped: too many steps"),
        ("eap memory limit", "evaluation was stopped: too much memory"),
        ("call stack overflow", "evaluation was stopped: the calls are nested too deeply"),
        ("oo many recursion levels", "evaluation was stopped: the values are nested too deeply to be compared"),
        ("ancelled", "evaluation was stopped: it took too long"),
    ];
    cases.iter().find(|(mark, _)| text.contains(mark)).map(|(_, message)| *message)
}

/// Whether the text contains a number of more than 32 bits.
fn has_large_number(text: &str) -> bool {
    let numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty());
    numbers.into_iter().any(|digits| digits.parse::<u64>().map_or(true, |number| number > i32::MAX as u64))
}
