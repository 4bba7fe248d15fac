use super::ytt_schema_impossible_rules::{Allowed, allowed};
use crate::place::{Look, Looks, SchemaPlace};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, rule};
use lofting_document::NodeValue;
use lofting_document::Span;
use lofting_schema::Shape;
use lofting_schema::{Constraint, ConstraintKind, Kinds, SchemaNode};
use rustc_hash::FxHashSet;

rule! {
    /// # A rule that does not fit the type
    ///
    /// ## What
    /// `#@schema/validation` asks for the length of a number, compares with a bound of a different type, or lists a
    /// value that the type refuses.
    ///
    /// ## Why
    /// A value of `one_of` that is of a different type can never be given. The other rules make ytt fail, whatever the
    /// values are.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values-schema
    /// ---
    /// #@schema/validation one_of=["1", 2]
    /// replicas: 2
    /// ```
    ///
    /// ## How to fix
    /// Write the rule for the type that the default declares, or correct the default.
    pub static RULE: Rule = Rule {
        code: "ytt/schema-rule-type",
        stage: Stage::Lint,
        severity: Severity::Warning,
        shared: true,
        cause: Cause::Beside,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::SchemaNode(look)]);

fn look(place: &SchemaPlace<'_>, found: &mut Vec<Diagnostic>) {
    if let Some((_, Allowed::Some { refused })) = allowed(place) {
        found.extend(refused.iter().map(|(span, inner)| listed(*span, inner)));
    }
    // What a language only asks of some kinds of value fits all others.
    let rules = place.node.constraints.iter().filter(|rule| !rule.conditional && rule.on == Kinds::ANY);
    found.extend(rules.filter_map(|rule| of_other_type(place.node, rule)));
}

/// Drops what is reported about rules that refuse the default: an error names them already.
pub fn drop_refused_defaults(found: &mut Vec<Diagnostic>) {
    let of_other_type = |finding: &Diagnostic| *finding.rule == RULE;
    if !found.iter().any(of_other_type) {
        return;
    }
    let errors = found.iter().filter(|finding| finding.severity == Severity::Error);
    let named: FxHashSet<Span> = errors.flat_map(|finding| &finding.related).map(|related| related.span).collect();
    found.retain(|finding| !of_other_type(finding) || !named.contains(&finding.span));
}

/// A rule about what values of the node's type do not have.
fn of_other_type(node: &SchemaNode, rule: &Constraint) -> Option<Diagnostic> {
    let shape = node.shape();
    let is_scalar = matches!(shape, Shape::Bool | Shape::Int | Shape::Float | Shape::Null);
    let is_number = matches!(shape, Shape::Int | Shape::Float);
    let (fits, what) = match &rule.kind {
        ConstraintKind::MinLength(_) | ConstraintKind::MaxLength(_) => (!is_scalar, "a length"),
        ConstraintKind::OneNotNull(_) => (!is_scalar && !matches!(shape, Shape::String | Shape::Array(_)), "keys"),
        ConstraintKind::Min(bound) | ConstraintKind::Max(bound) => {
            let fits = match (&bound.value, shape) {
                (NodeValue::Unknown, _) | (_, Shape::Any | Shape::Unknown | Shape::Union(_)) => true,
                (NodeValue::Int(_) | NodeValue::Float(_), _) => is_number,
                (NodeValue::String(_), Shape::String) | (NodeValue::Bool(_), Shape::Bool) => true,
                (NodeValue::Array(_), Shape::Array(_)) => true,
                _ => false,
            };
            (fits, "an order with this bound")
        }
        _ => return None,
    };
    (!fits).then(|| about(rule.span, what, shape))
}

/// `inner`: what the check of the listed value against the node's type found.
pub(crate) fn listed(span: Span, inner: &Diagnostic) -> Diagnostic {
    let mut finding = Diagnostic::new(&RULE, span, format!("this value can never be given: {}", inner.message));
    finding.found.clone_from(&inner.found);
    finding.expected.clone_from(&inner.expected);
    finding
}

pub(crate) fn about(span: Span, what: &str, shape: Shape<'_>) -> Diagnostic {
    let kind = match shape {
        Shape::Null => "null",
        Shape::Bool => "a boolean",
        Shape::Int => "an integer",
        Shape::Float => "a float",
        Shape::String => "a string",
        Shape::Map(_) => "a map",
        Shape::Array(_) => "an array",
        Shape::Any | Shape::Unknown | Shape::Union(_) => "such a value",
    };
    Diagnostic::new(&RULE, span, format!("{kind} does not have {what}"))
}
