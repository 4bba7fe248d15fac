//! Overlays over rendered documents (docs/ytt.md 14.1): each has to say which documents it matches.

use crate::annotations::{By, Expectations, Operation, Place, plan};
use crate::engine::{Mode, Overlay};
use crate::members::Members;
use crate::problem::ProblemKind;
use crate::sequence::Laid;
use lofting_document::{Document, Span};

impl Overlay<'_> {
    /// Lays each of the documents `over` over those of `left` that it matches.
    pub fn apply_to_all<'o>(&mut self, left: &mut Vec<Document>, over: impl IntoIterator<Item = &'o Document>) {
        self.mode = Mode::Annotated;
        let mut members = Members::new(std::mem::take(left));
        over.into_iter().for_each(|right| self.apply_to_members(&mut members, right));
        *left = members.into_vec();
    }

    fn apply_to_members(&mut self, left: &mut Members<Document>, right: &Document) {
        let place = right.marker.unwrap_or(Span { end: right.value.span.start, ..right.value.span });
        let plan = plan(Place::Document, &right.notes, &Expectations::default(), place, &mut self.problems);
        if plan.operation == Operation::Append {
            left.push(right.clone());
            return;
        }
        let by = match &plan.matching.by {
            Some(By::MapKey(_)) => {
                let message = "Expected 'overlay/match' annotation keyword argument 'by' to be function, but was \
                               starlark.String";
                return self.problem(ProblemKind::Argument { message: message.to_owned() }, place);
            }
            Some(by) => by,
            // What is said of a match without any keyword was said.
            None if right.notes.get("overlay/match").is_some_and(|note| note.arguments.keywords.is_empty()) => return,
            None => return self.problem(ProblemKind::MissingBy, place),
        };
        self.sequence(left, &Laid { member: right, plan: &plan, place, level: 0 }, by);
    }
}
