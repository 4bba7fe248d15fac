//! Operations on ordered nodes without keys: array items and rendered documents (docs/ytt.md 14.2, 14.3).

use crate::annotations::{By, Count, Expectation, Operation, Plan};
use crate::engine::{Counted, Overlay, make_unknown};
use crate::functions::Argument;
use crate::matching::{Matched, matching, ready};
use crate::members::Members;
use lofting_document::{ArrayItem, Node, Span};
use std::sync::Arc;

/// A member of a sequence.
pub(crate) trait Member: Clone {
    /// The place at which problems are reported.
    fn place(&self) -> Span;
    fn value(&self) -> &Node;
    fn value_mut(&mut self) -> &mut Node;
    /// A merge that matches nothing adds the member (docs/ytt.md 14.2).
    const IS_ADDED: bool;

    /// The member in the form it has beside another one or in its place.
    fn beside(self, _other: &Self) -> Self {
        self
    }

    /// The member with another value.
    fn with(&self, value: Node) -> Self {
        let mut member = self.clone();
        *member.value_mut() = value;
        member
    }
}

impl Member for ArrayItem {
    const IS_ADDED: bool = true;

    fn place(&self) -> Span {
        self.span
    }

    fn value(&self) -> &Node {
        &self.value
    }

    fn value_mut(&mut self) -> &mut Node {
        &mut self.value
    }
}

/// A member of the right side, with its annotations.
pub(crate) struct Laid<'a, M> {
    pub member: &'a M,
    pub plan: &'a Plan,
    /// The place at which problems are reported.
    pub place: Span,
    /// The level of the member's content.
    pub level: usize,
}

impl Overlay<'_> {
    /// Merges a member into those of `left` that `by` matches.
    pub(crate) fn sequence<M: Member>(&mut self, left: &mut Members<M>, right: &Laid<'_, M>, by: &By) {
        let made = &ready(by, self.functions);
        // Functions would have to be called with values that are not known.
        if made.calls() && left.are_unknown() {
            return;
        }
        let slots = left.candidates(made, right.member.value());
        let candidates = slots.iter().filter_map(|(slot, at)| Some((Argument::Number(*at), left.get(*slot)?.value())));
        let matched: Vec<usize> = match matching(by, made, candidates, right.member.value(), self.functions) {
            Matched::At(matched) => matched.into_iter().filter_map(|at| slots.get(at).map(|(slot, _)| *slot)).collect(),
            other => {
                if let Matched::Wrong(wrong) = other {
                    self.wrong(*wrong, right.place);
                }
                // Any of the members may be the one that changes.
                left.make_unknown();
                return;
            }
        };
        let exact = Expectation { count: Count::Exactly(1), quiet: false };
        let expectation = right.plan.matching.expectation.as_ref().unwrap_or(&exact);
        let spans: Vec<Span> = matched.iter().filter_map(|slot| left.get(*slot)).map(Member::place).collect();
        match self.expected(expectation, matched.len(), &spans, right.place) {
            Counted::Act => self.act_on_sequence(&matched, left, right),
            Counted::Leave => {}
            Counted::Unknown => {
                for slot in matched {
                    left.change(slot, |member| make_unknown(member.value_mut()));
                }
            }
        }
    }

    /// Handles a member that matches nothing and is allowed to: it is added if its operation adds.
    pub(crate) fn unmatched<M: Member>(&mut self, left: &mut Members<M>, right: &Laid<'_, M>) {
        match &right.plan.operation {
            Operation::Merge if M::IS_ADDED => left.push(right.member.clone()),
            Operation::Replace { via, or_add: true } => {
                let value = self.replacement(via.as_ref(), None, right.member.value(), right.place);
                left.push(right.member.with(value));
            }
            _ => {}
        }
    }

    fn act_on_sequence<M: Member>(&mut self, matched: &[usize], left: &mut Members<M>, right: &Laid<'_, M>) {
        let Laid { member, plan, place, level } = *right;
        match &plan.operation {
            _ if matched.is_empty() => self.unmatched(left, right),
            Operation::Remove => matched.iter().for_each(|slot| left.remove(*slot)),
            Operation::Insert { before, after, via } => {
                for slot in matched.iter().rev() {
                    let Some(existing) = left.get(*slot) else { continue };
                    let value = self.replacement(via.as_ref(), Some(existing.value()), member.value(), place);
                    let new = member.with(value).beside(existing);
                    if *after {
                        left.insert(new.clone(), *slot, true);
                    }
                    if *before {
                        left.insert(new, *slot, false);
                    }
                }
            }
            Operation::Append => left.push(member.clone()),
            Operation::Replace { via, .. } => {
                for slot in matched {
                    left.change(*slot, |existing| {
                        let value = self.replacement(via.as_ref(), Some(existing.value()), member.value(), place);
                        let new = member.with(value).beside(existing);
                        let mut old = std::mem::replace(existing, new);
                        let old = std::mem::replace(old.value_mut(), Node::unknown(place));
                        existing.value_mut().replaced = Some(Arc::new(old));
                    });
                }
            }
            Operation::Merge => {
                for slot in matched {
                    left.change(*slot, |existing| {
                        self.value(existing.value_mut(), member.value(), place, &plan.child_defaults, level);
                    });
                }
            }
            Operation::Assert { via } => {
                for slot in matched {
                    left.change(*slot, |existing| {
                        self.assert(via.as_ref(), existing.value(), member.value(), place);
                        self.below_assert(existing.value_mut(), member.value(), place, &plan.child_defaults, level);
                    });
                }
            }
        }
    }
}
