//! The merge itself.

use crate::annotations::{Count, Expectation, Operation, Place, Plan, plan};
use crate::functions::{Argument, Called, Functions};
use crate::matching::{Verdict, contains, holds, key_argument, matches, words};
use crate::problem::{Problem, ProblemKind};
use lofting_document::{ArrayItem, Document, Key, MapItem, Node, NodeValue, Span};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// How the right side is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// A schema or data values document: what it says in annotations and nothing else.
    Annotated,
    /// A plain values file: every item is `missing_ok`; scalars, nulls and arrays replace (11.3).
    Plain,
    /// A flag's nested maps: as plain, and at its end a map replaces as well (11.4).
    Flag {
        /// Number of map levels the flag's key names.
        depth: usize,
    },
}

/// One merge. Problems of all documents laid over are collected.
pub struct Overlay<'f> {
    functions: &'f dyn Functions,
    problems: Vec<Problem>,
    mode: Mode,
}

/// Maps below this product of sizes are searched, larger ones indexed: an index costs more than it
/// saves for the usual handful of keys, and without one 10,000 flat keys are quadratic.
const SEARCH_LIMIT: usize = 256;

impl<'f> Overlay<'f> {
    /// A merge that calls functions in annotations through `functions`.
    pub fn new(functions: &'f dyn Functions) -> Self {
        Overlay { functions, problems: Vec::new(), mode: Mode::Annotated }
    }

    /// What went wrong so far, in the order met.
    pub fn into_problems(self) -> Vec<Problem> {
        self.problems
    }

    /// Lays `right` over `left` in ytt's exact mode (14.6): the one document matches.
    pub fn apply(&mut self, left: &mut Document, right: &Document, mode: Mode) {
        self.mode = mode;
        let place = right.marker.unwrap_or(right.value.span);
        if mode != Mode::Annotated {
            return self.value(&mut left.value, &right.value, place, None, 0);
        }
        let plan = plan(Place::Document, &right.notes, None, place, &mut self.problems);
        if let Some(expectation) = &plan.matching.expectation {
            match holds(&expectation.count, 1, self.functions) {
                Some(true) => {}
                Some(false) if expectation.quiet => return,
                Some(false) => self.count_problem(&expectation.count, 1, vec![left.value.span], place),
                None => return make_unknown(&mut left.value),
            }
        }
        match plan.operation {
            Operation::Merge => self.value(&mut left.value, &right.value, place, plan.child_defaults.as_ref(), 0),
            Operation::Replace { via, .. } => {
                let value = self.replacement(via, &left.value, &right.value, place);
                replace(&mut left.value, value);
                left.marker = right.marker.or(left.marker);
                left.notes = right.notes.clone();
            }
            Operation::Insert { before: true, .. } => replace(&mut left.value, right.value.clone()),
            Operation::Insert { .. } | Operation::Append => {}
            Operation::Remove => self.problem(ProblemKind::RemoveDocument, place),
            Operation::Assert { via } => {
                self.assert(via, &left.value, &right.value, place);
                self.value(&mut left.value, &right.value, place, plan.child_defaults.as_ref(), 0);
            }
        }
    }

    fn problem(&mut self, kind: ProblemKind, span: Span) {
        self.problems.push(Problem { kind, span, annotation: None });
    }

    fn count_problem(&mut self, count: &Count, found: usize, matched: Vec<Span>, place: Span) {
        self.problem(ProblemKind::MatchCount { expected: words(count), found, matched }, place);
    }

    /// Lays the value `right` (of the node at `place`) over `left`. `level` counts map levels.
    fn value(&mut self, left: &mut Node, right: &Node, place: Span, inherited: Option<&Expectation>, level: usize) {
        if matches!(right.value, NodeValue::Unknown) || matches!(left.value, NodeValue::Unknown) {
            let mut value = right.clone();
            value.value = NodeValue::Unknown;
            return replace(left, value);
        }
        match (&mut left.value, &right.value) {
            (NodeValue::Null, NodeValue::Map(_) | NodeValue::Array(_)) => replace(left, right.clone()),
            (NodeValue::Map(items), NodeValue::Map(over)) => {
                self.map(items, left.partial, left.span, over, inherited, level);
                left.partial |= right.partial;
                left.missing = false;
            }
            (NodeValue::Array(items), NodeValue::Array(over)) => {
                self.array(items, over, inherited, level);
                left.partial |= right.partial;
            }
            (existing, NodeValue::Map(_)) => {
                let kind = ProblemKind::Kind { expected: "map", existing: kind_name(existing), left: left.span };
                self.problem(kind, place);
            }
            (existing, NodeValue::Array(_)) => {
                let kind = ProblemKind::Kind { expected: "array", existing: kind_name(existing), left: left.span };
                self.problem(kind, place);
            }
            _ => replace(left, right.clone()),
        }
    }

    fn map(
        &mut self,
        left: &mut Vec<MapItem>,
        partial: bool,
        map: Span,
        right: &[MapItem],
        inherited: Option<&Expectation>,
        level: usize,
    ) {
        let mut index = if left.len().saturating_mul(right.len()) > SEARCH_LIMIT { Some(index_of(left)) } else { None };
        for item in right {
            let plan = self.map_item_plan(item, inherited, level);
            let matched = match &plan.matching.by {
                None => find_key(left, &item.key, index.as_ref()),
                Some(by) => {
                    let mut found = Vec::new();
                    let mut uncertain = false;
                    for (at, candidate) in left.iter().enumerate() {
                        match matches(by, key_argument(&candidate.key), &candidate.value, &item.value, self.functions) {
                            Verdict::Yes => found.push(at),
                            Verdict::No => {}
                            Verdict::Unknown => uncertain = true,
                            Verdict::NoSuchKey(key) => {
                                self.problems.push(Problem {
                                    kind: ProblemKind::MissingMatchKey { key },
                                    span: item.key_span,
                                    annotation: None,
                                });
                                uncertain = true;
                                break;
                            }
                            Verdict::Failed(message) => {
                                self.problems.push(Problem {
                                    kind: ProblemKind::Function { message },
                                    span: item.key_span,
                                    annotation: None,
                                });
                                uncertain = true;
                                break;
                            }
                        }
                    }
                    if uncertain {
                        // Any of the items may be the one: none of their values is certain now.
                        left.iter_mut().for_each(|item| make_unknown(&mut item.value));
                        continue;
                    }
                    found
                }
            };
            if !self.count_holds(&plan, &matched, left, item, partial, map) {
                continue;
            }
            if item.conditional {
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

    fn map_item_plan(&mut self, item: &MapItem, inherited: Option<&Expectation>, level: usize) -> Plan {
        let implied = |replaces: bool| Plan {
            operation: if replaces { Operation::Replace { via: None, or_add: true } } else { Operation::Merge },
            matching: crate::annotations::Match {
                written: true,
                by: None,
                expectation: Some(Expectation { count: Count::ZeroOrOne, quiet: false }),
            },
            child_defaults: None,
        };
        match self.mode {
            Mode::Annotated => plan(Place::MapItem, &item.notes, inherited, item.key_span, &mut self.problems),
            Mode::Plain => implied(!matches!(item.value.value, NodeValue::Map(_))),
            Mode::Flag { depth } => implied(level + 1 >= depth),
        }
    }

    /// Checks the number of matches; false: leave this item alone.
    fn count_holds(
        &mut self,
        plan: &Plan,
        matched: &[usize],
        left: &[MapItem],
        item: &MapItem,
        partial: bool,
        map: Span,
    ) -> bool {
        let expectation =
            plan.matching.expectation.clone().unwrap_or(Expectation { count: Count::Exactly(1), quiet: false });
        match holds(&expectation.count, matched.len(), self.functions) {
            Some(true) => true,
            Some(false) if expectation.quiet => false,
            // The left side may hold more than is known.
            Some(false) if matched.is_empty() && (partial || item.conditional) => false,
            Some(false) if matched.is_empty() && plan.matching.by.is_none() => {
                let known = left.iter().map(|item| item.key.clone()).collect();
                self.problem(ProblemKind::MissingKey { key: item.key.clone(), known, map }, item.key_span);
                false
            }
            Some(false) => {
                let spans = matched.iter().filter_map(|at| left.get(*at)).map(|item| item.key_span).collect();
                self.count_problem(&expectation.count, matched.len(), spans, item.key_span);
                false
            }
            None => true,
        }
    }

    fn act_on_map(&mut self, plan: &Plan, matched: &[usize], left: &mut Vec<MapItem>, item: &MapItem, level: usize) {
        match &plan.operation {
            Operation::Merge | Operation::Assert { .. } if matched.is_empty() => {
                if plan.operation == Operation::Merge {
                    left.push(item.clone());
                }
            }
            Operation::Merge => {
                for at in matched {
                    if let Some(existing) = left.get_mut(*at) {
                        self.value(
                            &mut existing.value,
                            &item.value,
                            item.key_span,
                            plan.child_defaults.as_ref(),
                            level + 1,
                        );
                    }
                }
            }
            Operation::Remove => remove_all(left, matched),
            Operation::Replace { or_add, .. } if matched.is_empty() => {
                if *or_add {
                    left.push(item.clone());
                }
            }
            Operation::Replace { via, .. } => {
                for at in matched {
                    if let Some(existing) = left.get_mut(*at) {
                        let value = self.replacement(*via, &existing.value, &item.value, item.key_span);
                        let mut new = item.clone();
                        new.key = existing.key.clone();
                        new.value = value;
                        new.value.replaced =
                            Some(Arc::new(std::mem::replace(&mut existing.value, Node::unknown(item.span))));
                        if self.mode != Mode::Annotated {
                            // Nothing a plain file could annotate: the schema's notes stay useful.
                            new.notes = std::mem::take(&mut existing.notes);
                        }
                        *existing = new;
                    }
                }
            }
            Operation::Assert { via } => {
                for at in matched {
                    if let Some(existing) = left.get_mut(*at) {
                        self.assert(*via, &existing.value, &item.value, item.key_span);
                        self.value(
                            &mut existing.value,
                            &item.value,
                            item.key_span,
                            plan.child_defaults.as_ref(),
                            level + 1,
                        );
                    }
                }
            }
            // Refused when the annotations were read.
            Operation::Insert { .. } | Operation::Append => {}
        }
    }

    fn array(&mut self, left: &mut Vec<ArrayItem>, right: &[ArrayItem], inherited: Option<&Expectation>, level: usize) {
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
            let mut matched = Vec::new();
            let mut uncertain = false;
            for (at, candidate) in left.iter().enumerate() {
                match matches(by, Argument::Number(at), &candidate.value, &item.value, self.functions) {
                    Verdict::Yes => matched.push(at),
                    Verdict::No => {}
                    Verdict::Unknown => uncertain = true,
                    Verdict::NoSuchKey(key) => {
                        self.problem(ProblemKind::MissingMatchKey { key }, item.span);
                        uncertain = true;
                        break;
                    }
                    Verdict::Failed(message) => {
                        self.problem(ProblemKind::Function { message }, item.span);
                        uncertain = true;
                        break;
                    }
                }
            }
            if uncertain {
                left.iter_mut().for_each(|item| make_unknown(&mut item.value));
                continue;
            }
            let expectation =
                plan.matching.expectation.clone().unwrap_or(Expectation { count: Count::Exactly(1), quiet: false });
            match holds(&expectation.count, matched.len(), self.functions) {
                Some(false) if expectation.quiet => continue,
                Some(false) => {
                    let spans = matched.iter().filter_map(|at| left.get(*at)).map(|item| item.span).collect();
                    self.count_problem(&expectation.count, matched.len(), spans, item.span);
                    continue;
                }
                _ => {}
            }
            self.act_on_array(&plan, &matched, left, item, level);
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
            Operation::Replace { or_add, .. } if matched.is_empty() => {
                if *or_add {
                    left.push(item.clone());
                }
            }
            Operation::Remove => remove_all(left, matched),
            Operation::Insert { before, after, via } => {
                // From the back, so that earlier indices stay right.
                for at in matched.iter().rev() {
                    let Some(existing) = left.get(*at) else { continue };
                    let mut new = item.clone();
                    new.value = self.replacement(*via, &existing.value, &item.value, item.span);
                    if *after {
                        left.insert(at + 1, new.clone());
                    }
                    if *before {
                        left.insert(*at, new);
                    }
                }
            }
            Operation::Append => left.push(item.clone()),
            Operation::Merge | Operation::Assert { .. } | Operation::Replace { .. } => {
                for at in matched {
                    let Some(existing) = left.get_mut(*at) else { continue };
                    match &plan.operation {
                        Operation::Replace { via, .. } => {
                            let value = self.replacement(*via, &existing.value, &item.value, item.span);
                            let old = std::mem::replace(existing, item.clone());
                            existing.value = value;
                            existing.value.replaced = Some(Arc::new(old.value));
                        }
                        operation => {
                            if let Operation::Assert { via } = operation {
                                self.assert(*via, &existing.value, &item.value, item.span);
                            }
                            self.value(
                                &mut existing.value,
                                &item.value,
                                item.span,
                                plan.child_defaults.as_ref(),
                                level + 1,
                            );
                        }
                    }
                }
            }
        }
    }

    fn replacement(&mut self, via: Option<Span>, left: &Node, right: &Node, place: Span) -> Node {
        let Some(function) = via else { return right.clone() };
        match self.functions.call(function, &[Argument::Node(left), Argument::Node(right)]) {
            Called::Value(value) => value,
            Called::Unknown => Node::unknown(right.span),
            Called::Failed(message) => {
                self.problem(ProblemKind::Function { message }, place);
                Node::unknown(right.span)
            }
        }
    }

    fn assert(&mut self, via: Option<Span>, left: &Node, right: &Node, place: Span) {
        let failed = match via {
            None => (left.is_known() && right.is_known() && !contains(left, right)).then_some(None),
            Some(function) => match self.functions.call(function, &[Argument::Node(left), Argument::Node(right)]) {
                Called::Value(Node { value: NodeValue::Bool(false), .. }) => Some(None),
                Called::Value(Node { value: NodeValue::Array(pair), .. }) => match pair.as_slice() {
                    [ArrayItem { value: Node { value: NodeValue::Bool(false), .. }, .. }, text] => {
                        Some(match &text.value.value {
                            NodeValue::String(text) => Some(text.to_string()),
                            _ => None,
                        })
                    }
                    _ => None,
                },
                Called::Failed(message) => Some(Some(message)),
                _ => None,
            },
        };
        if let Some(message) = failed {
            self.problem(ProblemKind::AssertFailed { message }, place);
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

fn remove_all<T>(items: &mut Vec<T>, at: &[usize]) {
    for index in at.iter().rev() {
        if *index < items.len() {
            items.remove(*index);
        }
    }
}

/// Puts `value` in place of `left` and keeps what it replaced.
fn replace(left: &mut Node, value: Node) {
    let old = std::mem::replace(left, value);
    left.replaced = Some(Arc::new(old));
}

fn make_unknown(node: &mut Node) {
    let span = node.span;
    replace(node, Node::unknown(span));
}

fn kind_name(value: &NodeValue) -> &'static str {
    match value {
        NodeValue::Null => "null",
        NodeValue::Bool(_) => "boolean",
        NodeValue::Int(_) => "integer",
        NodeValue::Float(_) => "float",
        NodeValue::String(_) => "string",
        NodeValue::Map(_) => "map",
        NodeValue::Array(_) => "array",
        NodeValue::Unknown => "unknown",
    }
}
