//! Rules of custom resources that are expressions (`x-kubernetes-validations`).
//!
//! Rules that compare with the value before a change (`oldSelf`) only matter when a resource is changed, so they are
//! compiled and never evaluated, unless they say that there may be no such value.

mod costs;

use super::definition::Refused;
use super::rules;
use super::structure::{DEPTH, Structured, data, get, list, text};
use crate::texts::{PartSpans, Texts};
use costs::Costs;
use lofting_cel::compile::{Allowance, Compiled, compile_with};
use lofting_cel::cost::LIMIT;
use lofting_cel::{Expression, Failure, NodeKind, Type, Value};
use lofting_cel::{estimate, structural};
use lofting_diagnostic::Diagnostic;
use lofting_document::{Key, Node, NodeValue, Span};
use lofting_schema::{Breach, BrokenRule, Judge, Judged, Schema, Step};
use serde_json::Value as Json;
use smol_str::SmolStr;
use std::cell::OnceCell;
use std::sync::{Arc, OnceLock};

/// The keyword.
const RULES: &str = "x-kubernetes-validations";

/// The variable for the value.
const VALUE: &str = "self";

/// The variable for the value before a change.
const OLD: &str = "oldSelf";

/// Adds the rules of a structural schema to the nodes that were read from it, and reports those that do not compile.
/// Where a type in the schema is wrong, it is not the one that is meant, and so a rule may compile once it is right.
pub(super) fn with_rules(
    mut schema: Schema,
    written: &Node,
    places: &[Structured<'_>],
    texts: Texts<'_>,
) -> (Schema, Vec<Diagnostic>) {
    let whole = Arc::new(OnceLock::new());
    let mut faults = Vec::new();
    let mut costs = Costs::default();
    let refused = OnceCell::new();
    for Structured { node, id, path, has_past } in places {
        let rules: Vec<Rule> = list(get(node, RULES)).filter_map(|rule| Rule::read(rule, texts)).collect();
        if rules.is_empty() {
            continue;
        }
        let _ = whole.get_or_init(|| data(written, DEPTH).unwrap_or_default());
        let judging =
            Judging { whole: whole.clone(), path: path.clone(), has_past: *has_past, rules, compiled: OnceLock::new() };
        if !refused.get_or_init(|| Refused::read(written, places)).hides_rules_of(node) {
            faults.extend(judging.faults(&mut costs));
        }
        schema = schema.judged(*id, Judged(Arc::new(judging)));
    }
    faults.extend(costs.findings());
    (schema, faults)
}

/// A rule as it is written.
#[derive(Debug)]
struct Rule {
    text: String,
    span: Span,
    places: PartSpans,
    message: Option<String>,
    /// An expression for the message.
    words: Option<(String, PartSpans)>,
    /// The part of the value that is wrong.
    field: Vec<Step>,
    /// Whether it is evaluated for new values, too, though it looks at the value before.
    is_old_optional: bool,
    /// The place of the declaration.
    old: Option<Span>,
    /// See [`keys_of_value`]. It is asked for when a value breaks the rule, as many may.
    reads: OnceLock<Vec<Key>>,
}

impl Rule {
    fn read(node: &Node, texts: Texts<'_>) -> Option<Rule> {
        let (rule, own) = text(node, "rule")?;
        let field = text(node, "fieldPath").map(|(_, path)| steps(&path)).unwrap_or_default();
        let old = get(node, "optionalOldSelf").filter(|own| matches!(own.value, NodeValue::Bool(_)));
        let is_old_optional = old.is_some_and(|own| own.value == NodeValue::Bool(true));
        let old = old.map(|own| own.span);
        let message = text(node, "message").map(|(_, message)| message);
        let words = text(node, "messageExpression").map(|(node, words)| (words, texts.place(node)));
        let (span, places) = (rule.span, texts.place(rule));
        let reads = OnceLock::new();
        Some(Rule { text: own, span, places, message, words, field, is_old_optional, old, reads })
    }

    fn breach(&self) -> Breach {
        let read = || lofting_cel::parse(&self.text).map(|own| keys_of_value(&own)).unwrap_or_default();
        Breach::Expression { rule: self.span, reads: self.reads.get_or_init(read).clone() }
    }
}

/// The keys of the value that an expression reads; empty if it reads the value in another way.
fn keys_of_value(expression: &Expression) -> Vec<Key> {
    let nodes = || expression.nodes.iter().map(|node| &node.kind);
    let is_value = |kind: &NodeKind| matches!(kind, NodeKind::Name(name) if name == VALUE);
    let read = nodes().filter_map(|kind| match kind {
        NodeKind::Select { of, name, .. } if is_value(&expression.nodes.get(*of)?.kind) => {
            Some(Key::from(name.as_str()))
        }
        _ => None,
    });
    let mut read: Vec<Key> = read.collect();
    if read.len() < nodes().filter(|kind| is_value(kind)).count() {
        return Vec::new();
    }
    read.sort_unstable();
    read.dedup();
    read
}

/// The keys of a path: `.spec['a.b']`.
fn steps(path: &str) -> Vec<Step> {
    let mut found = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        if let Some((name, behind)) = rest.strip_prefix("['").and_then(|inner| inner.split_once("']")) {
            found.push(Step::Key(Key::from(name)));
            rest = behind;
            continue;
        }
        let inner = rest.strip_prefix('.').unwrap_or(rest);
        let end = inner.find(['.', '[']).unwrap_or(inner.len());
        if end == 0 {
            break;
        }
        let (name, behind) = inner.split_at(end);
        found.push(Step::Key(Key::from(name)));
        rest = behind;
    }
    found
}

/// The rules of a node of a schema.
#[derive(Debug)]
struct Judging {
    /// The whole schema as data.
    whole: Arc<OnceLock<Json>>,
    /// The keywords that lead to the node.
    path: Vec<SmolStr>,
    /// Whether there are values before a change.
    has_past: bool,
    rules: Vec<Rule>,
    compiled: OnceLock<Vec<Option<Ready>>>,
}

type Compilation = Result<Ready, Box<Diagnostic>>;

/// A rule that can be evaluated.
#[derive(Debug)]
struct Ready {
    rule: Compiled,
    words: Option<Compiled>,
    /// What is wrong with the expression for the message. The rule counts nevertheless.
    fault: Option<Box<Diagnostic>>,
}

impl Judging {
    fn schema(&self) -> Option<&Json> {
        self.path.iter().try_fold(self.whole.get()?, |schema, keyword| schema.get(keyword.as_str()))
    }

    fn compile(&self, allowance: Option<Allowance<'_>>, each: &mut dyn FnMut(Compilation)) {
        let Some(schema) = self.schema() else { return };
        // Messages are evaluated once.
        let once = allowance.map(|allowance| Allowance { most: estimate::LIMIT, ..allowance });
        // Both environments have the same types, which are found once.
        let environments = [false, true].map(|is_old| {
            let is_wanted = self.rules.iter().any(|rule| rule.is_old_optional == is_old);
            is_wanted.then(|| structural::environment(schema, self.path.is_empty(), is_old))
        });
        for rule in &self.rules {
            let [plain, optional] = &environments;
            let Some(environment) = (if rule.is_old_optional { optional } else { plain }) else { continue };
            let refused = |places: &PartSpans, faults: &[lofting_cel::Fault]| {
                let first = faults.first();
                let place = first.map_or(places.whole(), |fault| places.span(fault.range.clone()));
                Box::new(rules::invalid_expression::finding(place, first.map_or("", |fault| &fault.message)))
            };
            let compiled = compile_with(&rule.text, environment, &[Type::Bool], allowance)
                .map_err(|faults| refused(&rule.places, &faults));
            let words = rule.words.as_ref().filter(|(text, _)| !text.trim().is_empty());
            let words = words.map(|(text, places)| {
                compile_with(text, environment, &[Type::Text], once).map_err(|faults| refused(places, &faults))
            });
            let (words, fault) = match words {
                Some(Err(fault)) => (None, Some(fault)),
                other => (other.and_then(Result::ok), None),
            };
            each(compiled.map(|rule| Ready { rule, words, fault }));
        }
    }

    /// What is wrong with the rules, and what they cost.
    fn faults(&self, costs: &mut Costs) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let mut rules = self.rules.iter();
        let size = self.schema().and_then(|schema| structural::size(schema, self.path.is_empty()));
        let occurrence = size
            .as_ref()
            .zip(self.whole.get())
            .map(|(size, whole)| structural::occurrence(whole, self.path.iter().map(SmolStr::as_str), size));
        let sized = size.as_ref().zip(occurrence.as_ref());
        let allowance = sized.map(|(size, occurrence)| Allowance {
            size,
            most: estimate::LIMIT.checked_div(occurrence.most).unwrap_or(u64::MAX),
        });
        self.compile(allowance, &mut |compiled| {
            let rule = rules.next();
            match compiled {
                // An empty rule is reported where it is declared.
                Err(_) if rule.is_some_and(|rule| rule.text.trim().is_empty()) => {}
                Err(fault) => found.push(*fault),
                Ok(ready) => {
                    found.extend(rule.and_then(|rule| self.past(rule, ready.rule.is_transition)));
                    found.extend(ready.fault.map(|fault| *fault));
                    let Some((rule, occurrence)) = rule.zip(occurrence.as_ref()) else { return };
                    if let Some(estimate) = &ready.rule.estimate {
                        costs.add_rule(rule.places.span(0..rule.text.len()), estimate, occurrence);
                    }
                    let estimate = ready.words.as_ref().and_then(|words| words.estimate.as_ref());
                    if let Some((estimate, (text, places))) = estimate.zip(rule.words.as_ref()) {
                        costs.add_words(places.span(0..text.len()), estimate, occurrence);
                    }
                }
            }
        });
        found
    }

    /// What is wrong with a rule that looks at the value before a change, or does not.
    fn past(&self, rule: &Rule, is_transition: bool) -> Option<Diagnostic> {
        if is_transition && !self.has_past {
            let name = rule.text.find(OLD).map(|start| start..start + OLD.len());
            let place = name.map_or(rule.places.whole(), |name| rule.places.span(name));
            let message = "`oldSelf` cannot be used inside items that no key tells apart";
            let finding = rules::invalid_expression::finding(place, message);
            return Some(finding.help("`x-kubernetes-list-type: map` tells items apart"));
        }
        let old = rule.old.filter(|_| !is_transition)?;
        Some(rules::rule_declaration::finding(old, "`optionalOldSelf` belongs to rules that use `oldSelf`"))
    }

    fn ready(&self) -> &[Option<Ready>] {
        self.compiled.get_or_init(|| {
            let mut ready = Vec::new();
            self.compile(None, &mut |compiled| ready.push(compiled.ok()));
            ready
        })
    }
}

impl Judge for Judging {
    fn broken(&self, value: &Node) -> Vec<BrokenRule> {
        self.broken_by(|schema| Some(structural::defaulted(&data(value, DEPTH)?, schema)))
    }

    fn broken_as_written(&self, value: &Node) -> Vec<BrokenRule> {
        self.broken_by(|_| data(value, DEPTH))
    }
}

impl Judging {
    /// The rules that a value breaks, which is given for its schema.
    fn broken_by(&self, given: impl FnOnce(&Json) -> Option<Json>) -> Vec<BrokenRule> {
        let own = self.schema().and_then(|schema| structural::value(&given(schema)?, schema));
        let variable = |name: &str| match name {
            VALUE => own.clone(),
            // There is no value before that of a new resource.
            OLD => Some(Value::Optional(None)),
            _ => None,
        };
        let mut broken = Vec::new();
        for (rule, ready) in self.rules.iter().zip(self.ready()) {
            let Some(ready) = ready else {
                // The server evaluates what it has stored before it refused such rules.
                let message =
                    format!("the rule `{}` cannot be compiled, so no value is accepted", shortened(&rule.text));
                let (breach, at) = (Breach::Expression { rule: rule.span, reads: Vec::new() }, rule.field.clone());
                broken.push(BrokenRule { message, breach, at, is_key: false });
                continue;
            };
            if own.is_none() || ready.rule.is_transition && !rule.is_old_optional {
                continue;
            }
            let message = match ready.rule.program.evaluate(&variable, LIMIT).value {
                Ok(Value::Bool(false)) => {
                    let words = ready.words.as_ref().map(|words| words.program.evaluate(&variable, LIMIT).value);
                    let words = match words {
                        Some(Ok(Value::Text(text))) if !text.trim().is_empty() && !text.contains('\n') => {
                            Some(text.to_string())
                        }
                        _ => None,
                    };
                    let said = words.or_else(|| rule.message.clone());
                    said.unwrap_or_else(|| format!("the rule `{}` does not hold", shortened(&rule.text)))
                }
                Err(error) => match error.failure {
                    Failure::Because(why) => {
                        let part = rule.text.get(error.range).unwrap_or_default();
                        format!("a rule has no result, because of `{}`: {why}", shortened(part))
                    }
                    _ => continue,
                },
                Ok(_) => continue,
            };
            let (breach, at) = (rule.breach(), rule.field.clone());
            broken.push(BrokenRule { message, breach, at, is_key: false });
        }
        broken
    }
}

/// The beginning of an expression, on one line.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 80;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} …", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

#[cfg(test)]
mod tests;
