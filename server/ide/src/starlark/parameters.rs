//! The names of the parameters of positional arguments.

use super::language;
use super::view::{CodeView, Known};
use lofting_document::FileId;
use lofting_eval::code::{CallArgument, Code, Term, TermKind};
use lofting_workspace::Snapshot;
use std::ops::Range;

/// The arguments of the calls that `range` (bytes) touches: where each begins, and its parameter. None for calls with a
/// single argument, and none for arguments with the name of their parameter: these are easy to read.
pub(crate) fn parameter_names(snapshot: &Snapshot, file: FileId, range: &Range<usize>) -> Vec<(usize, String)> {
    let code = snapshot.code(file);
    let is_asked = |term: &Term| {
        let touches = term.range.start < range.end && range.start < term.range.end;
        touches && matches!(&term.kind, TermKind::Call { arguments, .. } if places(arguments).nth(1).is_some())
    };
    if !code.terms.iter().any(is_asked) {
        return Vec::new();
    }
    let view = CodeView::new(snapshot, file, code);
    let mut found = Vec::new();
    for term in view.code.terms.iter().filter(|term| is_asked(term)) {
        let TermKind::Call { function, arguments, .. } = &term.kind else { continue };
        let names = view.known(*function).map(names).unwrap_or_default();
        for (argument, name) in places(arguments).zip(names) {
            let Some(value) = view.code.term(argument.value) else { continue };
            if !value.range.is_empty() && !is_called(&view.code, argument, &name) {
                found.push((value.range.start, name));
            }
        }
    }
    found
}

/// The positional arguments. After `*rest` it is not known which parameter is meant.
fn places(arguments: &[CallArgument]) -> impl Iterator<Item = &CallArgument> {
    arguments.iter().take_while(|argument| argument.name.is_none() && !argument.starred)
}

/// The parameters in their order, up to one that takes several arguments.
fn names(of: Known) -> Vec<String> {
    match of {
        Known::Function(_, function) => {
            let parameters = function.parameters.into_iter().take_while(|parameter| !parameter.starred);
            parameters.map(|parameter| parameter.name).collect()
        }
        Known::Member(_, member) | Known::Builtin(member) => {
            let signature = member.signature();
            let parts = language::parameters(&signature).into_iter().filter_map(|range| signature.get(range));
            let names = parts.take_while(|part| !part.starts_with('*'));
            names.map(|part| part.split('=').next().unwrap_or_default().trim().to_owned()).collect()
        }
        Known::Module(_) | Known::Variable(..) => Vec::new(),
    }
}

/// Whether an argument already has the name of its parameter: `f(name)`, `f(app.name)`.
fn is_called(code: &Code, argument: &CallArgument, name: &str) -> bool {
    match code.term(argument.value).map(|value| &value.kind) {
        Some(TermKind::Name(own) | TermKind::Attribute { name: own, .. }) => own == name,
        _ => false,
    }
}
