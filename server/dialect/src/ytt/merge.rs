//! Merges several schema documents into one (docs/ytt.md 8.2). The overlay engine merges each into the earlier ones,
//! and keeps the annotations of the earlier.

use super::problem::{Problem, ProblemKind};
use lofting_document::{Document, Node, NodeValue, Span};
use lofting_overlay::{Functions, Mode, Overlay};
use lofting_schema::Declared;
use rustc_hash::FxHashSet;

/// The merged document, and the problems of merging. Documents that amend may add keys.
pub(crate) fn merge(
    first: &Document,
    others: &[&Document],
    amends: impl Fn(&&Document) -> bool,
    functions: &dyn Functions,
) -> (Document, Vec<Problem>) {
    let mut overlay = Overlay::new(functions);
    let mut merged = first.clone();
    for document in others {
        overlay = overlay.with_new_keys(amends(document));
        overlay.apply(&mut merged, document, Mode::Annotated);
    }
    let problems = overlay.into_problems();
    let mut open = FxHashSet::default();
    let mut unknown = FxHashSet::default();
    for problem in &problems {
        match &problem.kind {
            // The key was meant to exist, so values that use it are not to blame.
            lofting_overlay::ProblemKind::MissingKey { map, .. } => drop(open.insert(*map)),
            lofting_overlay::ProblemKind::Kind { left, .. } => drop(unknown.insert(*left)),
            _ => {}
        }
    }
    if !problems.is_empty() {
        soften(&mut merged.value, &open, &unknown);
    }
    let problems = problems.into_iter().map(|problem| Problem {
        node: Declared { span: problem.span, name: problem.span },
        annotation: problem.annotation,
        span: problem.annotation.unwrap_or(problem.span),
        kind: ProblemKind::Overlay { wrong: problem.kind },
    });
    (merged, problems.collect())
}

/// Makes the parts that a problem leaves open partial or unknown, so that nothing else is reported because of it.
fn soften(node: &mut Node, open: &FxHashSet<Span>, unknown: &FxHashSet<Span>) {
    if unknown.contains(&node.span) {
        node.value = NodeValue::Unknown;
        return;
    }
    match &mut node.value {
        NodeValue::Map(items) => {
            node.partial |= open.contains(&node.span);
            items.values_mut().for_each(|value| soften(value, open, unknown));
        }
        NodeValue::Array(items) => items.iter_mut().for_each(|item| soften(&mut item.value, open, unknown)),
        _ => {}
    }
}
