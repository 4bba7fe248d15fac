//! Items of maps (docs/ytt.md 14.2, 14.3).

use crate::annotations::{Count, Expectation, Expectations, Match, Operation, Plan, plan};
use crate::engine::{Counted, Mode, Overlay, make_unknown};
use crate::matching::{Held, Matched, holds, key_argument, matching, ready};
use crate::problem::ProblemKind;
use lofting_document::{Key, Map, MapItem, NodeValue, OwnerKind, Span};
use std::sync::Arc;

/// The left side while items are merged into it.
struct Left<'m> {
    map: &'m mut Map,
    /// Which items were removed. They are dropped together at the end, so that the places of the others stay valid.
    removed: Vec<bool>,
    /// The keys of the left side, for messages; computed once for all missing items.
    known: Option<Arc<[Key]>>,
    /// Code may add further items.
    partial: bool,
    span: Span,
}

impl Left<'_> {
    fn is_removed(&self, at: usize) -> bool {
        self.removed.get(at).copied().unwrap_or(false)
    }

    fn items(&self) -> impl Iterator<Item = (usize, &MapItem)> {
        self.map.iter().enumerate().filter(|(at, _)| !self.is_removed(*at))
    }

    fn find(&self, key: &Key) -> Vec<usize> {
        self.map.positions(key).filter(|at| !self.is_removed(*at)).collect()
    }

    fn remove(&mut self, at: usize) {
        self.removed.resize(self.map.len(), false);
        if let Some(removed) = self.removed.get_mut(at) {
            *removed = true;
        }
        self.known = None;
    }

    fn push(&mut self, item: MapItem) {
        self.map.push(item);
        self.known = None;
    }

    fn known(&mut self) -> Arc<[Key]> {
        let known = self.known.take().unwrap_or_else(|| self.items().map(|(_, item)| item.key.clone()).collect());
        self.known.insert(known).clone()
    }

    fn make_unknown(&mut self, at: usize) {
        if let Some(value) = self.map.value_mut(at) {
            make_unknown(value);
        }
    }
}

impl Overlay<'_> {
    /// Merges the items `right` into those of the map `left`, which is at `span`.
    pub(crate) fn map(
        &mut self,
        left: &mut Map,
        partial: bool,
        span: Span,
        right: &[MapItem],
        inherited: &Expectations,
        level: usize,
    ) {
        let mut left = Left { map: left, removed: Vec::new(), known: None, partial, span };
        for item in right {
            lofting_memo::step();
            let plan = self.map_item_plan(item, inherited, level);
            let matched: Vec<usize> = match &plan.matching.by {
                None => left.find(&item.key),
                Some(by) => {
                    let places: Vec<usize> = left.items().map(|(at, _)| at).collect();
                    let candidates = left.items().map(|(_, item)| (key_argument(&item.key), &item.value));
                    match matching(by, &ready(by, self.functions), candidates, &item.value, self.functions) {
                        Matched::At(found) => found.into_iter().filter_map(|at| places.get(at).copied()).collect(),
                        other => {
                            if let Matched::Wrong(wrong) = other {
                                self.wrong(*wrong, item.key_span);
                            }
                            // Any of these items may be the one that changes, so none of their values is certain now.
                            places.into_iter().for_each(|at| left.make_unknown(at));
                            continue;
                        }
                    }
                }
            };
            let uncertain = match self.map_count(&plan, &matched, &mut left, item) {
                Counted::Leave => continue,
                Counted::Unknown => true,
                Counted::Act => item.conditional,
            };
            if uncertain {
                matched.into_iter().for_each(|at| left.make_unknown(at));
                continue;
            }
            self.act_on_map(&plan, &matched, &mut left, item, level);
        }
        let Left { map, removed, .. } = left;
        if !removed.is_empty() {
            map.retain(|at| !removed.get(at).copied().unwrap_or(false));
        }
    }

    fn map_item_plan(&mut self, item: &MapItem, inherited: &Expectations, level: usize) -> Plan {
        let implied = |replaces: bool| Plan {
            operation: if replaces { Operation::Replace { via: None, or_add: true } } else { Operation::Merge },
            matching: Match {
                explicit: true,
                by: None,
                expectation: Some(Expectation { count: Count::ZeroOrOne, quiet: false }),
            },
            child_defaults: Expectations::default(),
        };
        match self.mode {
            Mode::Annotated => plan(OwnerKind::MapItem, &item.notes, inherited, item.key_span, &mut self.problems),
            Mode::Plain => implied(!matches!(item.value.value, NodeValue::Map(_))),
            Mode::Flag { depth } => implied(level + 1 >= depth),
        }
    }

    /// What to do with this number of matches. Reports a problem if it is not the expected one.
    fn map_count(&mut self, plan: &Plan, matched: &[usize], left: &mut Left<'_>, item: &MapItem) -> Counted {
        let exact = Expectation { count: Count::Exactly(1), quiet: false };
        let expectation = plan.matching.expectation.as_ref().unwrap_or(&exact);
        if matched.is_empty() && !expectation.quiet && holds(&expectation.count, 0, self.functions) == Held::No {
            // The left side may have more items than are known.
            if left.partial || item.conditional {
                return Counted::Leave;
            }
            if plan.matching.by.is_none() {
                let kind = ProblemKind::MissingKey { key: item.key.clone(), known: left.known(), map: left.span };
                self.problem(kind, item.key_span);
                return Counted::Leave;
            }
        }
        let spans: Vec<Span> = matched.iter().filter_map(|at| left.map.get(*at)).map(|item| item.key_span).collect();
        self.expected(expectation, matched.len(), &spans, item.key_span)
    }

    fn act_on_map(&mut self, plan: &Plan, matched: &[usize], left: &mut Left<'_>, item: &MapItem, level: usize) {
        match &plan.operation {
            Operation::Merge if matched.is_empty() => left.push(item.clone()),
            Operation::Replace { via, or_add: true } if matched.is_empty() => {
                let value = self.replacement(via.as_ref(), None, &item.value, item.key_span);
                left.push(MapItem { value, ..item.clone() });
            }
            Operation::Remove => matched.iter().for_each(|at| left.remove(*at)),
            Operation::Replace { via, .. } => {
                for at in matched {
                    let Some(existing) = left.map.get(*at) else { continue };
                    let value = self.replacement(via.as_ref(), Some(&existing.value), &item.value, item.key_span);
                    // The whole item is replaced, including its key (docs/ytt.md 14.2).
                    let mut new = MapItem { value, ..item.clone() };
                    if self.mode != Mode::Annotated {
                        // A plain file has no annotations, so those of the schema are kept.
                        new.notes = existing.notes.clone();
                    }
                    let Some(old) = left.map.replace(*at, new) else { continue };
                    if let Some(value) = left.map.value_mut(*at) {
                        value.replaced = Some(Arc::new(old.value));
                    }
                }
            }
            Operation::Merge => {
                for at in matched {
                    let Some(value) = left.map.value_mut(*at) else { continue };
                    self.value(value, &item.value, item.key_span, &plan.child_defaults, level + 1);
                }
            }
            Operation::Assert { via } => {
                for at in matched {
                    let Some(value) = left.map.value_mut(*at) else { continue };
                    self.assert(via.as_ref(), value, &item.value, item.key_span);
                    self.below_assert(value, &item.value, item.key_span, &plan.child_defaults, level + 1);
                }
            }
            // Already reported when the annotations were read.
            Operation::Insert { .. } | Operation::Append => {}
        }
    }
}
