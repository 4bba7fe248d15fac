//! Findings about merging documents.

use crate::final_values::DataValues;
use crate::place::MergePlace;
use crate::suggest;
use crate::visit::Visit;
use lofting_diagnostic::Diagnostic;
use lofting_document::{Document, Node, NodeValue, Note, Notes};
use lofting_overlay::{Mode, NoFunctions, Problem, ProblemKind};

/// The findings for problems of merging documents.
pub fn check_overlays(problems: &[Problem]) -> Vec<Diagnostic> {
    problems.iter().enumerate().filter_map(|(nth, problem)| check_overlay(problem, nth < suggest::SEARCHES)).collect()
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

/// The finding for a problem of a merge; with `suggests`, it proposes the key that was probably meant.
pub(crate) fn check_overlay(problem: &Problem, suggests: bool) -> Option<Diagnostic> {
    let mut found = Vec::new();
    Visit::of(true, &()).merge(&MergePlace { problem, suggests }, &mut found);
    found.pop()
}

/// Whether the check of the values reports the same problem, with more knowledge of the schema.
pub fn is_reported_by_values(problem: &Problem) -> bool {
    matches!(problem.kind, ProblemKind::MissingKey { .. } | ProblemKind::Kind { .. })
}
