//! Words the problems of merges.

use crate::final_values::DataValues;
use crate::words;
use crate::{rules, suggest};
use lofting_diagnostic::Diagnostic;
use lofting_document::{Document, Node, NodeValue, Note, Notes};
use lofting_overlay::{Mode, NoFunctions, Problem, ProblemKind};

/// The findings for problems of merging documents.
pub fn check_overlays(problems: &[Problem]) -> Vec<Diagnostic> {
    problems.iter().enumerate().map(|(nth, problem)| check_overlay(problem, nth < suggest::SEARCHES)).collect()
}

/// Whether merging a document can go wrong, or can have something to say, whatever its values are: it has annotations of
/// overlays or assertions.
pub fn asks_merging(document: &Document) -> bool {
    lofting_overlay::any_annotation(document, |note| {
        note.name.starts_with("overlay/") || note.name.starts_with("assert/")
    })
}

/// The findings about the overlay annotations above a document, whatever it contains.
pub fn check_overlay_head(head: &Document) -> Vec<Diagnostic> {
    let is_overlay = |note: &Note| note.name.starts_with("overlay/");
    if !head.notes.annotations.iter().any(is_overlay) {
        return Vec::new();
    }
    let empty = || Node::new(NodeValue::Map(Default::default()), head.span);
    let mut values = DataValues::new(None);
    values.lay(&Document { notes: Notes::default(), value: empty(), ..head.clone() }, Mode::Annotated, &NoFunctions);
    let mut problems = values.lay(&Document { value: empty(), ..head.clone() }, Mode::Annotated, &NoFunctions);
    problems.retain(|problem| !is_reported_by_values(problem));
    check_overlays(&problems)
}

/// The finding for a problem of a merge; with `suggest`, it proposes the key that was probably meant.
pub(crate) fn check_overlay(problem: &Problem, suggest: bool) -> Diagnostic {
    let (span, annotation) = (problem.span, problem.annotation);
    let arguments = |message: &str| rules::ytt_overlay_arguments::finding(span, annotation, message);
    let function = |message: &str| rules::ytt_overlay_function::finding(span, annotation, message);
    match &problem.kind {
        ProblemKind::MissingKey { key, known, map } => {
            rules::ytt_overlay_new_key::merged(span, key, if suggest { known } else { &[] }, *map)
        }
        ProblemKind::Kind { expected, existing, left } => {
            rules::ytt_overlay_kind::finding(span, expected, existing, *left)
        }
        ProblemKind::Raw { expected, left } => {
            rules::ytt_overlay_kind::finding(span, expected, "dict or list made by code", *left)
        }
        ProblemKind::MatchCount { expected, found: _, matched } => {
            rules::ytt_overlay_matches::count(span, expected, matched)
        }
        ProblemKind::MissingBy => rules::ytt_overlay_matches::missing_by(span),
        ProblemKind::MissingMatchKey { key } => rules::ytt_overlay_matches::missing_key(span, key),
        ProblemKind::SeveralOperations => {
            arguments("only one of merge, remove, replace, insert, append and assert can be done here")
        }
        ProblemKind::OperationPlace { annotation, place } => {
            arguments(&format!("`@{annotation}` cannot be used on {}", words::with_article(place)))
        }
        ProblemKind::Argument { message } => arguments(message),
        ProblemKind::RemoveDocument => arguments("a whole data values document cannot be removed: ytt crashes"),
        ProblemKind::Function { message } => function(message),
        ProblemKind::NotEvaluated { message } => rules::ytt_not_evaluated::finding(span, message),
        ProblemKind::AssertFailed { message: Some(message) } => {
            function(&format!("the assertion does not hold: {message}"))
        }
        ProblemKind::AssertFailed { message: None } => function("the assertion does not hold"),
    }
}

/// Whether the check of the values reports the same problem, with more knowledge of the schema.
pub fn is_reported_by_values(problem: &Problem) -> bool {
    matches!(problem.kind, ProblemKind::MissingKey { .. } | ProblemKind::Kind { .. })
}
