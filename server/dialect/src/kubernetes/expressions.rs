//! Rules of custom resources that are expressions (`x-kubernetes-validations`).
//!
//! Rules that compare with the value before a change (`oldSelf`) only matter when a resource is changed, so they are
//! compiled and never evaluated, unless they say that there may be no such value.

use super::rules;
use crate::texts::{PartSpans, Texts};
use lofting_cel::cost::LIMIT;
use lofting_cel::structural::{self, Compiled};
use lofting_cel::{Failure, Type, Value};
use lofting_diagnostic::Diagnostic;
use lofting_document::{Key, Node, NodeValue, Span};
use lofting_schema::{BrokenRule, Judge, Judged, Schema, SchemaId, Via};
use serde_json::Value as Json;
use smol_str::SmolStr;
use std::sync::{Arc, OnceLock};

/// The keyword.
const RULES: &str = "x-kubernetes-validations";

/// More deeply nested values are not looked at.
const DEPTH: usize = 100;

/// Adds the rules of a structural schema to the nodes that were read from it, and reports those that do not compile.
pub(super) fn with_rules(mut schema: Schema, written: &Node, texts: Texts<'_>) -> (Schema, Vec<Diagnostic>) {
    let mut found: Vec<(SchemaId, Judging)> = Vec::new();
    let whole = Arc::new(OnceLock::new());
    let mut open = vec![(written, schema.root(), Vec::new())];
    while let Some((node, id, path)) = open.pop() {
        if path.len() > 2 * DEPTH {
            continue;
        }
        let own: Vec<Rule> = list(get(node, RULES)).filter_map(|rule| Rule::read(rule, texts)).collect();
        if !own.is_empty() {
            let _ = whole.get_or_init(|| data(written, DEPTH).unwrap_or_default());
            let judging = Judging { whole: whole.clone(), path: path.clone(), rules: own, compiled: OnceLock::new() };
            found.push((id, judging));
        }
        open.extend(below(&schema, id, node, &path));
    }
    let mut faults = Vec::new();
    for (id, judging) in found {
        faults.extend(judging.faults());
        schema = schema.judged(id, Judged(Arc::new(judging)));
    }
    (schema, faults)
}

type Open<'n> = (&'n Node, SchemaId, Vec<SmolStr>);

/// The schemas of the parts of values, with the nodes that were read from them.
fn below<'n>(schema: &Schema, id: SchemaId, node: &'n Node, path: &[SmolStr]) -> Vec<Open<'n>> {
    let own = schema.node(id);
    let step = |more: &[&str]| path.iter().cloned().chain(more.iter().map(SmolStr::new)).collect::<Vec<_>>();
    let mut found = Vec::new();
    let child = |key: &Key, via: Via| {
        let children = own.map.as_ref().map(|map| map.children(key)).unwrap_or_default();
        children.into_iter().find(|child| child.via == via).map(|child| child.schema)
    };
    if let Some(NodeValue::Map(properties)) = get(node, "properties").map(|own| &own.value) {
        for property in properties.iter() {
            let name = property.key.to_string();
            let declared = child(&Key::from(name.as_str()), Via::Declared);
            found.extend(declared.map(|declared| (&property.value, declared, step(&["properties", &name]))));
        }
    }
    if let (Some(array), Some(items)) = (&own.array, get(node, "items")) {
        found.push((items, array.item, step(&["items"])));
    }
    // A key that no schema declares leads to the rule for all others.
    if let (Some(rest), Some(others)) = (child(&Key::Null, Via::Rest), get(node, "additionalProperties")) {
        found.push((others, rest, step(&["additionalProperties"])));
    }
    found
}

fn get<'n>(node: &'n Node, keyword: &str) -> Option<&'n Node> {
    let NodeValue::Map(items) = &node.value else { return None };
    items.iter().find(|item| item.key.as_str() == Some(keyword)).map(|item| &item.value)
}

fn list(node: Option<&Node>) -> impl Iterator<Item = &Node> {
    let items = match node.map(|node| &node.value) {
        Some(NodeValue::Array(items)) => items.as_slice(),
        _ => &[],
    };
    items.iter().map(|item| &item.value)
}

fn text<'n>(node: &'n Node, keyword: &str) -> Option<(&'n Node, String)> {
    let node = get(node, keyword)?;
    match &node.value {
        NodeValue::String(text) => Some((node, text.to_string())),
        _ => None,
    }
}

/// Data in the form in which resources are sent; None if parts of it are unknown.
fn data(node: &Node, depth: usize) -> Option<Json> {
    let depth = depth.checked_sub(1)?;
    if node.partial {
        return None;
    }
    Some(match &node.value {
        NodeValue::Null => Json::Null,
        NodeValue::Bool(value) => Json::Bool(*value),
        NodeValue::Int(value) => match i64::try_from(*value) {
            Ok(value) => value.into(),
            Err(_) => u64::try_from(*value).ok()?.into(),
        },
        NodeValue::Float(value) => serde_json::Number::from_f64(*value)?.into(),
        NodeValue::String(text) => Json::String(text.to_string()),
        NodeValue::Map(items) => {
            let entries = items.iter().map(|item| Some((item.key.to_string(), data(&item.value, depth)?)));
            Json::Object(entries.collect::<Option<_>>()?)
        }
        NodeValue::Array(items) => items.iter().map(|item| data(&item.value, depth)).collect::<Option<_>>()?,
        NodeValue::Unknown => return None,
    })
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
    field: Vec<SmolStr>,
    /// Whether it is evaluated for new values, too, though it looks at the value before.
    is_old_optional: bool,
}

impl Rule {
    fn read(node: &Node, texts: Texts<'_>) -> Option<Rule> {
        let (rule, own) = text(node, "rule")?;
        let field = text(node, "fieldPath").map(|(_, path)| steps(&path)).unwrap_or_default();
        let is_old_optional = matches!(get(node, "optionalOldSelf").map(|own| &own.value), Some(NodeValue::Bool(true)));
        let message = text(node, "message").map(|(_, message)| message);
        let words = text(node, "messageExpression").map(|(node, words)| (words, texts.place(node)));
        let (span, places) = (rule.span, texts.place(rule));
        Some(Rule { text: own, span, places, message, words, field, is_old_optional })
    }
}

/// The keys of a path: `.spec['a.b']`.
fn steps(path: &str) -> Vec<SmolStr> {
    let mut found = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        if let Some((name, behind)) = rest.strip_prefix("['").and_then(|inner| inner.split_once("']")) {
            found.push(name.into());
            rest = behind;
            continue;
        }
        let inner = rest.strip_prefix('.').unwrap_or(rest);
        let end = inner.find(['.', '[']).unwrap_or(inner.len());
        if end == 0 {
            break;
        }
        let (name, behind) = inner.split_at(end);
        found.push(name.into());
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

    fn compile(&self, each: &mut dyn FnMut(Compilation)) {
        let Some(schema) = self.schema() else { return };
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
            let compiled = structural::compile(&rule.text, environment, &Type::Bool)
                .map_err(|faults| refused(&rule.places, &faults));
            let words = rule.words.as_ref().map(|(text, places)| {
                structural::compile(text, environment, &Type::Text).map_err(|faults| refused(places, &faults))
            });
            let (words, fault) = match words {
                Some(Err(fault)) => (None, Some(fault)),
                other => (other.and_then(Result::ok), None),
            };
            each(compiled.map(|rule| Ready { rule, words, fault }));
        }
    }

    /// The rules that do not compile.
    fn faults(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        self.compile(&mut |ready| {
            found.extend(ready.map_or_else(Some, |ready| ready.fault).map(|fault| *fault));
        });
        found
    }

    fn ready(&self) -> &[Option<Ready>] {
        self.compiled.get_or_init(|| {
            let mut ready = Vec::new();
            self.compile(&mut |compiled| ready.push(compiled.ok()));
            ready
        })
    }
}

impl Judge for Judging {
    fn broken(&self, value: &Node) -> Vec<BrokenRule> {
        let given = || {
            let schema = self.schema()?;
            structural::value(&structural::defaulted(&data(value, DEPTH)?, schema), schema)
        };
        let Some(own) = given() else { return Vec::new() };
        let variable = |name: &str| match name {
            "self" => Some(own.clone()),
            // There is no value before that of a new resource.
            "oldSelf" => Some(Value::Optional(None)),
            _ => None,
        };
        let mut broken = Vec::new();
        for (rule, ready) in self.rules.iter().zip(self.ready()) {
            let Some(ready) = ready else { continue };
            if ready.rule.is_transition && !rule.is_old_optional {
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
            broken.push(BrokenRule { message, rule: rule.span, field: rule.field.clone() });
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
