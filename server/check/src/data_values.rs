//! Compares code that reads data values with the schema: `data.values.service.prot`.

use crate::limit::LIMIT;
use crate::rules::{schema_optional_data_value, ytt_nullable_data_value, ytt_unknown_data_value};
use crate::{Diagnostic, suggest};
use lofting_document::{FileId, Key, Span};
use lofting_eval::code::{PathId, UseKind, ValuePaths, ValueStep};
use lofting_schema::{KeyChild, Schema, SchemaId, SchemaNode, Shape};
use rustc_hash::FxHashSet;

/// Where a path in code leads in a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValuePlace {
    /// To a value that is declared.
    Declared(SchemaId),
    /// To a key that this map does not declare.
    Undeclared(SchemaId),
    /// Not known: below `any`, or through a computed key.
    Unknown,
}

/// The place of each path, in the same order.
pub fn value_places(values: &ValuePaths, schema: &Schema) -> Vec<ValuePlace> {
    let mut places: Vec<ValuePlace> = Vec::with_capacity(values.paths.len());
    for (parent, step) in &values.paths {
        let place = match parent.map(|parent| places.get(parent.0 as usize)) {
            None => ValuePlace::Declared(schema.root()),
            Some(Some(ValuePlace::Declared(id))) => below(schema, *id, step),
            Some(_) => ValuePlace::Unknown,
        };
        places.push(place);
    }
    places
}

fn below(schema: &Schema, id: SchemaId, step: &ValueStep) -> ValuePlace {
    match (schema.node(id).shape(), step) {
        (Shape::Map(map), ValueStep::Key(key)) => match map.child(&Key::from(key.as_str())) {
            KeyChild::Child(child) => ValuePlace::Declared(child.schema),
            KeyChild::Undeclared => ValuePlace::Undeclared(id),
            KeyChild::Free | KeyChild::Unread => ValuePlace::Unknown,
        },
        (Shape::Array(array), ValueStep::Item) => ValuePlace::Declared(array.item),
        _ => ValuePlace::Unknown,
    }
}

/// Keys that code reads and none of `schemas` declares. Only certain cases are reported: no name on the way has several
/// meanings, and the code does not test whether the key exists. At most [`LIMIT`] findings of each severity are made;
/// the number counts the others.
pub fn check_data_values(file: FileId, values: &ValuePaths, schemas: &[&Schema]) -> (Vec<Diagnostic>, usize) {
    let Some((first, others)) = schemas.split_first() else { return (Vec::new(), 0) };
    let places = value_places(values, first);
    let others: Vec<Vec<ValuePlace>> = others.iter().map(|schema| value_places(values, schema)).collect();
    let mut asked = vec![false; values.paths.len()];
    for used in values.uses.iter().filter(|used| used.kind == UseKind::Test) {
        if let Some(asked) = asked.get_mut(used.path.0 as usize) {
            *asked = true;
        }
    }
    let at = |places: &[ValuePlace], path: PathId| places.get(path.0 as usize).copied();
    let undeclared = |used: &&lofting_eval::code::Use| {
        used.certain
            && !asked.get(used.path.0 as usize).copied().unwrap_or(true)
            && others.iter().all(|places| matches!(at(places, used.path), Some(ValuePlace::Undeclared(_))))
    };
    let mut found = Vec::new();
    let (mut errors, mut warnings, mut more) = (0, 0, 0);
    for used in values.uses.iter().filter(undeclared) {
        let Some(ValuePlace::Undeclared(map)) = at(&places, used.path) else { continue };
        let steps = values.steps(used.path);
        let Some((ValueStep::Key(key), holder)) = steps.split_last() else { continue };
        let span = Span::new(file, used.range.clone());
        let told = if used.conditional { &mut warnings } else { &mut errors };
        *told += 1;
        if *told > LIMIT {
            more += 1;
            continue;
        }
        let suggest = found.len() < suggest::SEARCHES;
        found.push(ytt_unknown_data_value::finding(span, key, &shown_path(holder), used, first, map, suggest));
    }
    found.extend(optional(file, values, first, &places));
    found.extend(nullable(file, values, first, &places, &others));
    (found, more)
}

/// Reports code that reads a part of a value that may be null, if that code always runs and never tests the value.
fn nullable(
    file: FileId,
    values: &ValuePaths,
    schema: &Schema,
    places: &[ValuePlace],
    others: &[Vec<ValuePlace>],
) -> Vec<Diagnostic> {
    let node = |places: &[ValuePlace], path: PathId| match places.get(path.0 as usize) {
        Some(ValuePlace::Declared(id)) => Some(schema.node(*id)),
        _ => None,
    };
    // A node with further rules may exclude null by them.
    let may_be_null = |node: &SchemaNode| node.nullable && node.constraints.is_empty() && node.rules.is_empty();
    let mut told: FxHashSet<PathId> = FxHashSet::default();
    let found = values.uses.iter().filter_map(|used| {
        let direct = matches!(used.kind, UseKind::Attribute | UseKind::Index);
        if !direct || !used.certain || used.conditional || !others.is_empty() {
            return None;
        }
        node(places, used.path)?;
        let holder = values.parent(used.path)?;
        let declared = node(places, holder).filter(|node| may_be_null(node))?;
        // The outermost value that may be null is reported, and only once for all its parts.
        let mut above = std::iter::successors(values.parent(holder), |path| values.parent(*path));
        if values.is_whole(holder) || above.any(|path| told.contains(&path)) || !told.insert(holder) {
            return None;
        }
        let steps = values.steps(used.path);
        let Some((ValueStep::Key(key), holder)) = steps.split_last() else { return None };
        let span = Span::new(file, used.range.clone());
        Some(ytt_nullable_data_value::finding(span, key, &shown_path(holder), declared))
    });
    found.take(LIMIT).collect()
}

/// Reports keys that code reads without testing for them, although they exist only if the user gives them.
fn optional(file: FileId, values: &ValuePaths, schema: &Schema, places: &[ValuePlace]) -> Vec<Diagnostic> {
    if !schema.nodes().any(|(_, node)| node.left_out) {
        return Vec::new();
    }
    let left_out = |path: PathId| match places.get(path.0 as usize) {
        Some(ValuePlace::Declared(id)) => Some(schema.node(*id)).filter(|node| node.left_out),
        _ => None,
    };
    let tested = |path: PathId| values.uses.iter().any(|used| used.path == path && used.kind == UseKind::Test);
    let reads = values.uses.iter().filter(|used| used.certain && used.kind != UseKind::Test && !tested(used.path));
    let found = reads.filter_map(|used| {
        let node = left_out(used.path)?;
        let steps = values.steps(used.path);
        let Some((ValueStep::Key(key), holder)) = steps.split_last() else { return None };
        let span = Span::new(file, used.range.clone());
        Some(schema_optional_data_value::finding(span, key, &shown_path(holder), node))
    });
    found.take(LIMIT).collect()
}

/// `data.values.ports[].name`
pub fn shown_path(steps: &[ValueStep]) -> String {
    let mut path = "data.values".to_owned();
    for step in steps {
        match step {
            ValueStep::Key(key) => {
                path.push('.');
                path.push_str(key);
            }
            ValueStep::Item => path.push_str("[]"),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use crate::fixture::messages;
    use expect_test::expect;

    const SCHEMA: &str = "#- schema.yml
#@data/values-schema
---
service:
  port: 80
  my-name: ''
  #@schema/type any=True
  extra: {}
";

    #[test]
    fn wrong_keys_are_told_with_the_right_ones() {
        let found = messages(&format!(
            "{SCHEMA}#- app.yml
#@ load(\"@ytt:data\", \"data\")
a: #@ data.values.service.prot
#                         ^^^^ ytt/unknown-data-value
b: #@ data.values[\"servcie\"]
#                  ^^^^^^^ ytt/unknown-data-value
#@ if data.values.service.my_name:
#                         ^^^^^^^ ytt/unknown-data-value
c: #@ data.values.service.extra.anything
#@ end
d: #@ data.values.zzzzzz.x
#                 ^^^^^^ ytt/unknown-data-value
"
        ));
        expect![[r#"
            template: `prot` is not declared in the schema of `data.values.service`
              help: did you mean `port`?
              fix: Change to `port`: "port"
            template: `servcie` is not declared in the schema of `data.values`
              help: did you mean `service`?
              fix: Change to `service`: "service"
            template: `my_name` is not declared in the schema of `data.values.service`
              help: did you mean `my-name`?
            template: `zzzzzz` is not declared in the schema of `data.values`
              help: declared keys are `service`
        "#]]
        .assert_eq(&found);
    }

    #[test]
    fn what_may_be_null_is_told_once_where_nobody_asks() {
        let schema = "#- schema.yml
#@data/values-schema
---
#@schema/nullable
tls:
  secret: ''
  #@schema/nullable
  ca:
    name: ''
#@schema/nullable
asked:
  name: ''
#@schema/nullable
#@schema/validation not_null=True
given:
#^^^^ ytt/not-null
  name: ''
";
        let found = messages(&format!(
            "{schema}#- app.yml
#@ load(\"@ytt:data\", \"data\")
a: #@ data.values.tls.secret
#                     ^^^^^^ ytt/nullable-data-value
#@ tls = data.values.tls
b: #@ tls.ca.name
c: #@ data.values.asked.name if data.values.asked else 1
d: #@ data.values.given.name
e: #@ data.values.asked and data.values.asked.name
#@ if data.values.asked:
f: #@ data.values.asked.name
#@ end
"
        ));
        expect![[r#"
            validation: `given` has to be given: null is not allowed here
            lint: `data.values.tls` may be null, and null has no `secret`
              help: test for it first: `if data.values.tls:`
        "#]]
        .assert_eq(&found);
    }

    #[test]
    fn half_typed_and_uncertain_keys_are_left_alone() {
        let found = messages(&format!(
            "{SCHEMA}#- app.yml
#@ load(\"@ytt:data\", \"data\")
#@ x = data.values.service if 1 else {{}}
a: #@ x.what
b: #@ getattr(data.values, \"perhaps\", None)
c: #@ data.values.service.port.anything
"
        ));
        expect![[""]].assert_eq(&found);
    }
}
