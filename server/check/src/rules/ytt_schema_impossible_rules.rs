use crate::place::{Look, Looks, SchemaPlace, WholeSchema};
use crate::{Diagnostic, Severity, Stage, words};
use lofting_diagnostic::{Cause, rule};
use lofting_document::NodeValue;
use lofting_document::{Node, Span};
use lofting_schema::compare::{self, Compared};
use lofting_schema::semantics::Notation;
use lofting_schema::{Clause, Constraint, ConstraintKind, Kinds, Schema, SchemaNode, Shape};
use std::cmp::Ordering;

rule! {
    /// # Rules that no value satisfies
    ///
    /// ## What
    /// The least value or length is above the greatest, or the other rules refuse each of the values that are listed.
    ///
    /// ## Why in ytt
    /// Whatever is given is refused, and the default as well. The list `one_of` may also be empty.
    ///
    /// ## Why in JSON Schema
    /// Whatever is given is refused. The type may also refuse each value of `enum` or `const`, and `allOf` may join types that
    /// no value has together.
    ///
    /// ## Example in ytt
    /// ```yaml
    /// #@data/values-schema
    /// ---
    /// #@schema/validation min=5, max=3
    /// replicas: 0
    /// ```
    ///
    /// ## Example in JSON Schema
    /// ```yaml
    /// # schema
    /// type: object
    /// properties:
    ///   replicas: {type: integer, minimum: 5, maximum: 3}
    /// ```
    ///
    /// ## How to fix
    /// Correct one of the rules.
    pub static RULE: Rule = Rule {
        code: "ytt/schema-impossible-rules",
        stage: Stage::Lint,
        severity: Severity::Warning,
        shared: true,
        cause: Cause::Beside,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::SchemaNode(look)]);

fn look(place: &SchemaPlace<'_>, found: &mut Vec<Diagnostic>) {
    lengths_and_bounds(place.node, found);
    match allowed(place) {
        Some((rule, Allowed::Nothing)) => found.push(list(rule, "the list is empty: no value is allowed")),
        Some((rule, Allowed::NotPossible)) => found.push(list(rule, "the other rules refuse each of these values")),
        Some((_, Allowed::Some { .. })) | None => {}
    }
}

/// A least and a greatest value or length without anything between them.
fn lengths_and_bounds(node: &SchemaNode, found: &mut Vec<Diagnostic>) {
    let rules = || node.constraints.iter().filter(|rule| !rule.conditional);
    let least = rules().find_map(|rule| match &rule.kind {
        ConstraintKind::Min(bound) => Some((rule, bound)),
        _ => None,
    });
    let most = rules().find_map(|rule| match &rule.kind {
        ConstraintKind::Max(bound) => Some((rule, bound)),
        _ => None,
    });
    if let (Some((low, least)), Some((high, most))) = (least, most)
        && compare::order(least, most) == Compared::Order(Ordering::Greater)
    {
        found.push(bounds(low.span, high.span, least, most));
    }
    sizes(node, found);
}

/// What no value satisfies in a schema whose bounds are keywords.
pub(crate) fn in_keywords(whole: &WholeSchema<'_>, found: &mut Vec<Diagnostic>) {
    for (id, node) in whole.schema.nodes() {
        lofting_memo::step();
        // What accepts nothing at all is meant so, and what other files say is not known.
        if node.kinds == Kinds::NONE || !node.known {
            continue;
        }
        numbers(node, found);
        sizes(node, found);
        for rule in node.constraints.iter().filter(|rule| !rule.conditional) {
            if let ConstraintKind::OneOf(values) = &rule.kind {
                let may_be = |value: &Node| {
                    let is_known = !matches!(value.value, NodeValue::Unknown) && !value.partial;
                    let wrong = || whole.wrong(id, value, value.span);
                    !is_known || wrong().iter().all(|finding| finding.severity != Severity::Error)
                };
                if !values.is_empty() && !values.iter().any(may_be) {
                    found.push(list(rule.span, "the other rules refuse each of these values"));
                }
            }
        }
        together(whole.schema, node, found);
    }
}

/// Bounds of numbers without any number between them.
fn numbers(node: &SchemaNode, found: &mut Vec<Diagnostic>) {
    for low in &node.constraints {
        let (ConstraintKind::Min(least) | ConstraintKind::ExclusiveMin(least)) = &low.kind else { continue };
        for high in &node.constraints {
            let (ConstraintKind::Max(most) | ConstraintKind::ExclusiveMax(most)) = &high.kind else { continue };
            let excludes = |rule: &Constraint| {
                matches!(rule.kind, ConstraintKind::ExclusiveMin(_) | ConstraintKind::ExclusiveMax(_))
            };
            let is_empty = match compare::order(least, most) {
                Compared::Order(Ordering::Greater) => true,
                Compared::Order(Ordering::Equal) => excludes(low) || excludes(high),
                _ => false,
            };
            if is_empty && !low.conditional && !high.conditional && node.kinds.and(Kinds::NUMBER) != Kinds::NONE {
                let shown = |bound| words::spelled_bare(Notation::Json, bound);
                let above = if excludes(low) { "above" } else { "at least" };
                let below = if excludes(high) { "below" } else { "at most" };
                let message = format!("no number is {above} {} and {below} {}", shown(least), shown(most));
                found.push(Diagnostic::new(&RULE, high.span, message).related(low.span, "the least value"));
            }
        }
    }
}

/// A least and a greatest length of the same kind of value without anything between them.
fn sizes(node: &SchemaNode, found: &mut Vec<Diagnostic>) {
    for low in &node.constraints {
        let ConstraintKind::MinLength(least) = low.kind else { continue };
        for high in node.constraints.iter().filter(|high| high.on == low.on) {
            let ConstraintKind::MaxLength(most) = high.kind else { continue };
            if least > most && !low.conditional && !high.conditional {
                found.push(lengths(low.span, high.span, least, most));
            }
        }
    }
}

/// How many schemas that hold together are looked at.
const TOGETHER: usize = 50;

/// Schemas that hold together and take no kind of value in common.
fn together(schema: &Schema, node: &SchemaNode, found: &mut Vec<Diagnostic>) {
    let members = node.clauses.iter().filter_map(|clause| match clause {
        Clause::All(members) => Some(members),
        _ => None,
    });
    let (mut kinds, mut is_nullable) = (node.kinds, node.nullable);
    for id in members.flatten().take(TOGETHER) {
        let member = schema.node(*id);
        if member.kinds == Kinds::NONE || !member.known {
            return;
        }
        is_nullable |= member.nullable;
        let both = kinds.and(member.kinds);
        if both == Kinds::NONE && !is_nullable {
            let (own, inner) = (node.declared, member.declared.span);
            let is_inside = inner.is_within(own.span) && inner != own.span;
            let place = if is_inside { inner } else { own.name };
            let words = &schema.semantics().words;
            let said = |kinds: Kinds| kinds.words(words).join(" or ");
            let message = format!("no value is {} and {}", said(kinds), said(member.kinds));
            found.push(Diagnostic::new(&RULE, place, message));
            return;
        }
        kinds = both;
    }
}

/// What is allowed by a list of values.
pub(crate) enum Allowed {
    /// The list is empty.
    Nothing,
    /// Some values, as far as the other rules can be asked. Others can never be given: where each is, and what is wrong
    /// with its type.
    Some { refused: Vec<(Span, Diagnostic)> },
    /// The other rules refuse all values.
    NotPossible,
}

/// What the list of values of a node allows, if it has one, and where the list is written.
pub(crate) fn allowed(place: &SchemaPlace<'_>) -> Option<(Span, Allowed)> {
    let rules = place.node.constraints.iter().filter(|rule| !rule.conditional);
    let (rule, values) = rules.into_iter().find_map(|rule| match &rule.kind {
        ConstraintKind::OneOf(values) => Some((rule, values)),
        _ => None,
    })?;
    if values.is_empty() {
        return Some((rule.span, Allowed::Nothing));
    }
    let mut possible = values.iter().any(|value| matches!(value.value, NodeValue::Unknown));
    let mut refused = Vec::new();
    // For code, 1.0 is the same value as 1.
    let is_whole = |value: &Node| matches!(value.value, NodeValue::Float(number) if number.fract() == 0.0);
    for value in values {
        if matches!(place.node.shape(), Shape::Int) && is_whole(value) {
            possible = true;
            continue;
        }
        match place.wrong_types(value).into_iter().next() {
            Some(inner) => refused.push((value.span, inner)),
            None => possible = possible || place.keeps_rules(value),
        }
    }
    if refused.len() == values.len() {
        // The type of the node is wrong: one finding says so.
        refused.truncate(1);
        possible = true;
    }
    Some((rule.span, if possible { Allowed::Some { refused } } else { Allowed::NotPossible }))
}

pub(crate) fn bounds(low: Span, high: Span, least: &Node, most: &Node) -> Diagnostic {
    let shown = |bound| words::spelled_bare(Notation::Starlark, bound);
    let message = format!("no value is at least {} and at most {}", shown(least), shown(most));
    Diagnostic::new(&RULE, high, message).related(low, "the least value")
}

pub(crate) fn lengths(low: Span, high: Span, shortest: i128, longest: i128) -> Diagnostic {
    let message = format!("no value has a length of at least {shortest} and at most {longest}");
    Diagnostic::new(&RULE, high, message).related(low, "the least length")
}

pub(crate) fn list(span: Span, why: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, why)
}
