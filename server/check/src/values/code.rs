//! Rules and conditions that are code, on the final values (ytt reference 13.3 to 13.5).
//!
//! All conditions are asked in one batch and then all rules that apply in another, so that a process
//! behind [`Assertions`] is spoken to twice and not once per value.

use super::at::At;
use super::bounds::Given;
use super::left::Left;
use super::{Base, Finding, Findings, Mode, ValuesCheck};
use crate::diagnostic::{Diagnostic, LIMIT};
use crate::path::{PathId, Paths, ROOT, Step};
use crate::rules;
use crate::view::{NodeView, Source};
use lofting_document::{Node, NodeValue, Span};
use lofting_eval::Callable;
use lofting_schema::{ConstraintKind, Schema, SchemaId, SchemaNode, Shape};

/// Calls the functions of rules.
pub trait Assertions {
    /// One answer for each call, in order.
    fn call(&self, calls: &[AssertionCall<'_>]) -> Vec<Answer>;
}

/// A call of a rule or condition.
#[derive(Debug, Clone, Copy)]
pub struct AssertionCall<'a> {
    /// What to call.
    pub function: &'a Callable,
    /// The value in question.
    pub value: &'a Node,
    /// For conditions with two parameters.
    pub context: Option<Context<'a>>,
}

/// What a condition may look at besides its value.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The map or array that holds the value; none for the document.
    pub parent: Option<&'a Node>,
    /// The document's value.
    pub root: &'a Node,
}

/// What a call gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Exactly `True`.
    True,
    /// `False`.
    False,
    /// A value of this type.
    Other(String),
    /// It failed, with these words.
    Failed(String),
    /// It could not be asked; nobody's fault.
    Unknown,
}

/// Knows no function: nothing can be asked.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoAssertions;

impl Assertions for NoAssertions {
    fn call(&self, calls: &[AssertionCall<'_>]) -> Vec<Answer> {
        vec![Answer::Unknown; calls.len()]
    }
}

/// A value with code rules.
struct Site<'a> {
    value: &'a Node,
    parent: Option<&'a Node>,
    id: SchemaId,
    path: PathId,
    name: Span,
}

/// Asks all rules of `schema` that are code about the final values. `name` is what to point at when the
/// document as a whole is wrong.
pub(crate) fn check(
    schema: &Schema,
    root: &Node,
    name: Span,
    source: &dyn Source,
    assertions: &dyn Assertions,
) -> Findings {
    let mut paths = Paths::default();
    let sites = sites(schema, root, name, &mut paths);
    let mut found = Findings::default();
    let mut report = |site: &Site<'_>, make: &dyn Fn(&At<'_>) -> Diagnostic| {
        if found.findings.len() >= LIMIT {
            found.more += 1;
            return;
        }
        let mut diagnostic = make(&At::of(site.name, site.path, &paths, source));
        diagnostic.path = Some(paths.display(site.path));
        let steps = paths.steps(site.path).into_iter().cloned().collect();
        found.findings.push(Finding { diagnostic, steps });
    };
    let holding = holding(schema, root, &sites, assertions, &mut report);
    let mut calls = Vec::new();
    for (site, holds) in sites.iter().zip(&holding) {
        if !holds {
            continue;
        }
        let node = schema.node(site.id);
        if node.condition.is_some() {
            let check = ValuesCheck { schema, mode: Mode::Final, base: Base::Defaults, source, validations: true };
            let given =
                Given { value: NodeView(site.value), left: Left::Fresh, check: &check, id: site.id, conditional: true };
            for broken in given.broken() {
                report(site, &|at| broken.finding(at));
            }
        }
        if matches!(site.value.value, NodeValue::Null) && !wants_not_null(node) {
            continue;
        }
        for rule in &node.rules {
            if let Some(function) = &rule.assertion {
                calls.push((site, rule, AssertionCall { function, value: site.value, context: None }));
            }
        }
    }
    let asked: Vec<AssertionCall<'_>> = calls.iter().map(|(_, _, call)| *call).collect();
    let answers = if asked.is_empty() { Vec::new() } else { assertions.call(&asked) };
    for ((site, rule, _), answer) in calls.iter().zip(&answers) {
        let why = match answer {
            Answer::True | Answer::Unknown => continue,
            Answer::Failed(message) => Some(bare(message)),
            Answer::False | Answer::Other(_) => None,
        };
        report(site, &|at| rules::ytt_validation::finding(at, NodeView(site.value), rule, why));
    }
    found
}

type Report<'r> = dyn FnMut(&Site<'_>, &dyn Fn(&At<'_>) -> Diagnostic) + 'r;

/// Which sites' rules apply: those without a condition and those whose condition says `True`.
fn holding(
    schema: &Schema,
    root: &Node,
    sites: &[Site<'_>],
    assertions: &dyn Assertions,
    report: &mut Report<'_>,
) -> Vec<bool> {
    let mut holding: Vec<bool> = sites.iter().map(|site| schema.node(site.id).condition.is_none()).collect();
    let mut asked = Vec::new();
    let mut calls = Vec::new();
    let root_known = root.is_known();
    for (index, site) in sites.iter().enumerate() {
        let Some(condition) = &schema.node(site.id).condition else { continue };
        let Some(function) = &condition.function else { continue };
        let context = match function.parameters {
            Some(1) => None,
            Some(2) if root_known => Some(Context { parent: site.parent, root }),
            Some(given @ (0 | 3..)) => {
                let words = format!("the function must accept 1 or 2 arguments ({given} given)");
                report(site, &|at| rules::ytt_when::finding(at, condition.span, &words));
                continue;
            }
            None => {
                let words = "a built-in function crashes ytt; write `lambda value: ...` around it";
                report(site, &|at| rules::ytt_when::finding(at, condition.span, words));
                continue;
            }
            // The context is not known.
            Some(_) => continue,
        };
        asked.push(index);
        calls.push(AssertionCall { function, value: site.value, context });
    }
    let answers = if calls.is_empty() { Vec::new() } else { assertions.call(&calls) };
    for (index, answer) in asked.into_iter().zip(answers) {
        let Some((site, holds)) = sites.get(index).zip(holding.get_mut(index)) else { continue };
        let Some(condition) = &schema.node(site.id).condition else { continue };
        let words = match answer {
            Answer::True => {
                *holds = true;
                continue;
            }
            Answer::False | Answer::Unknown => continue,
            Answer::Other(kind) => format!("it must return True or False, but returned a {kind}"),
            Answer::Failed(message) => message,
        };
        report(site, &|at| rules::ytt_when::finding(at, condition.span, &words));
    }
    holding
}

/// All values that have a rule or condition which is code, below nothing that is null or of any type.
fn sites<'a>(schema: &Schema, root: &'a Node, name: Span, paths: &mut Paths) -> Vec<Site<'a>> {
    let mut sites = Vec::new();
    let mut stack = vec![Site { value: root, parent: None, id: schema.root(), path: ROOT, name }];
    while let Some(site) = stack.pop() {
        let node = schema.node(site.id);
        match (&node.shape, &site.value.value) {
            (Shape::Map(map), NodeValue::Map(items)) => {
                for item in items.iter().filter(|item| !item.conditional) {
                    let Some(declared) = map.get(&item.key) else { continue };
                    let path = paths.below(site.path, Step::Key(item.key.clone()));
                    let parent = Some(site.value);
                    stack.push(Site { value: &item.value, parent, id: declared.schema, path, name: item.key_span });
                }
            }
            (Shape::Array(array), NodeValue::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    let id = *array.prefix.get(index).unwrap_or(&array.item);
                    let path = paths.below(site.path, Step::Index(index));
                    stack.push(Site { value: &item.value, parent: Some(site.value), id, path, name: item.span });
                }
            }
            _ => {}
        }
        let has_code = !node.rules.is_empty() || node.condition.is_some();
        let skipped = matches!(site.value.value, NodeValue::Null) && !wants_not_null(node);
        if has_code && !skipped && site.value.is_known() && fits(node, &site.value.value) {
            sites.push(site);
        }
    }
    sites
}

/// Whether a value is of the kind its type wants. What a rule says about another kind only follows from
/// that mistake, which is told already.
fn fits(node: &SchemaNode, value: &NodeValue) -> bool {
    match (&node.shape, value) {
        (Shape::Any | Shape::Unknown | Shape::Union(_), _) | (Shape::Null, NodeValue::Null) => true,
        (_, NodeValue::Null) => node.nullable,
        (Shape::Bool, NodeValue::Bool(_))
        | (Shape::Int, NodeValue::Int(_))
        | (Shape::Float, NodeValue::Int(_) | NodeValue::Float(_))
        | (Shape::String, NodeValue::String(_))
        | (Shape::Map(_), NodeValue::Map(_))
        | (Shape::Array(_), NodeValue::Array(_)) => true,
        _ => false,
    }
}

fn wants_not_null(node: &SchemaNode) -> bool {
    node.constraints.iter().any(|constraint| matches!(constraint.kind, ConstraintKind::NotNull))
}

/// A failure as ytt shows it: without its leading `fail: ` and then `check: ` (reference 13.3).
fn bare(message: &str) -> &str {
    let message = message.strip_prefix("fail: ").unwrap_or(message);
    message.strip_prefix("check: ").unwrap_or(message)
}
