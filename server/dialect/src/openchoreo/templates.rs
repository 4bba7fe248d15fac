//! Expressions in the templates of OpenChoreo's documents: where they are, which variables they can use, and their
//! errors.

use super::cel::declared::Refusal;
use super::cel::functions::{count_words, methods as kind_methods, names as function_names};
use super::cel::types::{Existence, IdsOf, Type, TypeFaultKind, TypeKind, locals};
use super::cel::variables::{FUNCTIONS, VARIABLES, methods as platform_methods};
use super::cel::{self, Expression, Member, NodeKind};
use super::claims::{ENVIRONMENT, OVERRIDES, PARAMETERS, SCHEMA, SHORTHAND, SLOTS, is_workflow};
use super::rules;
use crate::claim::below;
use crate::inside::{Inside, Own, Proposal, ProposalKind, TextPlace, Word};
use crate::resources;
use crate::{FileView, Role};
use failing::{Failing, failing};
use items::{LoweredSpec, RESOURCES, Template, each, is_outside, keys_in, leads_to_literal, spec, text_in};
use lofting_diagnostic::Diagnostic;
use lofting_diagnostic::suggest::{Searches, is_slip};
use lofting_document::{Key, Node, NodeValue, Span};
use lofting_schema::{Schema, Step};
use rustc_hash::FxHashMap;
use segment::{OPENING, segments};
use smol_str::SmolStr;
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;
use variables::{Check, Era, Looped, Variables};
pub(super) use variables::{LoopFault, loop_fault};

/// The schemas of a file by the document of their resource, the way to it, and the slot.
struct Declared<'o>(FxHashMap<(usize, &'o [Step], &'static str), &'o Arc<Schema>>);

impl<'o> Declared<'o> {
    fn of(own: &'o Own<'_>) -> Declared<'o> {
        let mut found = FxHashMap::default();
        for (claim, schema) in own.schemas {
            if let Some(claim) = own.claims.all().get(*claim)
                && let Role::Schema(name) = &claim.role
            {
                let (document, way) = resources::of_claim(claim);
                found.entry((document, way, name.slot)).or_insert(schema.schema());
            }
        }
        Declared(found)
    }

    /// The schema of a resource for one slot.
    fn schema(&self, document: usize, way: &[Step], slot: &'static str) -> Option<&'o Arc<Schema>> {
        self.0.get(&(document, way, slot)).copied()
    }

    /// The variables of a resource.
    fn variables(&self, spec: &dyn SpecView, document: usize, way: &[Step]) -> Variables {
        let has = |path: &[&str]| spec.has(path);
        let mut given = self.given(document, way, spec);
        given.extend(spec.by_id());
        Variables::new(spec.kind(), era(&has), given)
    }

    /// The variables that the schemas of a resource declare.
    fn given(&self, document: usize, way: &[Step], spec: &dyn SpecView) -> Vec<(&'static str, Type)> {
        let schema = |slot: &'static str| {
            let schema = self.schema(document, way, slot)?;
            Some(Type::of_nodes(schema, schema.speaking(schema.root())))
        };
        let without = |name: &str| if is_absent(name, spec) { Type::Absent } else { Type::Unknown };
        SLOTS.iter().map(|(name, slot)| (*name, schema(slot).unwrap_or_else(|| without(name)))).collect()
    }
}

/// The variable for what was applied.
const APPLIED: &str = "applied";

/// The variable for documents that a workflow refers to, which is also the key of their list.
const EXTERNAL: &str = "externalRefs";

/// A spec, in a tree or lowered.
trait SpecView {
    /// The kind of its document.
    fn kind(&self) -> &str;

    /// Whether a path leads to something in it.
    fn has(&self, path: &[&str]) -> bool;

    /// The keys of the map that a path leads to.
    fn keys(&self, path: &[&str]) -> Vec<SmolStr>;

    /// The ids of the items in one of its lists; None if there are none, or not all are known.
    fn ids(&self, list: &str) -> Option<Arc<[SmolStr]>>;

    /// The variable that finds documents by ids: what was applied, in types of resources, or what a workflow refers to.
    fn by_id(&self) -> Option<(&'static str, Type)> {
        let (variable, list, of) = match self.kind() {
            kind if kind.ends_with("ResourceType") => (APPLIED, RESOURCES, IdsOf::Resources),
            kind if is_workflow(kind) => (EXTERNAL, EXTERNAL, IdsOf::References),
            _ => return None,
        };
        Some((variable, Type::ById(of, self.ids(list)?)))
    }
}

/// The releases that a spec is for, by what it has.
fn era(has: &dyn Fn(&[&str]) -> bool) -> Era {
    let between: [&[&str]; 3] = [&[SCHEMA, SHORTHAND], &[PARAMETERS, SHORTHAND], &[ENVIRONMENT, SHORTHAND]];
    match (between.into_iter().any(has), has(&[SCHEMA])) {
        (true, _) => Era::Between,
        (false, true) => Era::Before,
        (false, false) => Era::Current,
    }
}

/// Whether a spec has no section for a variable, which then has no fields. Of a section that is written but cannot be
/// read, nothing is known; neither if its key is misspelt, which is reported there.
fn is_absent(name: &str, spec: &dyn SpecView) -> bool {
    let overrides = if spec.has(&[SCHEMA]) { OVERRIDES } else { ENVIRONMENT };
    let ways: [&[&str]; 3] = [&[name], &[SCHEMA, name], &[SCHEMA, SHORTHAND, name]];
    let is_meant = |key: &SmolStr| is_slip(key, name);
    (name == PARAMETERS || name == overrides)
        && !ways.into_iter().any(|way| spec.has(way))
        && !spec.keys(&[]).iter().chain(&spec.keys(&[SCHEMA])).any(is_meant)
}

/// Whether the values below a key of a spec are templates, not schemas or settings.
fn is_template(key: &Key) -> bool {
    let name = key.as_str().unwrap_or_default();
    !SLOTS.iter().any(|(slot, _)| *slot == name) && name != super::claims::SCHEMA
}

/// The loop variable of an item in a list of templates, which is defined for everything in the item except its
/// condition. `text` gives the value of a key of the item, if it is a string.
fn looped(
    text: &dyn Fn(&str) -> Option<SmolStr>,
    keys: &dyn Fn() -> Vec<SmolStr>,
    variables: &Variables,
) -> Option<Looped> {
    let var = text("var").map(String::from);
    let Some(over) = text(LOOP) else {
        // If only the key of the loop is misspelt, which is reported there, the variable is meant.
        let name = var.filter(|_| keys().iter().any(|key| is_slip(key, LOOP)))?;
        return Some(variables.over("", Some(name)));
    };
    Some(variables.over(&over, var))
}

/// The key of what a template is repeated for.
const LOOP: &str = "forEach";

fn check_text(
    file: &dyn FileView,
    template: &Template<'_>,
    variables: &Variables,
    searches: &mut Searches,
    found: &mut Vec<Diagnostic>,
) {
    let Template { text, wanted, .. } = template;
    let segments = segments(text);
    if segments.is_empty() && wanted.is_none() {
        return;
    }
    let place = template.parts(file);
    if let Some(wanted) = wanted {
        let trimmed = text.trim();
        let is_one = segments.len() == 1 && trimmed.starts_with(OPENING) && trimmed.ends_with('}');
        if !is_one && *wanted == ResultType::Filter && variables.era != Era::Current {
            return;
        }
        if !is_one && !wanted.is_of_text() {
            let at = template.span(file);
            let style = rules::not_an_expression::Style::at(file.tree(), at.range());
            found.push(rules::not_an_expression::finding(at, text, *wanted, style));
            return;
        }
    }
    for segment in segments {
        let Some(inner) = text.get(segment.inner.clone()) else { continue };
        let span = |range: Range<usize>| {
            let at = segment.inner.start;
            // Something missing at the end is shown at the last character.
            let range = if range.is_empty() { range.start.saturating_sub(1)..range.start } else { range };
            place.span(at + range.start..at + range.end)
        };
        if !segment.closed {
            let at = segment.inner.start - OPENING.len()..segment.inner.start;
            found.push(rules::expression_syntax::unclosed(place.span(at)));
            continue;
        }
        // What a name that cannot be used leads to is not another mistake.
        if variables.looped.as_ref().is_some_and(|looped| looped.is_misnamed_in(inner)) {
            continue;
        }
        let Some(expression) = cel::parse(inner) else { continue };
        if let Some(fault) = &expression.fault {
            let range = fault.range.clone();
            let shown = if inner.trim().is_empty() {
                place.span(segment.inner.start - 2..segment.inner.end + 1)
            } else {
                span(range)
            };
            found.push(rules::expression_syntax::finding(shown, &fault.message));
            continue;
        }
        let check = if *wanted == Some(ResultType::Path) { Check::Rendered } else { variables.checked() };
        let checked = variables.check(&expression, check);
        let before = found.len();
        for fault in &checked.faults {
            let span = span(fault.range.clone());
            found.extend(match &fault.kind {
                TypeFaultKind::UnknownFunction { name, style, certainty } => {
                    let meant = searches.nearest(name, function_names(*style));
                    let is_sure = *certainty != Existence::May || meant.is_some_and(|meant| is_slip(name, meant));
                    is_sure.then(|| rules::unknown_function::finding(span, name, *certainty, meant))
                }
                kind => in_words(kind, span, variables, searches),
            });
        }
        if found.len() > before || !checked.faults.is_empty() && variables.lacks_name() {
            continue;
        }
        let all = span(0..inner.len());
        // A key that is more than one expression is text.
        let wanted = wanted.filter(|wanted| !wanted.is_of_text() || segment.is_all_of(text));
        match variables.result(&expression, check) {
            Err(Refusal::Syntax(fault)) => {
                found.push(rules::expression_syntax::finding(span(fault.range), &fault.message));
            }
            Err(Refusal::Types(fault)) => {
                let is_declared = variables.is_accepted_without_types(&expression);
                found.push(rules::expression_type::refused(span(fault.range), &fault.message, is_declared));
            }
            Ok(result) => {
                let kind = checked.types.last().map_or(TypeKind::Unknown, Type::kind);
                found.extend(
                    wanted
                        .filter(|wanted| !wanted.admits(kind))
                        .map(|wanted| rules::expression_type::expected(all, kind.word(), wanted.words())),
                );
                let wanted = wanted.filter(|wanted| wanted.admits(kind) && !wanted.admits_declared(&result));
                found.extend(
                    wanted.map(|wanted| rules::expression_type::expected(all, &result.words(), wanted.words())),
                );
                if found.len() == before
                    && let Some(Failing { range, why, is_evaluated }) = failing(inner, &expression)
                {
                    found.push(rules::expression_fails::finding(span(range), &why, is_evaluated));
                }
            }
        }
    }
}

/// The finding for a type error other than an unknown function. None if it may be right once another one is fixed.
fn in_words(kind: &TypeFaultKind, span: Span, variables: &Variables, searches: &mut Searches) -> Option<Diagnostic> {
    Some(match kind {
        TypeFaultKind::UnknownVariable { name } => {
            if let Some(elsewhere) = variables.elsewhere(name) {
                return Some(rules::unknown_variable::elsewhere(span, name, elsewhere));
            }
            let names = variables.names();
            let meant = searches.nearest(name, names.iter().map(String::as_str));
            if variables.lacks_name() && !meant.is_some_and(|meant| is_slip(name, meant)) {
                return None;
            }
            rules::unknown_variable::finding(span, name, meant)
        }
        TypeFaultKind::UnknownField { name, of, declared } => {
            let meant = searches.nearest(name, of.declared_names());
            rules::unknown_field::finding(span, name, of.declared_names(), meant, *declared)
        }
        TypeFaultKind::UnknownId { name, of, known } => {
            let meant = searches.nearest(name, known.iter().map(SmolStr::as_str));
            rules::unknown_field::id(span, name, *of, meant)
        }
        TypeFaultKind::NoType { name, declared } => rules::untyped_field::finding(span, name, *declared),
        TypeFaultKind::NoFields { kind } => rules::expression_type::no_fields(span, *kind),
        TypeFaultKind::Operands { left, right } => rules::expression_type::operands(span, *left, *right),
        TypeFaultKind::Expected { kind, expected } => rules::expression_type::expected(span, kind.word(), expected),
        TypeFaultKind::UnknownFunction { name, certainty, .. } => {
            rules::unknown_function::finding(span, name, *certainty, None)
        }
        TypeFaultKind::Arguments { name, given, takes } => rules::argument_count::finding(span, name, *given, takes),
    })
}

/// What is at a place in a template, and what could be inserted there.
pub(super) fn at(file: &dyn FileView, own: &Own<'_>, place: &TextPlace<'_>) -> Option<Inside> {
    let document = file.documents().documents.get(place.document)?;
    let path = resources::split(place.path).1;
    let (Some(Step::Key(first)), Some(Step::Key(second))) = (path.first(), path.get(1)) else { return None };
    if first.as_str() != Some("spec") || !is_template(second) || leads_to_literal(path) {
        return None;
    }
    let holds = |node: &Node| {
        let range = node.span.range();
        range.start <= place.at && place.at <= range.end
    };
    // A document has no other resources, even if nothing of its value is written at the place yet.
    let mut all = resources::contents(document);
    let (way, resource) = match all.as_slice() {
        [_] => all.pop()?,
        _ => all.into_iter().find(|(_, node)| holds(node))?,
    };
    let (kind, spec) = spec(resource)?;
    let segment = segments(place.text)
        .into_iter()
        .find(|segment| segment.inner.start <= place.offset && place.offset <= segment.inner.end)?;
    let mut variables = Declared::of(own).variables(&LoweredSpec { kind, spec }, place.document, &way);
    variables.place.section = second.as_str().unwrap_or_default().into();
    variables.place.key = match path.get(3) {
        Some(Step::Key(key)) => key.as_str().unwrap_or_default().into(),
        _ => SmolStr::default(),
    };
    let list = below(spec, &Step::Key(second.clone())).map(|list| &list.value);
    let is_before_loop = matches!(path.get(3), Some(Step::Key(key)) if key.as_str().is_some_and(is_outside));
    if let (Some(NodeValue::Array(items)), false) = (list, is_before_loop && path.len() == 4) {
        let around = |item: &&lofting_document::ArrayItem| holds(&item.value);
        variables.looped = items
            .iter()
            .find(around)
            .and_then(|item| looped(&text_in(&item.value), &|| keys_in(&item.value), &variables));
    }
    let inner = place.text.get(segment.inner.clone())?;
    let mut found = in_expression(inner, place.offset - segment.inner.start, &variables)?;
    let moved = |range: &mut Range<usize>| *range = segment.inner.start + range.start..segment.inner.start + range.end;
    found.word.iter_mut().for_each(|word| moved(&mut word.range));
    found.proposals.iter_mut().for_each(|proposal| moved(&mut proposal.replace));
    Some(found)
}

fn in_expression(text: &str, offset: usize, variables: &Variables) -> Option<Inside> {
    let expression = cel::parse(text)?;
    let checked = variables.check(&expression, variables.checked());
    let of = |id: usize| checked.types.get(id).cloned().unwrap_or(Type::Unknown);
    // Where types are those of the schema, fields of objects follow a dot.
    let has_brackets = variables.checked() == Check::Rendered;
    let touches = |range: &Range<usize>| range.start <= offset && offset <= range.end;
    let nodes = || expression.nodes.iter().enumerate();
    let members = nodes().filter_map(|(id, node)| Some((id, expression.member(node)?)));
    if let Some((id, member)) = members.into_iter().find(|(_, member)| touches(&member.range)) {
        let Member { of: value, name, range, is_quoted } = member;
        let meaning = fixed_meaning(&of(value), name);
        let word = (!name.is_empty()).then(|| word(name, &range, "field", &of(id), meaning));
        let quotes = if is_quoted { FieldQuotes::Around } else { FieldQuotes::None };
        let mut proposals = if is_quoted && !has_brackets { Vec::new() } else { fields(&of(value), &range, quotes) };
        if !is_quoted {
            proposals.extend(methods(&of(value), &range));
        }
        return Some(Inside { word: word.flatten(), proposals });
    }
    // In brackets: names of fields in quotes, before other values.
    let in_brackets = |range: &Range<usize>| {
        let around = nodes().find_map(|(_, node)| match &node.kind {
            NodeKind::Index { of, key } => {
                let key = expression.nodes.get(*key)?;
                let is_begun = matches!(key.kind, NodeKind::Missing | NodeKind::Name(_)) && touches(&key.range);
                is_begun.then_some(*of)
            }
            _ => None,
        });
        let around = around.filter(|_| has_brackets);
        around.map(|value| fields(&of(value), range, FieldQuotes::Missing)).unwrap_or_default()
    };
    // The innermost nodes come first.
    for (id, node) in nodes() {
        match &node.kind {
            NodeKind::Call { of: Some(value), name_range, .. } if touches(name_range) => {
                return Some(Inside { word: None, proposals: fields(&of(*value), name_range, FieldQuotes::None) });
            }
            NodeKind::Call { of: None, name, name_range, .. } if touches(name_range) => {
                let function = FUNCTIONS.iter().find(|function| function.name == name);
                let word = function.map(|function| Word {
                    range: name_range.clone(),
                    name: function.call.to_owned(),
                    kind: "function",
                    meaning: vec![function.meaning.to_owned()],
                    definition: None,
                    node: None,
                });
                return Some(Inside { word, proposals: names(&expression, offset, variables, name_range, "") });
            }
            NodeKind::Name(name) if touches(&node.range) => {
                let meaning = VARIABLES.iter().find(|field| field.name == name).map(|field| field.meaning);
                let word = word(name, &node.range, "variable", &of(id), meaning);
                let names = names(&expression, offset, variables, &node.range, "(");
                return Some(Inside { word, proposals: in_brackets(&node.range).into_iter().chain(names).collect() });
            }
            // After a keyword that is not a name, and inside strings, nothing is proposed.
            NodeKind::Text { .. }
            | NodeKind::Bytes { .. }
            | NodeKind::Number(_)
            | NodeKind::Bool(_)
            | NodeKind::Null
                if node.range.start < offset && offset <= node.range.end =>
            {
                return Some(Inside::default());
            }
            _ => {}
        }
    }
    // Where an operand is missing.
    let before = text.get(..offset)?.trim_end();
    let wants_value = before.is_empty()
        || before.ends_with(['(', '[', '{', ',', ':', '?', '+', '-', '*', '/', '%', '<', '>', '=', '&', '|', '!'])
        || before.ends_with(" in");
    let mut proposals = Vec::new();
    if wants_value {
        proposals = in_brackets(&(offset..offset));
        proposals.extend(names(&expression, offset, variables, &(offset..offset), "("));
    }
    Some(Inside { word: None, proposals })
}

fn fixed_meaning(of: &Type, name: &str) -> Option<&'static str> {
    match of {
        Type::Fields(fields) => fields.iter().find(|field| field.name == name).map(|field| field.meaning),
        _ => None,
    }
}

fn word(name: &str, range: &Range<usize>, kind: &'static str, value: &Type, meaning: Option<&str>) -> Option<Word> {
    let node = match value {
        Type::Nodes(schema, nodes) => nodes.first().map(|node| (schema.clone(), *node)),
        _ => None,
    };
    let mut sentences: Vec<String> = meaning.map(str::to_owned).into_iter().collect();
    if node.is_none() && value.kind() != TypeKind::Unknown {
        sentences.push(format!("It is {}.", value.kind().word()));
    }
    let known = node.is_some() || !sentences.is_empty();
    known.then(|| Word {
        range: range.clone(),
        name: name.to_owned(),
        kind,
        meaning: sentences,
        definition: None,
        node,
    })
}

/// Whether the name of a field is a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FieldQuotes {
    /// It follows a dot.
    None,
    /// The quotes around it are written.
    Around,
    /// It is a string whose quotes are not written yet.
    Missing,
}

/// Whether a name can follow a dot.
fn is_word(name: &str) -> bool {
    name.chars().all(|c| c == '_' || c.is_ascii_alphanumeric()) && !name.starts_with(|c: char| c.is_ascii_digit())
}

/// Proposes the fields of a value.
fn fields(of: &Type, replace: &Range<usize>, quotes: FieldQuotes) -> Vec<Proposal> {
    let fits = |name: &str| match quotes {
        FieldQuotes::None => is_word(name),
        // In quotes, nothing is escaped.
        FieldQuotes::Around | FieldQuotes::Missing => !name.contains(['"', '\'', '\\']),
    };
    let fields = of.fields().into_iter().filter(|(name, _)| fits(name));
    fields.map(|(name, value)| proposal(&name, &value, replace, quotes)).collect()
}

/// Proposes calls of the methods that a value has.
fn methods(of: &Type, replace: &Range<usize>) -> Vec<Proposal> {
    let method = |name: &str, detail: String, takes_any: bool| Proposal {
        label: name.to_owned(),
        kind: ProposalKind::Function,
        detail: Some(detail),
        replace: replace.clone(),
        text: format!("{name}({}", if takes_any { "" } else { ")" }),
        goes_on: takes_any,
    };
    if let Type::Fields(fields) = of {
        let own = platform_methods(fields).iter();
        return own.map(|own| method(own.name, own.meaning.to_owned(), !own.call.ends_with("()"))).collect();
    }
    // Who has fields is an object, which is rarely taken for a map.
    let kind = if of.kind() == TypeKind::Map && !of.fields().is_empty() { TypeKind::Unknown } else { of.kind() };
    let detail = |count: &RangeInclusive<usize>| format!("takes {}", count_words(count));
    kind_methods(kind).map(|(name, count)| method(name, detail(&count), *count.end() > 0)).collect()
}

fn proposal(name: &str, value: &Type, replace: &Range<usize>, quotes: FieldQuotes) -> Proposal {
    let detail = match value {
        Type::Nodes(schema, nodes) => nodes.first().map(|node| schema.type_words(*node)),
        _ => Some(value.kind().word().to_owned()).filter(|_| value.kind() != TypeKind::Unknown),
    };
    let text = match quotes {
        FieldQuotes::Missing => format!("\"{name}\""),
        FieldQuotes::None | FieldQuotes::Around => name.to_owned(),
    };
    Proposal {
        label: name.to_owned(),
        kind: ProposalKind::Field,
        detail,
        replace: replace.clone(),
        text,
        goes_on: false,
    }
}

/// Proposes variables and functions; `after` follows the name of a function.
fn names(
    expression: &Expression,
    offset: usize,
    variables: &Variables,
    replace: &Range<usize>,
    after: &str,
) -> Vec<Proposal> {
    let variable = |name: String, detail: Option<String>| Proposal {
        label: name.clone(),
        kind: ProposalKind::Variable,
        detail,
        replace: replace.clone(),
        text: name,
        goes_on: false,
    };
    let mut found: Vec<Proposal> = locals(expression, offset).map(|name| variable(name.clone(), None)).collect();
    // If two names mean the same, the one with a schema is proposed, or else the current one.
    let has = |slot: &str| variables.given.iter().any(|(name, value)| *name == slot && *value != Type::Unknown);
    for name in variables.names() {
        let is_other =
            name == OVERRIDES && !has(OVERRIDES) || name == super::claims::SYSTEM && !has(super::claims::SYSTEM);
        if is_other || found.iter().any(|proposal| proposal.label == name) {
            continue;
        }
        let meaning = VARIABLES.iter().find(|field| field.name == name).map(|field| field.meaning.to_owned());
        let given = matches!(name.as_str(), PARAMETERS | ENVIRONMENT | OVERRIDES);
        found.push(variable(name, meaning.or_else(|| given.then(|| "values that are given".to_owned()))));
    }
    found.extend(FUNCTIONS.iter().map(|function| Proposal {
        label: function.name.to_owned(),
        kind: ProposalKind::Function,
        detail: Some(function.meaning.to_owned()),
        replace: replace.clone(),
        text: format!("{}{after}", function.name),
        goes_on: !after.is_empty(),
    }));
    found
}

mod failing;
mod items;
mod segment;
mod uses;
mod variables;
mod words;
mod written;
pub(super) use items::ResultType;
pub(super) use uses::{UseForm, uses};
pub(super) use words::reader;
pub(super) use written::findings;

#[cfg(test)]
mod tests;
