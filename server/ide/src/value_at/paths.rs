//! Values by their paths, whether or not they are written.

use super::parts::schema_parts;
use super::{ValueAt, described, finals, found_below, requires, shown};
use crate::governing::governing;
use crate::path::Step;
use lofting_document::{FileId, Key, Node, NodeValue, Span};
use lofting_schema::{Schema, SchemaId};
use lofting_workspace::{FileKind, Snapshot};
use std::sync::Arc;

/// How far a path leads into a document.
struct Followed<'p> {
    steps: Vec<Step>,
    /// The key or item that the last step leads to.
    name: Option<Span>,
    /// The part of the path that leads further.
    rest: &'p str,
}

/// What is known about the value at a path of the file, such as `service.ports[0].port`, in the document with this
/// number, or in the first one that has it or may have it. None if neither is the case.
pub fn value_at_path(snapshot: &Snapshot, file: FileId, path: &str, document: Option<usize>) -> Option<ValueAt> {
    let documents = snapshot.lowered(file);
    let count = snapshot.tree(file).documents().count();
    let numbers: Vec<usize> = match document {
        Some(number) => (number < count.max(1)).then_some(number).into_iter().collect(),
        None => (0..count.max(1)).collect(),
    };
    let root = |number: &usize| documents.documents.get(*number).map(|document| &document.value);
    let is_whole = |number: &usize| root(number).is_some_and(|root| followed(root, path).rest.is_empty());
    let first = numbers.iter().copied().filter(is_whole);
    let others = numbers.iter().copied().filter(|number| !is_whole(number));
    first.chain(others).find_map(|number| in_document(snapshot, file, path, number, root(&number)))
}

fn in_document(snapshot: &Snapshot, file: FileId, path: &str, number: usize, root: Option<&Node>) -> Option<ValueAt> {
    let empty = Followed { steps: Vec::new(), name: None, rest: path };
    let Followed { mut steps, name, rest } = root.map_or(empty, |root| followed(root, path));
    let is_written = rest.is_empty();
    steps.extend(parsed(rest)?);
    let tree = snapshot.tree(file);
    let document = tree.documents().nth(number);
    let in_schema: Vec<Step> = steps.iter().map(in_schema).collect();
    let begin = document.map_or(0, |document| document.range().start);
    let offset = name.map_or(begin, |name| name.range().start).max(begin);
    let written = found_below(snapshot, file, number, &steps);
    let governing = governing(snapshot, file, &tree, document, &in_schema, offset);
    let ids = governing.as_ref().map(|governing| governing.nodes_at(&in_schema)).unwrap_or_default();
    let described = match &governing {
        Some(governing) => {
            let required = match in_schema.split_last() {
                Some((Step::Key(key), above)) => requires(&governing.schema, &governing.nodes_at(above), key),
                _ => false,
            };
            described(snapshot, &governing.schema, &ids, required)
        }
        None => Vec::new(),
    };
    let finals = finals(snapshot, file, |values| steps.iter().try_fold(values, super::one_below).cloned());
    if !is_written && described.is_empty() && finals.is_empty() {
        return None;
    }
    let range = name.filter(|name| is_written && name.file == file).map(|name| name.range());
    Some(ValueAt { path: shown(&steps), range, written, described, finals })
}

/// The nodes of a schema at the end of a path from one of them.
fn nodes_at(schema: &Schema, node: SchemaId, steps: &[Step]) -> Vec<SchemaId> {
    let in_schema = |step: &Step| match step {
        Step::Key(key) => Step::Key(schema.semantics().keys.named(key.clone())),
        Step::Index(_) => Step::Item,
        other => other.clone(),
    };
    schema.nodes_at(node, &steps.iter().map(in_schema).collect::<Vec<_>>())
}

/// The schema that a file contains, or the one that governs it, and its nodes for the value at a path. `document`: the
/// number of the document that has to be governed.
pub fn schema_nodes(
    snapshot: &Snapshot,
    file: FileId,
    path: &str,
    document: Option<usize>,
) -> Option<(Arc<Schema>, Vec<SchemaId>)> {
    let steps = parsed(path)?;
    let own = (snapshot.kind(file) == FileKind::Schema).then(|| snapshot.association(file).schema.clone()).flatten();
    // A JSON Schema is governed by its meta-schema, but a user who names it means what it says itself.
    let contained = own.map(|schema| schema.schema).into_iter();
    let parts = schema_parts(snapshot, file, document);
    let contained = contained.chain(parts.iter().map(|part| part.schema.clone())).chain(snapshot.json_schema_in(file));
    let at_path = |(schema, node): (Arc<Schema>, SchemaId)| {
        let nodes = nodes_at(&schema, node, &steps);
        (!nodes.is_empty()).then_some((schema, nodes))
    };
    let found = contained.map(|schema| (schema.root(), schema)).find_map(|(root, schema)| at_path((schema, root)));
    // A part of the file may be named before the path in it.
    let named = || {
        parts.iter().find_map(|part| {
            let below = path.strip_prefix(&part.name)?;
            let steps = parsed(below.strip_prefix('.').or(below.is_empty().then_some(below))?)?;
            let nodes = nodes_at(&part.schema, part.schema.root(), &steps);
            (!nodes.is_empty()).then(|| (part.schema.clone(), nodes))
        })
    };
    let found = found.or_else(named);
    let governed = || {
        let tree = snapshot.tree(file);
        let in_document = |number: usize| {
            let document = tree.documents().nth(number);
            let begin = document.map_or(0, |document| document.range().start);
            let path: Vec<Step> = steps.iter().map(in_schema).collect();
            let governing = governing(snapshot, file, &tree, document, &path, begin)?;
            let nodes = governing.nodes_at(&path);
            (!nodes.is_empty()).then_some((governing.schema, nodes))
        };
        let count = tree.documents().count().max(1);
        document.map_or(0..count, |number| number..number + 1).find_map(in_document)
    };
    // Only a part of the document may be governed.
    let in_part = || {
        let is_meant = |part: &lofting_workspace::Governed| document.is_none_or(|number| number == part.document);
        let mut parts = snapshot.governed(file).into_iter().filter(is_meant);
        parts.find_map(|part| at_path((part.schema, part.node)))
    };
    let seeming = || snapshot.seeming_json_schema(file).and_then(|schema| at_path((schema.clone(), schema.root())));
    found.or_else(governed).or_else(in_part).or_else(seeming)
}

fn in_schema(step: &Step) -> Step {
    match step {
        Step::Key(key) => Step::Key(key.clone()),
        Step::Index(_) => Step::Item,
        other => other.clone(),
    }
}

/// Follows a path as far as values are written. Keys may contain dots: the longest one that fits is meant.
fn followed<'p>(root: &Node, path: &'p str) -> Followed<'p> {
    let mut followed = Followed { steps: Vec::new(), name: None, rest: path };
    let mut node = root;
    while !followed.rest.is_empty() {
        let rest = followed.rest;
        let next = match &node.value {
            NodeValue::Map(items) => {
                let rest = rest.strip_prefix('.').unwrap_or(rest);
                let fits = |key: &Key| {
                    let after = rest.strip_prefix(key.to_string().as_str())?;
                    (after.is_empty() || after.starts_with(['.', '['])).then_some(after)
                };
                let found = items.iter().filter_map(|item| Some((item, fits(&item.key)?)));
                found
                    .min_by_key(|(_, after)| after.len())
                    .map(|(item, after)| (Step::Key(item.key.clone()), item.key_span, &item.value, after))
            }
            NodeValue::Array(items) => index(rest).and_then(|(index, after)| {
                let item = items.get(index)?;
                Some((Step::Index(index), item.span, &item.value, after))
            }),
            _ => None,
        };
        let Some((step, name, below, after)) = next else { break };
        followed.steps.push(step);
        (followed.name, followed.rest, node) = (Some(name), after, below);
    }
    followed
}

/// `[3]` at the start of a path, and what follows. `[]` is the first item: all are alike in a schema.
fn index(path: &str) -> Option<(usize, &str)> {
    let (number, after) = path.strip_prefix('[')?.split_once(']')?;
    Some((if number.is_empty() { 0 } else { number.parse().ok()? }, after))
}

/// The steps of a path that leads to nothing written: between dots and brackets are keys.
fn parsed(path: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        if let Some((index, after)) = index(rest) {
            steps.push(Step::Index(index));
            rest = after;
            continue;
        }
        rest = rest.strip_prefix('.').unwrap_or(rest);
        let end = rest.find(['.', '[']).unwrap_or(rest.len());
        let (key, after) = rest.split_at(end);
        if key.is_empty() {
            return None;
        }
        steps.push(Step::Key(Key::from(key)));
        rest = after;
    }
    Some(steps)
}
