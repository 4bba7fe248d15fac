//! The values that a place lists as allowed, in whatever way: `enum`, `const`, or alternatives that each are one value.

use lofting_document::{Node, NodeValue, Span};
use lofting_schema::compare::equality_hash;
use lofting_schema::semantics::{Numbers, Semantics};
use lofting_schema::{Choices, Clause, ConstraintKind, Kinds, Schema, SchemaId, SchemaNode};
use rustc_hash::FxHashSet;
use std::borrow::Cow;

/// More alternatives are compared as such.
const MOST: usize = 1_000;

/// The values that all lists of a place have.
pub(crate) struct Listed<'s> {
    /// The values, in the order of the first list.
    pub values: Vec<Cow<'s, Node>>,
    /// Where the first list is.
    pub span: Span,
    /// The keyword of the alternatives that are the first list; None if it is written as a list.
    pub keyword: Option<&'static str>,
    /// The values are known, and the lists are about values of all kinds.
    pub is_complete: bool,
}

impl<'s> Listed<'s> {
    /// The values that nodes list; `declared` are the kinds that are accepted, null included.
    pub fn of(schema: &'s Schema, nodes: &[&'s SchemaNode], declared: Kinds) -> Option<Listed<'s>> {
        let mut found: Option<Listed<'s>> = None;
        let mut add = |list: Listed<'s>| match &mut found {
            None => found = Some(list),
            Some(known) => {
                let others = list.choices();
                known.values.retain(|value| others.has(value) != Some(false));
                known.is_complete &= list.is_complete;
            }
        };
        for node in nodes {
            for bound in node.constraints.iter().filter(|bound| !bound.conditional) {
                if let ConstraintKind::OneOf(choices) = &bound.kind {
                    let values: Vec<Cow<'s, Node>> = choices.iter().map(Cow::Borrowed).collect();
                    let is_complete = bound.on.has(declared) && values.iter().all(|value| value.is_known());
                    add(Listed { values, span: bound.span, keyword: None, is_complete });
                }
            }
            for clause in &node.clauses {
                if let Some((values, keyword)) = of_alternatives(schema, clause) {
                    add(Listed { values, span: node.declared.name, keyword: Some(keyword), is_complete: true });
                }
            }
        }
        found
    }

    /// Whether a clause is nothing but a list of values.
    pub fn is_made_of(schema: &Schema, clause: &Clause) -> bool {
        of_alternatives(schema, clause).is_some()
    }

    /// The values, to search in them.
    pub fn choices(&self) -> Choices {
        self.values.iter().map(|value| value.clone().into_owned()).collect()
    }

    /// The kinds of the values.
    pub fn kinds(&self, semantics: &Semantics) -> Kinds {
        self.values.iter().map(|value| kind(value, semantics)).fold(Kinds::NONE, Kinds::or)
    }
}

/// The kind of a value in a language.
pub(crate) fn kind(value: &Node, semantics: &Semantics) -> Kinds {
    match &value.value {
        NodeValue::Float(number) if semantics.numbers == Numbers::Value && number.fract() == 0.0 => Kinds::INT,
        other => Kinds::of(other).unwrap_or(Kinds::ANY),
    }
}

/// The values of alternatives that each are a list of values, and the keyword.
fn of_alternatives<'s>(schema: &'s Schema, clause: &'s Clause) -> Option<(Vec<Cow<'s, Node>>, &'static str)> {
    let (members, keyword) = match clause {
        Clause::Any(members) => (members, "anyOf"),
        Clause::One(members) => (members, "oneOf"),
        _ => return None,
    };
    // Alternatives that are only kinds say so as kinds.
    let is_list = |id: &SchemaId| schema.node(*id).constraints.iter().any(|bound| is_list(&bound.kind));
    if members.len() > MOST || !members.iter().any(is_list) {
        return None;
    }
    let mut values: Vec<Cow<'s, Node>> = Vec::new();
    for id in members {
        values.extend(of_alternative(schema, schema.node(*id))?);
    }
    let known: Choices = values.iter().map(|value| value.clone().into_owned()).collect();
    // What two alternatives of `oneOf` accept is refused.
    let are_apart = || {
        let different: FxHashSet<u64> = known.iter().map(equality_hash).collect();
        different.len() == known.len()
    };
    let fits = known.iter().all(Node::is_known) && (keyword == "anyOf" || are_apart());
    fits.then_some((values, keyword))
}

fn is_list(kind: &ConstraintKind) -> bool {
    matches!(kind, ConstraintKind::OneOf(_))
}

/// The values of one alternative, if it only lists them or is null.
fn of_alternative<'s>(schema: &'s Schema, node: &'s SchemaNode) -> Option<Vec<Cow<'s, Node>>> {
    let is_plain = node.known
        && node.map.is_none()
        && node.array.is_none()
        && node.clauses.is_empty()
        && node.rules.is_empty()
        && node.default.is_none()
        && node.judged.is_none();
    let is_unconditional = || node.constraints.iter().all(|bound| !bound.conditional && bound.on == Kinds::ANY);
    if !is_plain || !is_unconditional() {
        return None;
    }
    let null = || vec![Cow::Owned(Node::new(NodeValue::Null, node.declared.name))];
    let (kinds, semantics) = (node.kinds, schema.semantics());
    match node.constraints.as_slice() {
        [bound] if is_list(&bound.kind) && !node.nullable => {
            let ConstraintKind::OneOf(choices) = &bound.kind else { return None };
            let fits = |value: &&Node| kinds.has(kind(value, semantics));
            Some(choices.iter().filter(fits).map(Cow::Borrowed).collect())
        }
        [] if kinds == Kinds::NULL => Some(null()),
        _ => None,
    }
}
