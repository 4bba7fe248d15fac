//! The merge itself, of documents and of values. The modules `map` and `sequence` handle items.

use crate::annotations::{Count, Expectation, Expectations, Operation, plan};
use crate::functions::Functions;
use crate::matching::{Held, holds, words};
use crate::problem::{Problem, ProblemKind, Wrong};
use lofting_document::{Document, Node, NodeValue, OwnerKind, Span};
use std::sync::Arc;

/// How the right side is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// A schema or data values document: only its annotations count.
    Annotated,
    /// A plain values file: every item is `missing_ok`, and scalars, nulls and arrays replace (docs/ytt.md 11.3).
    Plain,
    /// The nested maps of a flag: as plain, but at the end of the flag's path a map replaces as well (docs/ytt.md
    /// 11.4).
    Flag {
        /// Number of map levels in the flag's path.
        depth: usize,
    },
}

/// One merge, which collects the problems of all documents that it merges.
pub struct Overlay<'f> {
    pub(crate) functions: &'f dyn Functions,
    pub(crate) problems: Vec<Problem>,
    pub(crate) mode: Mode,
    /// A function has returned a dict or list since this was last reset.
    pub(crate) made_raw: bool,
    /// New keys need no annotation.
    new_keys: bool,
}

impl<'f> Overlay<'f> {
    /// A merge that calls the functions in annotations through `functions`.
    pub fn new(functions: &'f dyn Functions) -> Self {
        Overlay { functions, problems: Vec::new(), mode: Mode::Annotated, made_raw: false, new_keys: false }
    }

    /// Lets documents add new keys, as if `@overlay/match-child-defaults missing_ok=True` were above them.
    #[must_use]
    pub fn with_new_keys(self, new_keys: bool) -> Self {
        Overlay { new_keys, ..self }
    }

    /// The problems so far, in the order they were met.
    pub fn into_problems(self) -> Vec<Problem> {
        self.problems
    }

    /// Merges `right` into `left` in ytt's exact mode (docs/ytt.md 14.6), in which the one document always matches.
    pub fn apply(&mut self, left: &mut Document, right: &Document, mode: Mode) {
        self.mode = mode;
        let place = right.marker.unwrap_or(right.value.span);
        let none = Expectations::default();
        // A plain document behaves like its items: anything but a map replaces the whole value.
        if mode == Mode::Plain && !matches!(right.value.value, NodeValue::Map(_)) {
            left.marker = right.marker.or(left.marker);
            return replace(&mut left.value, right.value.clone());
        }
        if mode != Mode::Annotated {
            return self.value(&mut left.value, &right.value, place, &none, 0);
        }
        let mut plan = plan(OwnerKind::Document, &right.notes, &none, place, &mut self.problems);
        if self.new_keys && plan.child_defaults == none {
            plan.child_defaults = Expectations::new_keys();
        }
        if let Some(expectation) = &plan.matching.expectation {
            match self.expected(expectation, 1, &[left.value.span], place) {
                Counted::Act => {}
                Counted::Leave => return,
                Counted::Unknown => return make_unknown(&mut left.value),
            }
        }
        match &plan.operation {
            Operation::Merge => self.value(&mut left.value, &right.value, place, &plan.child_defaults, 0),
            Operation::Replace { via, .. } => {
                let value = self.replacement(via.as_ref(), Some(&left.value), &right.value, place);
                replace(&mut left.value, value);
                left.marker = right.marker.or(left.marker);
                left.notes = right.notes.clone();
            }
            Operation::Insert { before: true, via, .. } => {
                let value = self.replacement(via.as_ref(), Some(&left.value), &right.value, place);
                replace(&mut left.value, value);
            }
            Operation::Insert { .. } | Operation::Append => {}
            Operation::Remove => self.problem(ProblemKind::RemoveDocument, place),
            Operation::Assert { via } => {
                self.assert(via.as_ref(), &left.value, &right.value, place);
                self.below_assert(&mut left.value, &right.value, place, &plan.child_defaults, 0);
            }
        }
    }

    pub(crate) fn problem(&mut self, kind: ProblemKind, span: Span) {
        self.problems.push(Problem::new(kind, span, None));
    }

    /// Reports what cannot be applied at `span`.
    pub(crate) fn wrong(&mut self, wrong: Wrong, span: Span) {
        let Wrong { kind, function, trace } = wrong;
        self.problems.push(Problem { kind, span, annotation: function, trace });
    }

    /// What to do with this number of matches. Reports a problem if it is not the expected one.
    pub(crate) fn expected(
        &mut self,
        expectation: &Expectation,
        found: usize,
        matched: &[Span],
        place: Span,
    ) -> Counted {
        match holds(&expectation.count, found, self.functions) {
            Held::Yes => Counted::Act,
            Held::No if expectation.quiet => Counted::Leave,
            Held::No => {
                self.count_problem(&expectation.count, found, matched.to_vec(), place);
                Counted::Leave
            }
            // ytt either proceeds or fails, so unless failure is silent (`when=`) the result is certain.
            Held::Unknown if !expectation.quiet => Counted::Act,
            Held::Unknown => Counted::Unknown,
            Held::Stopped(message) => {
                self.problem(ProblemKind::NotEvaluated { message }, place);
                if expectation.quiet { Counted::Unknown } else { Counted::Act }
            }
            Held::Failed(wrong) => {
                self.wrong(wrong, place);
                Counted::Leave
            }
            Held::Wrong(message, argument) => {
                let kind = ProblemKind::Argument { message };
                self.problems.push(Problem::new(kind, place, Some(argument)));
                Counted::Leave
            }
        }
    }

    fn count_problem(&mut self, count: &Count, found: usize, matched: Vec<Span>, place: Span) {
        self.problem(ProblemKind::MatchCount { expected: words(count), found, matched }, place);
    }

    /// Merges the children of a node that was asserted. The value of the node itself stays: ytt merges the right side
    /// into it and then drops whatever would have replaced it, including null.
    pub(crate) fn below_assert(
        &mut self,
        left: &mut Node,
        right: &Node,
        place: Span,
        inherited: &Expectations,
        level: usize,
    ) {
        let expected = match right.value {
            NodeValue::Map(_) => "map",
            NodeValue::Array(_) => "array",
            _ => return,
        };
        if matches!(left.value, NodeValue::Null) {
            return self.problem(ProblemKind::Kind { expected, existing: "null", left: left.span }, place);
        }
        self.value(left, right, place, inherited, level);
    }

    /// Merges the value `right` (of the node at `place`) into `left`. `level` counts map levels.
    pub(crate) fn value(&mut self, left: &mut Node, right: &Node, place: Span, inherited: &Expectations, level: usize) {
        if matches!(right.value, NodeValue::Unknown) || matches!(left.value, NodeValue::Unknown) {
            let mut value = right.clone();
            value.value = NodeValue::Unknown;
            return replace(left, value);
        }
        if left.raw {
            let expected = match right.value {
                NodeValue::Map(_) => "map",
                NodeValue::Array(_) => "array",
                _ => return replace(left, right.clone()),
            };
            return self.problem(ProblemKind::Raw { expected, left: left.span }, place);
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
}

/// What to do after counting the matches.
pub(crate) enum Counted {
    /// Carry out the operation.
    Act,
    /// Skip the operation.
    Leave,
    /// One of both, but it is not known which.
    Unknown,
}

/// Puts `value` in place of `left`, and keeps the replaced value with it.
pub(crate) fn replace(left: &mut Node, value: Node) {
    let old = std::mem::replace(left, value);
    left.replaced = Some(Arc::new(old));
}

pub(crate) fn make_unknown(node: &mut Node) {
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
