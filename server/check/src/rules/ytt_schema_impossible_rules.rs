use crate::place::{Look, Looks, SchemaPlace};
use crate::{Diagnostic, Severity, Stage, words};
use lofting_diagnostic::{Cause, rule};
use lofting_document::NodeValue;
use lofting_document::{Node, Span};
use lofting_schema::compare::{self, Compared};
use lofting_schema::semantics::Notation;
use lofting_schema::{ConstraintKind, SchemaNode, Shape};
use std::cmp::Ordering;

rule! {
    /// # Rules that no value satisfies
    ///
    /// ## What
    /// The least value or length is above the greatest, or `one_of` is empty or the other rules refuse each of its values.
    ///
    /// ## Why
    /// Whatever is given is refused, and the default as well.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values-schema
    /// ---
    /// #@schema/validation min=5, max=3
    /// replicas: 0
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
    let shortest = rules().find_map(|rule| match rule.kind {
        ConstraintKind::MinLength(length) => Some((rule, length)),
        _ => None,
    });
    let longest = rules().find_map(|rule| match rule.kind {
        ConstraintKind::MaxLength(length) => Some((rule, length)),
        _ => None,
    });
    if let (Some((low, shortest)), Some((high, longest))) = (shortest, longest)
        && shortest > longest
    {
        found.push(lengths(low.span, high.span, shortest, longest));
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
