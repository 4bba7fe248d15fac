//! The values of one input set, merged and checked document by document as ytt does (docs/ytt.md 2, 11, 12, 13).

mod keys;

use crate::final_values::DataValues;
use crate::overlay::{check_overlay, is_reported_by_values};
use crate::values::{Assertions, Base, Checks, Layers, Root, Style, ValuesCheck, code};
use crate::view::{NodeView, Source};
use crate::{check_merged_keys, check_schema, place_in, shown_steps, suggest};
use lofting_diagnostic::{Diagnostic, Stage};
use lofting_document::{Document, Node, NodeValue, Span};
use lofting_overlay::Functions;
use lofting_schema::Schema;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::LazyCell;

/// A values document of an input set.
#[derive(Clone, Copy)]
pub struct ValuesDocument<'a> {
    /// The document.
    pub document: &'a Document,
    /// How it is merged.
    pub mode: lofting_overlay::Mode,
}

/// The context in which the values of an input set are checked.
#[derive(Clone, Copy)]
pub struct ValuesSet<'a> {
    /// The set's schema; without one, everything is allowed.
    pub schema: Option<&'a Schema>,
    /// Calls functions of overlay annotations.
    pub functions: &'a dyn Functions,
    /// Calls functions of rules.
    pub assertions: &'a dyn Assertions,
    /// The text of all files of the set.
    pub source: &'a dyn Source,
    /// Whether validations are run on the final values.
    pub validations: bool,
    /// Findings that are made of each kind of mistake in a document; further ones are only counted.
    pub limit: usize,
}

/// The result for the values of an input set.
#[derive(Debug, Clone)]
pub struct SetReport {
    /// Findings in all files of the set, each once.
    pub findings: Vec<Diagnostic>,
    /// How many further findings were only counted.
    pub more: usize,
    /// The final values, as far as they could be merged.
    pub values: Node,
}

impl ValuesSet<'_> {
    /// Merges and checks the documents in order, then validates the result.
    pub fn check(&self, documents: &[ValuesDocument<'_>]) -> SetReport {
        let asked = self.schema.and_then(|schema| keys::asked(schema, documents, self.functions));
        match &asked {
            Some(schema) => {
                let set = ValuesSet { schema: Some(schema), ..*self };
                set.merge_and_check(DataValues::new(set.schema), documents)
            }
            None => self.merge_and_check(DataValues::new(self.schema), documents),
        }
    }

    /// Like [`ValuesSet::check`], for documents that are merged onto these values.
    pub(crate) fn check_over(&self, values: &Node, documents: &[ValuesDocument<'_>]) -> SetReport {
        self.merge_and_check(DataValues::over(self.schema, values.clone()), documents)
    }

    fn merge_and_check(&self, mut values: DataValues<'_>, documents: &[ValuesDocument<'_>]) -> SetReport {
        let mut findings = Vec::new();
        let mut more = 0;
        // Number of merge problems that became findings; at most as many as are shown.
        let mut worded = 0;
        for given in documents {
            if let (Some(schema), Some(current)) = (self.schema, values.current()) {
                let style = match given.mode {
                    lofting_overlay::Mode::Annotated => Style::Annotated,
                    lofting_overlay::Mode::Plain => Style::Plain,
                    lofting_overlay::Mode::Flag { depth } => Style::Flag { depth },
                };
                let layers = Layers::Over { style, below: Base::Merged(&current.value) };
                let check = ValuesCheck {
                    schema,
                    layers,
                    checks: Checks::WITHOUT_RULES,
                    source: self.source,
                    limit: self.limit,
                };
                if let Some(root) = Root::document(given.document) {
                    let found = check.run(root);
                    more += found.more;
                    findings.extend(found.into_diagnostics());
                }
            }
            let asks = lofting_overlay::asks_functions(given.document);
            let before = if asks { self.types(&values) } else { None };
            let problems = values.lay(given.document, given.mode, self.functions);
            // The walk reports these better, except where a function chose what to merge.
            let values_of = LazyCell::new(|| spans_of_values(given.document));
            for problem in &problems {
                let is_there = |span: &Span| findings.iter().any(|finding| finding.span == *span);
                let reported =
                    || !asks || is_there(&problem.span) || values_of.get(&problem.span).is_some_and(is_there);
                if self.schema.is_none() || !is_reported_by_values(problem) || !reported() {
                    worded += 1;
                    if worded > self.limit {
                        more += 1
                    } else {
                        findings.extend(check_overlay(problem, worded <= suggest::SEARCHES))
                    }
                }
            }
            if let (Some(before), Some(after)) = (before, asks.then(|| self.types(&values)).flatten()) {
                for finding in after {
                    // Merging may change the index of an item, and so its path and the message.
                    let is_same = |other: &Diagnostic| {
                        other.rule == finding.rule && (other.path == finding.path || other.span == finding.span)
                    };
                    if !before.iter().chain(&findings).any(is_same) {
                        findings.push(finding);
                    }
                }
            }
        }
        let name = values.current().and_then(|document| document.marker);
        let asserted = values.current().filter(|_| self.validations).and_then(lofting_dialect::ytt::asserted);
        let values = values.finish();
        let name = name.unwrap_or(values.span);
        if let Some(asserted) = &asserted {
            let problems = check_schema(&asserted.schema, &asserted.faults(), self.source);
            findings.extend(problems.into_iter().map(|problem| problem.stage(Stage::Validation)));
        }
        let own = asserted.as_ref().map(|asserted| &asserted.schema);
        let checks = if self.validations { Checks::RULES } else { Checks::COUNTS };
        for schema in self.schema.into_iter().chain(own) {
            let check = ValuesCheck::alone(schema, self.source).asking(checks).up_to(self.limit);
            if self.validations && schema.has_code() {
                let code = code::check(schema, &values, name, self.source, self.assertions);
                more += code.more;
                findings.extend(code.into_diagnostics());
            }
            let found = check.run(Root::new(NodeView(&values), name));
            more += found.more;
            findings.extend(found.into_diagnostics());
        }
        // Which keys are there twice in the end, the walk along each document does not know.
        findings.retain(|finding| *finding.rule != crate::rules::DUPLICATE_KEY);
        findings.extend(repeated_keys(&values, self.limit, &mut more));
        // ytt calls no condition before all types are right: one that fails on a wrong value is not to blame.
        let is_wrong = |finding: &Diagnostic| matches!(finding.stage, Stage::Overlay | Stage::Type);
        if findings.iter().any(is_wrong) {
            findings.retain(|finding| *finding.rule != crate::rules::CONDITION);
        }
        drop_what_wrong_types_cause(&mut findings, documents);
        SetReport { findings, more, values }
    }

    /// The type findings for the values so far. If a document calls functions while merging, only the merged values are
    /// known to be right.
    fn types(&self, values: &DataValues<'_>) -> Option<Vec<Diagnostic>> {
        let (schema, current) = (self.schema?, values.current()?);
        let check = ValuesCheck::alone(schema, self.source).asking(Checks::TYPES).up_to(self.limit);
        let name = current.marker.unwrap_or(current.value.span);
        Some(check.run(Root::new(NodeView(&current.value), name)).into_diagnostics())
    }
}

/// The keys that a map of the final values has twice.
fn repeated_keys(values: &Node, limit: usize, more: &mut usize) -> Vec<Diagnostic> {
    let mut found = check_merged_keys([values]);
    *more += found.len().saturating_sub(limit);
    found.truncate(limit);
    found.iter_mut().for_each(|finding| finding.path = Some(shown_steps(&[])));
    found
}

/// A value that cannot be merged, such as one of the wrong type, changes nothing, so that rules would judge the value in
/// its place. ytt calls none then.
fn drop_what_wrong_types_cause(findings: &mut Vec<Diagnostic>, documents: &[ValuesDocument<'_>]) {
    let wrong = findings.iter().filter(|finding| matches!(finding.stage, Stage::Type | Stage::Overlay));
    let wrong: FxHashSet<Span> = wrong.map(|finding| finding.span).collect();
    if wrong.is_empty() || !findings.iter().any(|finding| finding.stage == Stage::Validation) {
        return;
    }
    let places = documents.iter().flat_map(|given| spans_of_values(given.document));
    let names: FxHashSet<Span> =
        places.filter(|(name, value)| wrong.contains(name) || wrong.contains(value)).map(|(name, _)| name).collect();
    findings.retain(|finding| {
        // What is found in a default is about the document that gives another value.
        let place = || {
            let mut placed = finding.clone();
            let is_placed = documents.iter().rev().any(|given| place_in(&mut placed, given.document));
            is_placed.then_some(placed.span)
        };
        finding.stage != Stage::Validation
            || !names.contains(&finding.span) && !place().is_some_and(|span| names.contains(&span))
    });
}

/// Where values are, by the keys, dashes and markers before them, at which problems of merging are.
fn spans_of_values(document: &Document) -> FxHashMap<Span, Span> {
    let mut spans: FxHashMap<Span, Span> =
        document.marker.iter().map(|marker| (*marker, document.value.span)).collect();
    let mut open = vec![&document.value];
    while let Some(node) = open.pop() {
        match &node.value {
            NodeValue::Map(items) => {
                spans.extend(items.iter().map(|item| (item.key_span, item.value.span)));
                open.extend(items.iter().map(|item| &item.value));
            }
            NodeValue::Array(items) => {
                spans.extend(items.iter().map(|item| (item.span, item.value.span)));
                open.extend(items.iter().map(|item| &item.value));
            }
            _ => {}
        }
    }
    spans
}
