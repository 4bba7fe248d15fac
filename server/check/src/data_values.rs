//! Compares code that reads data values with the schema: `data.values.service.prot`.

use crate::bound::LIMIT;
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
        let reported = if used.conditional { &mut warnings } else { &mut errors };
        *reported += 1;
        if *reported > LIMIT {
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
    let mut reported: FxHashSet<PathId> = FxHashSet::default();
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
        if values.is_whole(holder) || above.any(|path| reported.contains(&path)) || !reported.insert(holder) {
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
