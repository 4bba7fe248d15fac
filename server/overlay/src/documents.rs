//! Overlays over rendered documents (docs/ytt.md 14.1). Each overlay states which documents it matches.

use crate::annotations::{By, Expectations, Operation, plan};
use crate::engine::{Mode, Overlay};
use crate::members::Members;
use crate::problem::ProblemKind;
use crate::sequence::{Laid, Member};
use lofting_document::{Document, Node, OwnerKind, Span};

impl Overlay<'_> {
    /// Applies each of the documents `over` to those of `left` that it matches.
    pub fn apply_to_all<'o>(&mut self, left: &mut Vec<Document>, over: impl IntoIterator<Item = &'o Document>) {
        let mut sets = [std::mem::take(left)];
        self.apply_to_sets(&mut sets, over);
        *left = sets.into_iter().flatten().collect();
    }

    /// Applies each of the documents `over` to those that it matches. Each set holds the documents of one file. Those
    /// that match nothing and are added anyway go into the first one, and those that are appended into the last.
    pub fn apply_to_sets<'o>(&mut self, left: &mut [Vec<Document>], over: impl IntoIterator<Item = &'o Document>) {
        self.mode = Mode::Annotated;
        let taken = left.iter_mut().map(std::mem::take).enumerate();
        let all = taken.flat_map(|(set, documents)| documents.into_iter().map(move |document| InSet { set, document }));
        let mut members = Members::new(all.collect());
        let count = left.len();
        for right in over {
            lofting_memo::step();
            self.apply_to_members(&mut members, right, count);
            // Values that functions returned are converted into nodes before the next overlay.
            if std::mem::take(&mut self.made_raw) {
                members.change_all(|member| member.document.value.make_nodes());
            }
        }
        for InSet { set, document } in members.into_vec() {
            if let Some(documents) = left.get_mut(set) {
                documents.push(document);
            }
        }
    }

    fn apply_to_members(&mut self, left: &mut Members<InSet>, right: &Document, sets: usize) {
        let place = right.marker.unwrap_or(Span { end: right.value.span.start, ..right.value.span });
        let plan = plan(OwnerKind::Document, &right.notes, &Expectations::default(), place, &mut self.problems);
        if plan.operation == Operation::Append {
            match sets.checked_sub(1) {
                Some(last) => left.push(InSet { set: last, document: right.clone() }),
                None => self.problem(ProblemKind::NoDocument, place),
            }
            return;
        }
        let by = match &plan.matching.by {
            Some(By::MapKey(_)) => {
                let message = "Expected 'overlay/match' annotation keyword argument 'by' to be function, but was \
                               starlark.String";
                return self.problem(ProblemKind::Argument { message: message.to_owned() }, place);
            }
            Some(by) => by,
            None => return self.problem(ProblemKind::MissingBy, place),
        };
        let member = InSet { set: 0, document: right.clone() };
        self.sequence(left, &Laid { member: &member, plan: &plan, place, level: 0 }, by);
        if sets == 0 && left.clear() {
            self.problem(ProblemKind::NoDocument, place);
        }
    }
}

/// A document with the index of its set.
#[derive(Clone)]
struct InSet {
    set: usize,
    document: Document,
}

impl Member for InSet {
    const IS_ADDED: bool = false;

    fn place(&self) -> Span {
        self.document.marker.unwrap_or(self.document.span)
    }

    fn value(&self) -> &Node {
        &self.document.value
    }

    fn value_mut(&mut self) -> &mut Node {
        &mut self.document.value
    }

    fn beside(mut self, other: &Self) -> Self {
        self.set = other.set;
        self
    }
}
