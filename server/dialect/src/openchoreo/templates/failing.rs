//! Expressions that have no value, whatever the variables are: rendering always ends there.

use super::super::cel::{self, Expression, NodeKind, declared};
use lofting_cel::{Failure, Id, Node, Operator, Program, Value, is_macro};
use lofting_schema::re2;
use std::ops::Range;

/// What finding a value may cost.
const LIMIT: u64 = 10_000;

/// A macro that evaluates nothing, and methods that evaluate their argument only if they need it.
const HAS: &str = "has";
const LAZY: &[&str] = &["or", "orValue"];

/// A part of an expression that has no value.
pub(super) struct Failing {
    pub range: Range<usize>,
    pub why: String,
    /// Whether the expression as a whole has no value either.
    pub is_evaluated: bool,
}

/// The first part of an expression that has no value, and why. Only parts that are always evaluated count: what a
/// condition chooses, or `&&` and `||` may do without, does not, and neither does what a loop does with its items. A
/// pattern that cannot be read is a mistake wherever it is.
pub(super) fn failing(text: &str, expression: &Expression) -> Option<Failing> {
    let of_whole = failing_as_a_whole(text, expression);
    let of_whole = of_whole.map(|(range, why)| Failing { range, why, is_evaluated: true });
    let unread = || expression.nodes.iter().find_map(|node| unread_pattern(text, expression, node));
    of_whole.or_else(|| unread().map(|(range, why)| Failing { range, why, is_evaluated: false }))
}

fn failing_as_a_whole(text: &str, expression: &Expression) -> Option<(Range<usize>, String)> {
    let is_constant = constants(expression);
    // The parts of a node come before it, so what is around a node is seen first from the end.
    let mut is_evaluated = vec![false; expression.nodes.len()];
    let mut is_inner = vec![false; expression.nodes.len()];
    if let Some(root) = is_evaluated.last_mut() {
        *root = true;
    }
    let mut found: Option<(Range<usize>, String)> = None;
    for (id, node) in expression.nodes.iter().enumerate().rev() {
        lofting_memo::step();
        let constant = is_constant.get(id).copied().unwrap_or_default();
        for part in node.kind.parts() {
            is_inner.get_mut(part).into_iter().for_each(|inner| *inner = constant);
        }
        if !is_evaluated.get(id).copied().unwrap_or_default() {
            continue;
        }
        for part in evaluated(&node.kind) {
            is_evaluated.get_mut(part).into_iter().for_each(|evaluated| *evaluated = true);
        }
        let is_whole = constant && !is_inner.get(id).copied().unwrap_or_default();
        let by_part = || by_zero(expression, node).or_else(|| unread_pattern(text, expression, node));
        let own = if is_whole { without_value(text, node) } else { by_part() };
        found = own.or(found);
    }
    found
}

/// Whether each node of an expression has the same value whatever the variables are.
fn constants(expression: &Expression) -> Vec<bool> {
    let mut known: Vec<bool> = Vec::with_capacity(expression.nodes.len());
    for node in &expression.nodes {
        let is_open = match &node.kind {
            NodeKind::Missing | NodeKind::Name(_) | NodeKind::Outermost(_) | NodeKind::Message { .. } => true,
            // The platform's own functions have values that are not known here.
            NodeKind::Call { of, name, .. } => {
                name == HAS && of.is_none() || declared::is_of_platform(name) || LAZY.contains(&name.as_str())
            }
            _ => false,
        };
        let are_constant = node.kind.parts().into_iter().all(|part| known.get(part).copied().unwrap_or_default());
        known.push(!is_open && are_constant);
    }
    known
}

/// The parts that are evaluated whenever the node is. What macros do with their arguments is not looked at.
fn evaluated(kind: &NodeKind) -> Vec<Id> {
    match kind {
        NodeKind::Binary(Operator::And | Operator::Or, ..) => Vec::new(),
        NodeKind::Choice(condition, ..) => vec![*condition],
        NodeKind::Call { of: None, name, .. } if name == HAS => Vec::new(),
        NodeKind::Call { of: Some(of), name, .. } if LAZY.contains(&name.as_str()) || is_macro(name) => vec![*of],
        kind => kind.parts(),
    }
}

/// The method that compares a text with a regular expression.
const MATCHES: &str = "matches";

/// Why a constant has no value, and where.
fn without_value(text: &str, node: &Node) -> Option<(Range<usize>, String)> {
    let is_literal = node.kind.parts().is_empty();
    let own = text.get(node.range.clone()).filter(|_| !is_literal)?;
    let program = Program::new(&cel::parse(own)?, &declared::environment()).ok()?;
    let error = program.evaluate(&|_| None, LIMIT).value.err()?;
    let Failure::Because(why) = error.failure else { return None };
    let start = node.range.start;
    Some((start + error.range.start..start + error.range.end, why))
}

/// Whether a node divides an integer by zero: other numbers have no `0` without a point.
fn by_zero(expression: &Expression, node: &Node) -> Option<(Range<usize>, String)> {
    let NodeKind::Binary(Operator::Divide | Operator::Remainder, _, right) = &node.kind else { return None };
    let NodeKind::Number(number) = &expression.nodes.get(*right)?.kind else { return None };
    matches!(number.as_str(), "0" | "0u").then(|| (node.range.clone(), "nothing can be divided by zero".to_owned()))
}

/// The regular expression that a node compares a text with, if it is written there and cannot be read, and why.
fn unread_pattern(text: &str, expression: &Expression, node: &Node) -> Option<(Range<usize>, String)> {
    let NodeKind::Call { of, name, arguments, .. } = &node.kind else { return None };
    let pattern = match (&arguments[..], of) {
        ([pattern], Some(_)) | ([_, pattern], None) if name == MATCHES => expression.nodes.get(*pattern)?,
        _ => return None,
    };
    let NodeKind::Text { .. } = pattern.kind else { return None };
    let written = cel::parse(text.get(pattern.range.clone())?)?;
    let program = Program::new(&written, &declared::environment()).ok()?;
    let Ok(Value::Text(own)) = program.evaluate(&|_| None, LIMIT).value else { return None };
    let error = re2::check(&own).err()?;
    Some((pattern.range.clone(), format!("the regular expression cannot be read: {error}")))
}

#[cfg(test)]
mod tests;
