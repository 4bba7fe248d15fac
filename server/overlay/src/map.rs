//! Items of maps (ytt reference 14.2, 14.3).

use crate::annotations::{Count, Expectation, Expectations, Match, Operation, Place, Plan, plan};
use crate::engine::{Counted, Mode, Overlay, make_unknown, remove_all};
use crate::matching::{Held, Matched, holds, key_argument, matching};
use crate::problem::{Problem, ProblemKind};
use lofting_document::{Key, MapItem, Node, NodeValue, Span};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Maps below this product of sizes are searched, larger ones indexed: an index costs more than it
/// saves for the usual handful of keys, and without one 10,000 flat keys are quadratic.
const SEARCH_LIMIT: usize = 256;

impl Overlay<'_> {
    /// Lays the items `right` over those of the map `left`, which stands at `map`.
    pub(crate) fn map(
        &mut self,
        left: &mut Vec<MapItem>,
        partial: bool,
        map: Span,
        right: &[MapItem],
        inherited: &Expectations,
        level: usize,
    ) {
        let mut index = if left.len().saturating_mul(right.len()) > SEARCH_LIMIT { Some(index_of(left)) } else { None };
        for item in right {
            let plan = self.map_item_plan(item, inherited, level);
            let matched = match &plan.matching.by {
                None => find_key(left, &item.key, index.as_ref()),
                Some(by) => {
                    let candidates = left.iter().map(|item| (key_argument(&item.key), &item.value));
                    match matching(by, candidates, &item.value, self.functions) {
                        Matched::At(found) => found,
                        other => {
                            if let Matched::Wrong(kind) = other {
                                self.problems.push(Problem { kind, span: item.key_span, annotation: None });
                            }
                            // Any of the items may be the one: none of their values is certain now.
                            left.iter_mut().for_each(|item| make_unknown(&mut item.value));
                            continue;
                        }
                    }
                }
            };
            let uncertain = match self.map_count(&plan, &matched, left, item, partial, map) {
                Counted::Leave => continue,
                Counted::Unknown => true,
                Counted::Act => item.conditional,
            };
            if uncertain {
                for at in &matched {
                    if let Some(item) = left.get_mut(*at) {
                        make_unknown(&mut item.value);
                    }
                }
                continue;
            }
            let before = left.len();
            self.act_on_map(&plan, &matched, left, item, level);
            if index.is_some() && (left.len() != before || !matches!(plan.operation, Operation::Merge)) {
                match (&mut index, left.len().checked_sub(before)) {
                    (Some(index), Some(1)) => {
                        index.insert(item.key.clone(), before);
                    }
                    _ => index = Some(index_of(left)),
                }
            }
        }
    }

    fn map_item_plan(&mut self, item: &MapItem, inherited: &Expectations, level: usize) -> Plan {
        let implied = |replaces: bool| Plan {
            operation: if replaces { Operation::Replace { via: None, or_add: true } } else { Operation::Merge },
            matching: Match {
                written: true,
                by: None,
                expectation: Some(Expectation { count: Count::ZeroOrOne, quiet: false }),
            },
            child_defaults: Expectations::default(),
        };
        match self.mode {
            Mode::Annotated => plan(Place::MapItem, &item.notes, inherited, item.key_span, &mut self.problems),
            Mode::Plain => implied(!matches!(item.value.value, NodeValue::Map(_))),
            Mode::Flag { depth } => implied(level + 1 >= depth),
        }
    }

    /// What follows from the number of matches; says so if it is wrong.
    fn map_count(
        &mut self,
        plan: &Plan,
        matched: &[usize],
        left: &[MapItem],
        item: &MapItem,
        partial: bool,
        map: Span,
    ) -> Counted {
        let exact = Expectation { count: Count::Exactly(1), quiet: false };
        let expectation = plan.matching.expectation.as_ref().unwrap_or(&exact);
        if matched.is_empty() && !expectation.quiet && holds(&expectation.count, 0, self.functions) == Held::No {
            // The left side may hold more than is known.
            if partial || item.conditional {
                return Counted::Leave;
            }
            if plan.matching.by.is_none() {
                let known = left.iter().map(|item| item.key.clone()).collect();
                self.problem(ProblemKind::MissingKey { key: item.key.clone(), known, map }, item.key_span);
                return Counted::Leave;
            }
        }
        let spans: Vec<Span> = matched.iter().filter_map(|at| left.get(*at)).map(|item| item.key_span).collect();
        self.expected(expectation, matched.len(), &spans, item.key_span)
    }

    fn act_on_map(&mut self, plan: &Plan, matched: &[usize], left: &mut Vec<MapItem>, item: &MapItem, level: usize) {
        match &plan.operation {
            Operation::Merge if matched.is_empty() => left.push(item.clone()),
            Operation::Replace { via, or_add: true } if matched.is_empty() => {
                let value = self.replacement(via.as_ref(), None, &item.value, item.key_span);
                left.push(MapItem { value, ..item.clone() });
            }
            Operation::Remove => remove_all(left, matched),
            Operation::Replace { via, .. } => {
                for at in matched {
                    let Some(existing) = left.get_mut(*at) else { continue };
                    let value = self.replacement(via.as_ref(), Some(&existing.value), &item.value, item.key_span);
                    // As a whole, its key included (14.2).
                    let mut new = MapItem { value, ..item.clone() };
                    new.value.replaced =
                        Some(Arc::new(std::mem::replace(&mut existing.value, Node::unknown(item.span))));
                    if self.mode != Mode::Annotated {
                        // Nothing a plain file could annotate: the schema's notes stay useful.
                        new.notes = std::mem::take(&mut existing.notes);
                    }
                    *existing = new;
                }
            }
            Operation::Merge => {
                for at in matched {
                    let Some(existing) = left.get_mut(*at) else { continue };
                    self.value(&mut existing.value, &item.value, item.key_span, &plan.child_defaults, level + 1);
                }
            }
            Operation::Assert { via } => {
                for at in matched {
                    let Some(existing) = left.get_mut(*at) else { continue };
                    let (value, place) = (&mut existing.value, item.key_span);
                    self.assert(via.as_ref(), value, &item.value, place);
                    self.below_assert(value, &item.value, place, &plan.child_defaults, level + 1);
                }
            }
            // Refused when the annotations were read.
            Operation::Insert { .. } | Operation::Append => {}
        }
    }
}

fn index_of(items: &[MapItem]) -> FxHashMap<Key, usize> {
    items.iter().enumerate().map(|(at, item)| (item.key.clone(), at)).collect()
}

fn find_key(items: &[MapItem], key: &Key, index: Option<&FxHashMap<Key, usize>>) -> Vec<usize> {
    match index {
        Some(index) => index.get(key).copied().into_iter().collect(),
        None => items.iter().position(|item| item.key == *key).into_iter().collect(),
    }
}
