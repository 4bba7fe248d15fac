//! Words the problems of merges.

use crate::words;
use crate::{rules, suggest};
use lofting_diagnostic::Diagnostic;
use lofting_overlay::{Problem, ProblemKind};

/// The findings for problems of merging documents.
pub fn check_overlays(problems: &[Problem]) -> Vec<Diagnostic> {
    problems.iter().enumerate().map(|(nth, problem)| check_overlay(problem, nth < suggest::SEARCHES)).collect()
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
pub fn is_told_by_values(problem: &Problem) -> bool {
    matches!(problem.kind, ProblemKind::MissingKey { .. } | ProblemKind::Kind { .. })
}
