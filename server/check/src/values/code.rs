//! Calls the rules and conditions that are code, on the final values (docs/ytt.md 13.3 to 13.5).
//!
//! All conditions are called in one batch, then all rules that apply in another, so that a process that implements
//! [`Assertions`] gets two messages instead of one per value.
//!
//! The sites, values with such rules, are found in the final values ([`sites`]) or by the walk over a document that is
//! being typed.

mod sites;

pub(in crate::values) use self::sites::wants_not_null;

use self::sites::sites;
use super::bounds::BoundedValue;
use super::{Finding, Findings, ValuesCheck};
use crate::at::At;
use crate::bound::MADE;
use crate::finding::KeptByRule;
use crate::path::{PathId, Paths};
use crate::rules;
use crate::suggest::Comparisons;
use crate::view::{NodeView, Source};
use lofting_diagnostic::Diagnostic;
use lofting_document::{Fingerprint, Node, NodeValue, Span};
use lofting_eval::{Callable, Data};
use lofting_schema::semantics::Calls;
use lofting_schema::{Schema, SchemaId};
use rustc_hash::FxHashSet;
use std::borrow::Cow;

/// Calls the functions of rules.
pub trait Assertions {
    /// Returns one answer for each call, in order.
    fn call(&self, calls: &[AssertionCall<'_>]) -> Vec<Answer>;
}

/// A call of a rule or condition.
#[derive(Debug, Clone, Copy)]
pub struct AssertionCall<'a> {
    /// What to call.
    pub function: &'a Callable,
    /// The value to check.
    pub value: CallValue<'a>,
    /// The context, for conditions with two parameters.
    pub context: Option<Context<'a>>,
    /// The schema node that tells which maps are passed as structs, in languages that do so.
    pub typed: Option<(&'a Schema, SchemaId)>,
}

/// The value that a rule or condition gets.
#[derive(Debug, Clone, Copy)]
pub enum CallValue<'a> {
    /// As a whole.
    Node(&'a Node),
    /// A long collection in portions.
    Long(&'a LongValue),
}

/// A long collection of which evaluators keep portions.
#[derive(Debug)]
pub struct LongValue {
    /// The value, with portions in it.
    pub data: Data,
    /// The fingerprint that [`lofting_document::Fingerprints`] make of the value.
    pub fingerprint: Fingerprint,
}

/// What a condition may look at besides the value.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The map or array that contains the value; None for the document.
    pub parent: Option<&'a Node>,
    /// The document's value.
    pub root: &'a Node,
}

/// The result of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Exactly `True`.
    True,
    /// `False`.
    False,
    /// A value of this other type.
    Other(String),
    /// It failed with this message.
    Failed(String),
    /// It could not be answered, for this reason. Not the user's error.
    Stopped(String),
    /// It was interrupted, for this reason; a later attempt may succeed.
    Interrupted(String),
    /// It could not be called. Not the user's error.
    Unknown,
}

impl AssertionCall<'_> {
    /// The meaning of a result.
    pub fn answer(&self, result: &Data) -> Answer {
        let is_rule = self.typed.is_some();
        match result {
            Data::Bool(true) => Answer::True,
            Data::None if is_rule => Answer::True,
            Data::Bool(false) => Answer::False,
            Data::Tuple(parts) if is_rule => match parts.as_slice() {
                [holds, Data::String(_)] if is_true(holds) => Answer::True,
                [_, Data::String(text)] => Answer::Failed(text.to_string()),
                _ => Answer::Failed(NO_RESULT.to_owned()),
            },
            _ if is_rule => Answer::Failed(NO_RESULT.to_owned()),
            other => Answer::Other(other.type_name().to_owned()),
        }
    }
}

const NO_RESULT: &str = "the rule must return True, False, None or a pair (ok, message)";

/// Whether Starlark treats a value as true.
fn is_true(value: &Data) -> bool {
    match value {
        Data::None | Data::Bool(false) | Data::Int(lofting_eval::Integer::ZERO) => false,
        Data::Float(number) => *number != 0.0,
        Data::String(text) => !text.is_empty(),
        Data::List(items) | Data::Tuple(items) | Data::Set(items) => !items.is_empty(),
        Data::Dict(entries) => !entries.is_empty(),
        _ => true,
    }
}

/// Calls nothing: every answer is unknown.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoAssertions;

impl Assertions for NoAssertions {
    fn call(&self, calls: &[AssertionCall<'_>]) -> Vec<Answer> {
        vec![Answer::Unknown; calls.len()]
    }
}

/// A final value with rules that are code.
pub(super) struct Site<'a> {
    pub value: Cow<'a, Node>,
    /// The value in portions; then items of `value` stand for these, and nothing may look at them.
    pub long: Option<LongValue>,
    /// The map or array that contains it, if conditions may look at that.
    pub parent: Option<&'a Node>,
    pub id: SchemaId,
    pub path: PathId,
    /// Where to report findings about it.
    pub name: Span,
}

impl Site<'_> {
    fn passed(&self) -> CallValue<'_> {
        self.long.as_ref().map_or(CallValue::Node(&self.value), CallValue::Long)
    }
}

/// The answers for a number of sites.
pub(super) struct Asked {
    /// Findings, each with the index of its site, in the order of the sites.
    pub findings: Vec<(usize, Finding)>,
    /// How many further findings were only counted.
    pub more: usize,
    /// For each site, whether it has no answer yet but may have one later.
    pub open: Vec<bool>,
}

/// Calls all code rules of `schema` for the final values. `name` is where to report something about the document as a
/// whole.
pub(crate) fn check(
    schema: &Schema,
    root: &Node,
    name: Span,
    source: &dyn Source,
    assertions: &dyn Assertions,
) -> Findings {
    let mut paths = Paths::default();
    let sites = sites(schema, root, name, &mut paths);
    let root = root.is_known().then_some(root);
    let asked = ask(&sites, &Asking { schema, root, paths: &paths, source, assertions });
    let findings = asked.findings.into_iter().map(|(_, finding)| finding).collect();
    Findings::of_calls(findings, asked.more)
}

/// The context for calling rules.
pub(super) struct Asking<'a> {
    pub schema: &'a Schema,
    /// The document's final value, if it is known.
    pub root: Option<&'a Node>,
    pub paths: &'a Paths,
    pub source: &'a dyn Source,
    pub assertions: &'a dyn Assertions,
}

/// Calls the rules of all sites.
pub(super) fn ask(sites: &[Site<'_>], asking: &Asking<'_>) -> Asked {
    let Asking { schema, paths, source, assertions, .. } = *asking;
    let (mut findings, mut more, mut open) = (Vec::new(), 0, vec![false; sites.len()]);
    let mut kept = KeptByRule::default();
    let mut report = |index: usize, site: &Site<'_>, make: &dyn Fn(&At<'_>) -> Diagnostic| {
        let mut diagnostic = make(&At::of(site.name, site.path, paths, source, schema.semantics()));
        if !kept.add(&diagnostic, MADE) {
            more += 1;
            return;
        }
        diagnostic.path = Some(paths.display(site.path));
        let steps = paths.steps(site.path).into_iter().cloned().collect();
        findings.push((index, Finding::new(diagnostic, steps)));
    };
    let holding = holding(sites, asking, &mut open, &mut report);
    let mut calls = Vec::new();
    let mut searches = Comparisons::default();
    for (index, (site, holds)) in sites.iter().zip(&holding).enumerate() {
        if !holds {
            continue;
        }
        let node = schema.node(site.id);
        if node.condition.is_some() {
            let check = ValuesCheck::alone(schema, source);
            let value = NodeView(&site.value);
            let given = BoundedValue { conditional: true, ..BoundedValue::alone(value, &check, site.id) };
            for broken in given.broken() {
                let suggest = searches.allow(broken.choices());
                report(index, site, &|at| broken.finding(at, suggest));
            }
        }
        // Null is skipped, or `not_null=` is the only rule checked (docs/ytt.md 13.3).
        if matches!(site.value.value, NodeValue::Null) {
            continue;
        }
        for rule in &node.rules {
            if let Some(function) = &rule.assertion {
                calls.push((
                    index,
                    site,
                    rule,
                    AssertionCall { function, value: site.passed(), context: None, typed: typed(schema, site.id) },
                ));
            }
        }
    }
    let questions: Vec<AssertionCall<'_>> = calls.iter().map(|(.., call)| *call).collect();
    let answers = if questions.is_empty() { Vec::new() } else { assertions.call(&questions) };
    // One note for each rule, however many values it could not be called for.
    let mut noted = FxHashSet::default();
    for ((index, site, rule, _), answer) in calls.iter().zip(&answers) {
        let why = match answer {
            Answer::True => continue,
            Answer::Stopped(why) | Answer::Interrupted(why) => {
                if let Some(open) = open.get_mut(*index) {
                    *open |= matches!(answer, Answer::Interrupted(_));
                }
                if noted.insert(rule.span) {
                    report(*index, site, &|at| rules::ytt_not_evaluated::of_rule(at.name, why, rule.span));
                }
                continue;
            }
            Answer::Unknown => {
                if let Some(open) = open.get_mut(*index) {
                    *open = true;
                }
                continue;
            }
            Answer::Failed(message) => Some(bare(message)),
            Answer::False | Answer::Other(_) => None,
        };
        // What users write themselves needs no advice.
        let own = matches!(answer, Answer::Failed(message) if why != Some(message));
        let help = why.filter(|_| !own).and_then(rules::ytt_evaluation::advice);
        report(*index, site, &|at| {
            rules::ytt_validation::finding(at, NodeView(&site.value), rule, why, help.as_deref())
        });
    }
    findings.sort_by_key(|(index, _)| *index);
    Asked { findings, more, open }
}

fn typed(schema: &Schema, id: SchemaId) -> Option<(&Schema, SchemaId)> {
    (schema.semantics().data_values.calls == Calls::Results).then_some((schema, id))
}

type Report<'r> = dyn FnMut(usize, &Site<'_>, &dyn Fn(&At<'_>) -> Diagnostic) + 'r;

/// Which sites' rules apply: those without a condition, and those whose condition returns `True`.
fn holding(sites: &[Site<'_>], asking: &Asking<'_>, open: &mut [bool], report: &mut Report<'_>) -> Vec<bool> {
    let schema = asking.schema;
    let mut holding: Vec<bool> = sites.iter().map(|site| schema.node(site.id).condition.is_none()).collect();
    let mut asked = Vec::new();
    let mut calls = Vec::new();
    for (index, site) in sites.iter().enumerate() {
        let Some(condition) = &schema.node(site.id).condition else { continue };
        let Some(function) = &condition.function else { continue };
        let context = match (function.parameters, asking.root) {
            (Some(1), _) => None,
            (Some(2), Some(root)) => Some(Context { parent: site.parent, root }),
            (Some(given @ (0 | 3..)), _) => {
                let words = format!("the function must accept 1 or 2 arguments ({given} given)");
                report(index, site, &|at| rules::ytt_when::finding(at, condition.span, &words));
                continue;
            }
            (None, _) => {
                let words = "a built-in function crashes ytt; write `lambda value: ...` around it";
                report(index, site, &|at| rules::ytt_when::finding(at, condition.span, words));
                continue;
            }
            // The context is not known.
            (Some(_), None) => continue,
        };
        asked.push(index);
        calls.push(AssertionCall { function, value: site.passed(), context, typed: None });
    }
    let answers = if calls.is_empty() { Vec::new() } else { asking.assertions.call(&calls) };
    for (index, answer) in asked.into_iter().zip(answers) {
        let Some((site, holds)) = sites.get(index).zip(holding.get_mut(index)) else { continue };
        let Some(condition) = &schema.node(site.id).condition else { continue };
        let words = match answer {
            Answer::True => {
                *holds = true;
                continue;
            }
            Answer::False => continue,
            Answer::Unknown => {
                if let Some(open) = open.get_mut(index) {
                    *open = true;
                }
                continue;
            }
            Answer::Stopped(ref why) | Answer::Interrupted(ref why) => {
                if let Some(open) = open.get_mut(index) {
                    *open |= matches!(answer, Answer::Interrupted(_));
                }
                report(index, site, &|at| rules::ytt_not_evaluated::of_rule(at.name, why, condition.span));
                continue;
            }
            Answer::Other(kind) => format!("it must return True or False, but returned a {kind}"),
            Answer::Failed(message) => message,
        };
        report(index, site, &|at| rules::ytt_when::finding(at, condition.span, &words));
    }
    holding
}

/// A failure as ytt shows it: without the leading `fail: ` and then `check: ` (docs/ytt.md 13.3).
fn bare(message: &str) -> &str {
    let message = message.strip_prefix("fail: ").unwrap_or(message);
    message.strip_prefix("check: ").unwrap_or(message)
}
