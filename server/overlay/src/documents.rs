//! Overlays over rendered documents (ytt reference 14.1): each has to say which documents it matches.

use crate::annotations::{Count, Expectation, Operation, Place, Plan, plan};
use crate::engine::{Counted, Mode, Overlay, make_unknown, remove_all};
use crate::functions::Argument;
use crate::matching::{Matched, matching};
use crate::problem::ProblemKind;
use lofting_document::{Document, Span};
use std::sync::Arc;

impl Overlay<'_> {
    /// Lays the document `right` over those of `left` that it matches.
    pub fn apply_to_all(&mut self, left: &mut Vec<Document>, right: &Document) {
        self.mode = Mode::Annotated;
        let place = right.marker.unwrap_or(Span { end: right.value.span.start, ..right.value.span });
        let plan = plan(Place::Document, &right.notes, None, place, &mut self.problems);
        if plan.operation == Operation::Append {
            left.push(right.clone());
            return;
        }
        let Some(by) = &plan.matching.by else {
            return self.problem(ProblemKind::MissingBy, place);
        };
        let candidates = left.iter().enumerate().map(|(at, document)| (Argument::Number(at), &document.value));
        let matched = match matching(by, candidates, &right.value, self.functions) {
            Matched::At(matched) => matched,
            other => {
                if let Matched::Wrong(kind) = other {
                    self.problem(kind, place);
                }
                // Any of the documents may be the one: none of them is certain now.
                left.iter_mut().for_each(|document| make_unknown(&mut document.value));
                return;
            }
        };
        let exact = Expectation { count: Count::Exactly(1), quiet: false };
        let expectation = plan.matching.expectation.as_ref().unwrap_or(&exact);
        let spans = matched.iter().filter_map(|at| left.get(*at));
        let spans: Vec<Span> = spans.map(|document| document.marker.unwrap_or(document.span)).collect();
        match self.expected(expectation, matched.len(), &spans, place) {
            Counted::Act => self.act_on_documents(&plan, &matched, left, right, place),
            Counted::Leave => {}
            Counted::Unknown => {
                for at in &matched {
                    if let Some(document) = left.get_mut(*at) {
                        make_unknown(&mut document.value);
                    }
                }
            }
        }
    }

    fn act_on_documents(
        &mut self,
        plan: &Plan,
        matched: &[usize],
        left: &mut Vec<Document>,
        right: &Document,
        place: Span,
    ) {
        match &plan.operation {
            Operation::Merge if matched.is_empty() => left.push(right.clone()),
            Operation::Replace { via, or_add: true } if matched.is_empty() => {
                let value = self.replacement(via.as_ref(), None, &right.value, place);
                left.push(Document { value, ..right.clone() });
            }
            Operation::Remove => remove_all(left, matched),
            Operation::Insert { before, after, via } => {
                // From the back, so that earlier indices stay right.
                for at in matched.iter().rev() {
                    let Some(existing) = left.get(*at) else { continue };
                    let value = self.replacement(via.as_ref(), Some(&existing.value), &right.value, place);
                    let new = Document { value, ..right.clone() };
                    if *after {
                        left.insert(at + 1, new.clone());
                    }
                    if *before {
                        left.insert(*at, new);
                    }
                }
            }
            Operation::Append => left.push(right.clone()),
            Operation::Replace { via, .. } => {
                for at in matched {
                    let Some(existing) = left.get_mut(*at) else { continue };
                    let value = self.replacement(via.as_ref(), Some(&existing.value), &right.value, place);
                    let old = std::mem::replace(existing, Document { value, ..right.clone() });
                    existing.value.replaced = Some(Arc::new(old.value));
                }
            }
            Operation::Merge | Operation::Assert { .. } => {
                for at in matched {
                    let Some(existing) = left.get_mut(*at) else { continue };
                    if let Operation::Assert { via } = &plan.operation {
                        self.assert(via.as_ref(), &existing.value, &right.value, place);
                    }
                    self.value(&mut existing.value, &right.value, place, plan.child_defaults.as_ref(), 0);
                }
            }
        }
    }
}
