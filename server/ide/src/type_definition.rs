//! Go to type definition: from a value, or from a key of a schema, to the definition of its type: a `$defs` entry, a
//! custom type, or the part of a schema for the items of an array.

use crate::answers::Definition;
use crate::governing::governing;
use crate::pages::declared_at;
use crate::target::target_at;
use lofting_document::{FileId, Span};
use lofting_schema::{Clause, Schema, SchemaId};
use lofting_workspace::Snapshot;
use std::sync::Arc;

#[cfg(test)]
mod tests;

/// How many definitions are looked at for one answer.
const MAX_LOOKS: usize = 200;

/// Where the types of the value or key at `offset` (bytes) are defined, each once.
pub fn type_definition(snapshot: &Snapshot, file: FileId, offset: usize) -> Vec<Definition> {
    let tree = snapshot.tree(file);
    let Some(target) = target_at(&tree, snapshot.profile(file), offset) else { return Vec::new() };
    let of_value = || {
        let governing = governing(snapshot, file, &tree, target.document, &target.path, offset)?;
        let (nodes, _) = target.schemas(&governing);
        (!nodes.is_empty()).then_some((governing.schema, nodes))
    };
    let of_schema = || {
        let own = snapshot.association(file).schema.as_ref().map(|schema| schema.schema.clone());
        let mut schemas = snapshot.schemas_in(file).into_iter().chain(own);
        schemas.find_map(|schema: Arc<Schema>| {
            let id = declared_at(&schema, file, &target)?;
            Some((schema, vec![id]))
        })
    };
    let Some((schema, nodes)) = of_value().or_else(of_schema) else { return Vec::new() };
    let mut found: Vec<Definition> = Vec::new();
    for id in definitions(&schema, &nodes) {
        let declared = schema.node(id).declared;
        if !snapshot.is_file(declared.span.file) {
            continue;
        }
        // If a text names the type, the definition with that name.
        let named = snapshot.named_inside(declared.name.file, declared.name.range().end);
        let named = named.map(|named| named.declared).unwrap_or_default().into_iter();
        let mut places: Vec<(Span, Span)> =
            named.map(|name| Span::new(declared.name.file, name)).map(|name| (name, name)).collect();
        if places.is_empty() {
            places.push((declared.span, declared.name));
        }
        for (whole, name) in places {
            let definition = Definition { origin: target.range.clone(), target: whole, target_selection: name };
            if !found.contains(&definition) {
                found.push(definition);
            }
        }
    }
    found
}

/// The nodes that nodes refer to, or those of the items of arrays; the nodes themselves if they are complete.
fn definitions(schema: &Schema, nodes: &[SchemaId]) -> Vec<SchemaId> {
    let mut found = Vec::new();
    let mut open: Vec<SchemaId> = nodes.to_vec();
    let mut looks = 0;
    while let Some(id) = open.pop() {
        looks += 1;
        if looks > MAX_LOOKS {
            break;
        }
        let node = schema.node(id);
        let elsewhere = |other: &SchemaId| {
            let (own, other) = (node.declared.span, schema.node(*other).declared.span);
            own.file != other.file || other.start < own.start || own.end < other.end
        };
        let items = node.array.iter().map(|array| array.item);
        let referred: Vec<SchemaId> = joined(&node.clauses).chain(items).collect();
        if referred.iter().any(elsewhere) {
            found.extend(referred.into_iter().filter(elsewhere))
        } else if node.clauses.is_empty() {
            // An array of items that are described in place.
            let item = node.array.as_ref().map(|array| array.item);
            found.push(item.filter(|item| schema.node(*item).map.is_some()).unwrap_or(id));
        } else {
            open.extend(referred.into_iter().rev())
        }
    }
    found
}

/// The nodes in clauses that a value may have to fit.
fn joined(clauses: &[Clause]) -> impl Iterator<Item = SchemaId> {
    clauses.iter().flat_map(|clause| match clause {
        Clause::All(members) | Clause::Any(members) | Clause::One(members) => members.clone(),
        _ => Vec::new(),
    })
}
