//! What a schema says that is allowed and most likely not meant: rules that nothing can keep, defaults that are read as
//! something else, descriptions that say nothing.

use super::within;
use crate::rules;
use crate::values::{Checks, Root, ValuesCheck};
use crate::view::{NodeView, Source};
use lofting_diagnostic::Diagnostic;
use lofting_document::{Node, NodeValue, Span};
use lofting_schema::compare::{self, Compared};
use lofting_schema::semantics::Defaults;
use lofting_schema::{Constraint, ConstraintKind, Kinds, Schema, SchemaId, SchemaNode, Shape, Text};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

/// What is doubtful in a schema that gives types by their defaults. In other languages a default is one of several things
/// that are said, and their readers look at it.
pub fn lint_schema(schema: &Schema, source: &dyn Source) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if schema.semantics().defaults != Defaults::Types {
        return found;
    }
    let family = schema.semantics().family;
    for (id, node) in schema.nodes() {
        lengths_and_bounds(node, &mut found);
        allowed_values(schema, id, source, &mut found);
        // What a language only asks of some kinds of value fits all others.
        let rules = node.constraints.iter().filter(|rule| !rule.conditional && rule.on == Kinds::ANY);
        found.extend(rules.filter_map(|rule| of_other_type(node, rule)));
        found.extend(written_default(node, source));
        descriptions(schema, node, source, &mut found);
    }
    found.into_iter().map(|finding| finding.family(family)).collect()
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
        found.push(rules::ytt_schema_impossible_rules::bounds(low.span, high.span, least, most));
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
        found.push(rules::ytt_schema_impossible_rules::lengths(low.span, high.span, shortest, longest));
    }
}

/// Values of a list of which the type or other rules refuse some.
fn allowed_values(schema: &Schema, id: SchemaId, source: &dyn Source, found: &mut Vec<Diagnostic>) {
    let node = schema.node(id);
    let list = node.constraints.iter().filter(|rule| !rule.conditional).find_map(|rule| match &rule.kind {
        ConstraintKind::OneOf(values) => Some((rule, values)),
        _ => None,
    });
    let Some((rule, values)) = list else { return };
    if values.is_empty() {
        found.push(rules::ytt_schema_impossible_rules::list(rule.span, "the list is empty: no value is allowed"));
        return;
    }
    let mut possible = false;
    let mut of_other_type = Vec::new();
    for value in values {
        match within(schema, id, value, value.span, source).first() {
            Some(inner) => of_other_type.push(rules::ytt_schema_rule_type::listed(value.span, inner)),
            None => possible |= keeps_rules(schema, id, value, source),
        }
    }
    // Where the type of the node is wrong, all of them are: one finding says so.
    let is_all = of_other_type.len() == values.len();
    if possible || is_all || values.iter().any(|value| matches!(value.value, NodeValue::Unknown)) {
        found.extend(of_other_type.into_iter().take(if is_all { 1 } else { usize::MAX }));
    } else {
        found.push(rules::ytt_schema_impossible_rules::list(rule.span, "the other rules refuse each of these values"));
    }
}

/// Whether a value keeps all rules of a node, as far as they can be asked here.
fn keeps_rules(schema: &Schema, id: SchemaId, value: &Node, source: &dyn Source) -> bool {
    let check = ValuesCheck::alone(schema, source).asking(Checks { counts: false, ..Checks::RULES });
    let root = Root { is_value: true, ..Root::new(NodeView(value), value.span) };
    check.run_at(root, id).into_diagnostics().is_empty()
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
    (!fits).then(|| rules::ytt_schema_rule_type::about(rule.span, what, shape))
}

/// A default that means something else than it looks like.
fn written_default(node: &SchemaNode, source: &dyn Source) -> Option<Diagnostic> {
    let default = node.default.as_ref().filter(|default| !default.explicit)?;
    let text = source.text(default.span)?;
    rules::ytt_schema_doubtful_default::finding(default.span, &text, &default.value.value)
}

/// Descriptions without words, and those that keys beside each other share.
fn descriptions(schema: &Schema, node: &SchemaNode, source: &dyn Source, found: &mut Vec<Diagnostic>) {
    let texts = [&node.docs.title, &node.docs.description, &node.docs.deprecated];
    // What code gives is empty as well as long as it cannot be run.
    let is_written =
        |text: &Text| source.text(text.span).is_some_and(|text| text.trim_matches(['"', '\'', ' ']).is_empty());
    let empty = texts.into_iter().flatten().filter(|text| text.text.trim().is_empty() && is_written(text));
    found.extend(empty.map(|text| rules::ytt_schema_empty_description::finding(text.span)));
    let Shape::Map(map) = node.shape() else { return };
    let mut known: FxHashMap<&str, Span> = FxHashMap::default();
    for key in &map.keys {
        let child = schema.node(key.schema);
        if let Some(secret) = rules::ytt_schema_secret_default::finding(&key.key, child) {
            found.push(secret);
        }
        let Some(text) = child.docs.description.as_ref().filter(|text| !text.text.trim().is_empty()) else { continue };
        match known.get(text.text.trim()) {
            Some(first) => found.push(rules::ytt_schema_repeated_description::finding(text.span, *first)),
            None => drop(known.insert(text.text.trim(), text.span)),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::{check, messages};
    use expect_test::expect;

    /// What is fine stands beside what is not. The defaults keep no rules either, as checking them says.
    #[test]
    fn rules_that_cannot_hold() {
        check(
            r#"#- schema.yml
#@data/values-schema
---
#@schema/validation min=5, max=3
#                          ^^^^^ ytt/schema-impossible-rules
a: 4
#  ^ ytt/max
#  ^ ytt/min
#@schema/validation min=3, max=3
b: 3
#@schema/nullable
#@schema/validation min_len=4, max_len=2
#                              ^^^^^^^^^ ytt/schema-impossible-rules
c: ""
#@schema/nullable
#@schema/validation one_of=[1, 2], min=3
#                   ^^^^^^^^^^^^^ ytt/schema-impossible-rules
d: 0
#@schema/validation one_of=[1, "2"]
#                              ^^^ ytt/schema-rule-type
e: 1
#@schema/nullable
#@schema/validation min_len=1
#                   ^^^^^^^^^ ytt/schema-rule-type
f: 1
#@schema/nullable
#@schema/validation min="a"
#                   ^^^^^^^ ytt/schema-rule-type
g: 1
#@schema/validation min="a", max="c"
h: b
#@schema/validation min=10, max=3, when=lambda v: False
l: 5
#@schema/nullable
#@schema/validation one_of=[]
#                   ^^^^^^^^^ ytt/schema-impossible-rules
m: x
#@schema/validation min_len=1, max_len=3
o: {x: 1}
"#,
        );
    }

    #[test]
    fn defaults_that_are_read_as_something_else() {
        let found = messages(
            r#"#- schema.yml
#@data/values-schema
---
a: 1.10
#  ^^^^ ytt/schema-doubtful-default
b: 1.0
c: 0.50
d: 0644
#  ^^^^ ytt/schema-doubtful-default
e: "010"
f: 0
g: off
#  ^^^ ytt/schema-doubtful-default
h: true
i: [1.10]
#   ^^^^ ytt/schema-doubtful-default
j: 1.1
"#,
        );
        expect![[r#"
            lint: `1.10` is the number 1.1 to YAML
              fix: Write "1.10", a string: "\"1.10\""
              fix: Write 1.1, a number: "1.1"
            lint: `0644` is the number 420 to YAML
              fix: Write "0644", a string: "\"0644\""
              fix: Write 420, a number: "420"
            lint: `off` is the boolean false to YAML
              fix: Write "off", a string: "\"off\""
              fix: Write false, a boolean: "false"
            lint: `1.10` is the number 1.1 to YAML
              fix: Write "1.10", a string: "\"1.10\""
              fix: Write 1.1, a number: "1.1"
        "#]]
        .assert_eq(&found);
    }

    #[test]
    fn descriptions_and_secrets() {
        check(
            r#"#- schema.yml
#@data/values-schema
---
#@schema/desc "Where it listens."
a: 1
#@schema/desc "Where it listens."
#             ^^^^^^^^^^^^^^^^^^^ ytt/schema-repeated-description
b: 1
#@schema/title " "
#              ^^^ ytt/schema-empty-description
#@schema/desc ""
#             ^^ ytt/schema-empty-description
c:
  #@schema/desc "Where it listens."
  d: 1
accessKey: abc
#          ^^^ ytt/schema-secret-default
password: ""
passwordFile: /etc/password
tokens: 3
"#,
        );
    }

    #[test]
    fn half_typed() {
        let above = "#- schema.yml\n#@data/values-schema\n---\n";
        check(&format!(
            "{above}#@schema/validation min=5, max=\n#                             ^ ytt/annotation-arguments\na: 7\n"
        ));
        check(&format!("{above}a: 1.\nb: 0\n#@schema/desc\nc: 1\n# ytt/schema-text-arguments\n"));
    }
}
