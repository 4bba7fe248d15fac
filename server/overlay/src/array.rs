//! Items of arrays (ytt reference 14.2, 14.3).

use crate::annotations::{Count, Expectation, Operation, Place, Plan, plan};
use crate::engine::{Counted, Overlay, make_unknown, remove_all};
use crate::functions::Argument;
use crate::matching::{Matched, matching};
use lofting_document::{ArrayItem, Span};
use std::sync::Arc;

impl Overlay<'_> {
    /// Lays the items `right` over those of the array `left`.
    pub(crate) fn array(
        &mut self,
        left: &mut Vec<ArrayItem>,
        right: &[ArrayItem],
        inherited: Option<&Expectation>,
        level: usize,
    ) {
        for item in right {
            let plan = plan(Place::ArrayItem, &item.notes, inherited, item.span, &mut self.problems);
            if plan.operation == Operation::Append || (!plan.matching.written && plan.operation == Operation::Merge) {
                left.push(item.clone());
                continue;
            }
            if !plan.matching.written {
                // Matches nothing and expects nothing (14.3).
                continue;
            }
            let Some(by) = &plan.matching.by else { continue };
            let candidates = left.iter().enumerate().map(|(at, item)| (Argument::Number(at), &item.value));
            let matched = match matching(by, candidates, &item.value, self.functions) {
                Matched::At(matched) => matched,
                other => {
                    if let Matched::Wrong(kind) = other {
                        self.problem(kind, item.span);
                    }
                    left.iter_mut().for_each(|item| make_unknown(&mut item.value));
                    continue;
                }
            };
            let exact = Expectation { count: Count::Exactly(1), quiet: false };
            let expectation = plan.matching.expectation.as_ref().unwrap_or(&exact);
            let spans: Vec<Span> = matched.iter().filter_map(|at| left.get(*at)).map(|item| item.span).collect();
            match self.expected(expectation, matched.len(), &spans, item.span) {
                Counted::Act => self.act_on_array(&plan, &matched, left, item, level),
                Counted::Leave => {}
                Counted::Unknown => {
                    for at in &matched {
                        if let Some(item) = left.get_mut(*at) {
                            make_unknown(&mut item.value);
                        }
                    }
                }
            }
        }
    }

    fn act_on_array(
        &mut self,
        plan: &Plan,
        matched: &[usize],
        left: &mut Vec<ArrayItem>,
        item: &ArrayItem,
        level: usize,
    ) {
        match &plan.operation {
            Operation::Merge if matched.is_empty() => left.push(item.clone()),
            Operation::Replace { via, or_add: true } if matched.is_empty() => {
                let value = self.replacement(via.as_ref(), None, &item.value, item.span);
                left.push(ArrayItem { value, ..item.clone() });
            }
            Operation::Remove => remove_all(left, matched),
            Operation::Insert { before, after, via } => {
                // From the back, so that earlier indices stay right.
                for at in matched.iter().rev() {
                    let Some(existing) = left.get(*at) else { continue };
                    let value = self.replacement(via.as_ref(), Some(&existing.value), &item.value, item.span);
                    let new = ArrayItem { value, ..item.clone() };
                    if *after {
                        left.insert(at + 1, new.clone());
                    }
                    if *before {
                        left.insert(*at, new);
                    }
                }
            }
            Operation::Append => left.push(item.clone()),
            Operation::Replace { via, .. } => {
                for at in matched {
                    let Some(existing) = left.get_mut(*at) else { continue };
                    let value = self.replacement(via.as_ref(), Some(&existing.value), &item.value, item.span);
                    let old = std::mem::replace(existing, ArrayItem { value, ..item.clone() });
                    existing.value.replaced = Some(Arc::new(old.value));
                }
            }
            Operation::Merge | Operation::Assert { .. } => {
                for at in matched {
                    let Some(existing) = left.get_mut(*at) else { continue };
                    if let Operation::Assert { via } = &plan.operation {
                        self.assert(via.as_ref(), &existing.value, &item.value, item.span);
                    }
                    let defaults = plan.child_defaults.as_ref();
                    self.value(&mut existing.value, &item.value, item.span, defaults, level + 1);
                }
            }
        }
    }
}
